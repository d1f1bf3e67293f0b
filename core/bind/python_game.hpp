// A game written in plain Python, as the core sees it. Every question takes the GIL.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "games/dynamic.hpp"

namespace tesuji::bind {

namespace nb = nanobind;

class PythonGame final : public AbstractGame {
 public:
  explicit PythonGame(nb::object game) : game_(std::move(game)) {}
  ~PythonGame() override {
    const nb::gil_scoped_acquire hold;
    game_.reset();
  }

  std::unique_ptr<AbstractGame> copy() const override {
    const nb::gil_scoped_acquire hold;
    return std::make_unique<PythonGame>(game_.attr("copy")());
  }
  int num_distinct_moves() const override { return ask<int>("num_distinct_moves"); }
  int to_play() const override {
    const int player = ask<int>("to_play");
    if (player != 0 && player != 1)
      throw std::invalid_argument("to_play is " + std::to_string(player) + "; it must be 0 (first) or 1 (second)");
    return player;
  }
  bool is_over() const override { return ask<bool>("is_over"); }
  double value() const override {
    const double value = ask<double>("value");
    if (!(value >= 0 && value <= 1))
      throw std::invalid_argument("value is " + std::to_string(value) +
                                  "; it must lie in 0..1, the first player's view");
    return value;
  }
  std::uint64_t hash() const override {
    const nb::gil_scoped_acquire hold;
    // Python's integers have any length and sign; the low 64 bits are the key.
    return PyLong_AsUnsignedLongLongMask(nb::object(game_.attr("key")()).ptr());
  }
  void legal_moves(MoveList& moves) const override {
    const nb::gil_scoped_acquire hold;
    const int limit = nb::cast<int>(game_.attr("num_distinct_moves"));
    for (const nb::handle item : game_.attr("legal_moves")()) {
      const auto move = nb::cast<Move>(item);
      if (move < 0 || move >= limit)
        throw std::invalid_argument("legal_moves() lists " + std::to_string(move) + "; moves lie in 0.." +
                                    std::to_string(limit - 1));
      moves.push_back(move);
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
      if (count < priors.size()) priors[count] = nb::cast<float>(item);
      ++count;
    }
    if (count != priors.size())
      throw std::invalid_argument("priors(moves) returned " + std::to_string(count) + " numbers for " +
                                  std::to_string(priors.size()) + " moves");
  }

 private:
  template <class T>
  T ask(const char* name) const {
    const nb::gil_scoped_acquire hold;
    return nb::cast<T>(game_.attr(name));
  }

  nb::object game_;
};

}  // namespace tesuji::bind
