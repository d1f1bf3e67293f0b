// A compiled game as Python holds it: a state together with the rules that it points to.
#pragma once

#include <memory>
#include <span>

#include "games/compiled.hpp"

namespace tesuji::bind {

struct HeldCompiledGame {
  HeldCompiledGame(std::shared_ptr<CompiledRules> of, std::span<const std::byte> record)
      : rules(std::move(of)), game(*rules, record) {}

  std::shared_ptr<CompiledRules> rules;
  CompiledGame game;
};

}  // namespace tesuji::bind
