// A game written in plain Python, as the core sees it. Every question takes the GIL.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

#include "games/dynamic.hpp"

namespace tesuji::bind {

namespace nb = nanobind;

class PythonGame final : public AbstractGame {
 public:
  // Asks once how many moves there are; a game that changes its mind later is held to its first answer.
  static std::unique_ptr<AbstractGame> root(const nb::object& game) {
    const int limit = read<int>(game.attr("num_distinct_moves"), "num_distinct_moves", "a whole number");
    constexpr int kMost = 1 << 28;
    if (limit < 1 || limit > kMost)
      throw std::invalid_argument("num_distinct_moves is " + std::to_string(limit) + "; it must lie in 1.." +
                                  std::to_string(kMost));
    return std::make_unique<PythonGame>(game.attr("copy")(), limit, read_goal(game));
  }

  PythonGame(nb::object game, int num_distinct_moves, Goal goal)
      : game_(std::move(game)), limit_(num_distinct_moves), goal_(goal) {}
  ~PythonGame() override {
    const nb::gil_scoped_acquire hold;
    game_.reset();
  }

  const nb::object& object() const { return game_; }
  std::unique_ptr<AbstractGame> copy() const override {
    const nb::gil_scoped_acquire hold;
    return std::make_unique<PythonGame>(game_.attr("copy")(), limit_, goal_);
  }
  int num_distinct_moves() const override { return limit_; }
  Goal goal() const override { return goal_; }
  int to_play() const override {
    if (goal_ != Goal::TwoPlayers) return 0;
    const int player = ask<int>("to_play", "0 (first) or 1 (second)");
    if (player != 0 && player != 1)
      throw std::invalid_argument("to_play is " + std::to_string(player) + "; it must be 0 (first) or 1 (second)");
    return player;
  }
  bool is_over() const override {
    const nb::gil_scoped_acquire hold;
    const nb::object answer = game_.attr("is_over");
    if (bool is_over = false; nb::try_cast<bool>(answer, is_over)) return is_over;
    // A comparison of NumPy's arrays gives a bool of its own.
    const std::string kind = nb::cast<std::string>(answer.type().attr("__name__"));
    if (kind == "bool" || kind == "bool_") return PyObject_IsTrue(answer.ptr()) == 1;
    throw wrong_type(answer, "is_over", "True or False");
  }
  double value() const override {
    if (goal_ != Goal::TwoPlayers) return ask<double>("value", "a number");  // the search checks that it is finite
    const double value = ask<double>("value", "a number in 0..1, the first player's view");
    if (!(value >= 0 && value <= 1))
      throw std::invalid_argument("value is " + std::to_string(value) +
                                  "; it must lie in 0..1, the first player's view");
    return value;
  }
  double bound() const override {
    const nb::gil_scoped_acquire hold;
    if (!nb::hasattr(game_, "bound")) return no_bound(goal_);
    const auto bound = read<double>(game_.attr("bound"), "bound", "a number, the best value still possible");
    if (std::isnan(bound)) throw std::invalid_argument("bound is nan; it must be a number");
    return bound;
  }
  std::uint64_t hash() const override {
    const nb::gil_scoped_acquire hold;
    return ask_key("key");
  }
  std::uint32_t second_hash() const override {
    const nb::gil_scoped_acquire hold;
    return nb::hasattr(game_, "second_key") ? static_cast<std::uint32_t>(ask_key("second_key")) : 0;
  }
  void legal_moves(MoveList& moves) const override {
    const nb::gil_scoped_acquire hold;
    const std::size_t most = moves.size() + static_cast<std::size_t>(limit_);
    for (const nb::handle item : game_.attr("legal_moves")()) {
      const auto move = read<Move>(item, "a move of legal_moves()", "a whole number");
      if (move < 0 || move >= limit_)
        throw std::invalid_argument("legal_moves() lists " + std::to_string(move) + "; moves lie in 0.." +
                                    std::to_string(limit_ - 1));
      moves.push_back(move);
      if (moves.size() > most)  // an iterator that never ends is heard of here
        throw std::invalid_argument("legal_moves() lists more than the " + std::to_string(limit_) +
                                    " moves that exist; it must list each once");
    }
  }
  void play(Move move) override {
    const nb::gil_scoped_acquire hold;
    game_.attr("play")(move);
  }
  void priors(std::span<const Move> moves, std::span<float> priors) const override {
    const nb::gil_scoped_acquire hold;
    if (!nb::hasattr(game_, "priors"))
      throw std::invalid_argument("the config uses priors, but the game has no priors(moves) method");
    nb::list list;
    for (const Move move : moves) list.append(move);
    std::size_t count = 0;
    for (const nb::handle item : game_.attr("priors")(list)) {
      const auto prior = read<double>(item, "a number of priors(moves)", "a number in 0..1");
      if (!(prior >= 0 && prior <= 1))
        throw std::invalid_argument("priors(moves) holds " + std::to_string(prior) + "; priors lie in 0..1");
      if (count < priors.size()) priors[count] = static_cast<float>(prior);
      ++count;
    }
    if (count != priors.size())
      throw std::invalid_argument("priors(moves) returned " + std::to_string(count) + " numbers for " +
                                  std::to_string(priors.size()) + " moves");
  }

 private:
  // A game for one player says what it wants of its value.
  static Goal read_goal(const nb::object& game) {
    if (!nb::hasattr(game, "goal")) return Goal::TwoPlayers;
    const nb::object goal = game.attr("goal");
    std::string word;
    if (nb::try_cast<std::string>(goal, word) && word == "maximise") return Goal::Maximise;
    if (word == "minimise") return Goal::Minimise;
    throw wrong_type(goal, "goal", "'maximise' or 'minimise' (a game of two players has none)");
  }
  static std::invalid_argument wrong_type(nb::handle value, const char* what, const char* rule) {
    return std::invalid_argument(std::string(what) + " is " + nb::cast<std::string>(nb::repr(value)) + "; it must be " +
                                 rule);
  }
  template <class T>
  static T read(nb::handle value, const char* what, const char* rule) {
    T result{};
    if (!nb::try_cast<T>(value, result)) throw wrong_type(value, what, rule);
    return result;
  }
  // Integers of any length and sign; the low 64 bits count.
  std::uint64_t ask_key(const char* name) const {
    const nb::object key = game_.attr(name)();
    if (PyIndex_Check(key.ptr()) == 0) throw wrong_type(key, (std::string(name) + "()").c_str(), "a whole number");
    const nb::object whole = nb::steal(PyNumber_Index(key.ptr()));  // NumPy's whole numbers are none of Python's
    if (!whole.is_valid()) throw nb::python_error();
    return PyLong_AsUnsignedLongLongMask(whole.ptr());
  }
  template <class T>
  T ask(const char* name, const char* rule) const {
    const nb::gil_scoped_acquire hold;
    return read<T>(game_.attr(name), name, rule);
  }

  nb::object game_;
  int limit_;
  Goal goal_;
};

}  // namespace tesuji::bind
