#include "games/dynamic.hpp"

#include <algorithm>

namespace tesuji {

namespace {

struct UniformScratch final : PlayoutScratch {
  MoveList moves;
};

}  // namespace

bool AbstractGame::is_legal(Move move) const {
  MoveList moves;
  legal_moves(moves);
  return std::find(moves.begin(), moves.end(), move) != moves.end();
}

double AbstractGame::play_out(Rng& rng, MadeMoves* made, MoveList& scratch) {
  return play_out_uniformly(*this, rng, made, scratch);
}

std::unique_ptr<PlayoutScratch> AbstractGame::playout_scratch() const { return std::make_unique<UniformScratch>(); }

PlayoutStep AbstractGame::step_playout(PlayoutScratch* scratch, Rng& rng) {
  if (is_over()) return PlayoutStep::ended(value());
  const Move move = uniform_move(*this, rng, static_cast<UniformScratch&>(*scratch).moves);
  play(move);
  return PlayoutStep::played(move);
}

double AbstractGame::finish_playout(PlayoutScratch* scratch, Rng& rng, PlayoutRecord& record) {
  return play_out_uniformly(*this, rng, record.wants_moves() ? &record : nullptr,
                            static_cast<UniformScratch&>(*scratch).moves);
}

}  // namespace tesuji
