// Fits the strengths of urgency.hpp's features to recorded games. See docs/algorithms/urgency.md.
//
// Games stream by: first they are counted, which finds the features that are seen often enough; then they teach, once
// or several times. The model is Bradley and Terry's: the chance that a move is chosen is its share of the strengths of
// all legal moves. Each position moves the logarithms along the gradient of its likelihood, by steps that shrink with
// what a feature has seen (Adagrad).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rng.hpp"
#include "go/game_index.hpp"

namespace tesuji::go {

class UrgencyTrainer {
 public:
  // A feature that fewer moves had than `least` is no feature; at most `room` keys are counted at a time.
  UrgencyTrainer(std::uint32_t least, std::size_t room, std::uint64_t seed);

  // Counts the features of the moves that were played.
  void count(const RecordedGame& game);
  // Ends counting: what was rare is forgotten.
  void keep_frequent();
  // Learns from a random share of the positions.
  void learn(const RecordedGame& game, double share, float rate);

  // How the model sees a move that was played.
  struct Judgement {
    int number;        // of moves before it
    int rank;          // how many moves are at least as strong, the move itself left out
    int num_moves;     // that were legal
    float log_chance;  // that the model gave it
  };
  std::vector<Judgement> judge(const RecordedGame& game, double share);

  struct Feature {
    std::uint64_t key = 0;
    float log_strength = 0.0f;
    float squares = 0.0f;  // of the gradients so far
  };
  const std::vector<Feature>& slots() const { return features_; }
  const std::vector<std::uint32_t>& counts() const { return counts_; }
  std::size_t size() const { return size_; }

 private:
  struct Position;
  std::size_t find(std::uint64_t key) const;
  template <class Visit>
  void replay(const RecordedGame& game, double share, Visit visit);
  void look(const Position& position);
  void step(int chosen, float rate);

  std::uint32_t least_;
  Rng rng_;
  std::vector<Feature> features_;  // open addressing, by key
  std::vector<std::uint32_t> counts_;
  std::size_t size_ = 0;
  bool counts_still_ = true;

  // Of the position that is looked at: its legal moves, one after the other.
  std::vector<std::uint32_t> slots_of_moves_;
  std::vector<std::size_t> ends_;
  std::vector<double> scores_;
  int chosen_ = -1;
};

}  // namespace tesuji::go
