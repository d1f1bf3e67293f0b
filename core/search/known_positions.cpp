#include "search/known_positions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>

#include "base/hashing.hpp"

namespace tesuji {

namespace {

constexpr std::uint32_t kHeaviest = std::numeric_limits<std::uint32_t>::max();

std::size_t checked_capacity(std::size_t capacity) {
  if (capacity < KnownPositions::kMinCapacity || capacity > KnownPositions::kMaxCapacity)
    throw std::invalid_argument("the capacity is " + std::to_string(capacity) + " positions; it must lie in " +
                                std::to_string(KnownPositions::kMinCapacity) + ".." +
                                std::to_string(KnownPositions::kMaxCapacity));
  return std::bit_floor(capacity);
}

// How positions are saved: a head, then so many of these. Written as the machine has them; the head tells a machine
// with another byte order, because it reads another mark.
constexpr std::uint64_t kMark = 0x54534A4B504F5302;  // "TSJKPOS", version 2
struct Head {
  std::uint64_t mark, identity, number;
};
struct Saved {
  std::uint64_t first;
  std::uint32_t second, weight;
  double sum;
  std::uint64_t depth;
};
static_assert(sizeof(Head) == 24 && sizeof(Saved) == 32);
constexpr std::uint32_t kDeepest = 0xFFFF;

bool is_sound(const Saved& saved) { return saved.weight > 0 && std::isfinite(saved.sum) && saved.depth <= kDeepest; }

std::vector<Saved> positions_in(std::span<const std::byte> bytes, std::uint64_t identity) {
  const auto refuse = [](const char* why) {
    throw std::invalid_argument(std::string("these are not saved positions: ") + why);
  };
  Head head{};
  if (bytes.size() < sizeof head) refuse("they are too short");
  std::memcpy(&head, bytes.data(), sizeof head);
  if (head.mark != kMark) refuse("they begin with another mark (another version, perhaps)");
  if (head.identity != identity) throw std::invalid_argument("these are positions of another game, board or komi");
  bytes = bytes.subspan(sizeof head);
  if (bytes.size() % sizeof(Saved) != 0 || bytes.size() / sizeof(Saved) != head.number)
    refuse("their length is not what their head says");
  std::vector<Saved> positions(bytes.size() / sizeof(Saved));
  if (!bytes.empty()) std::memcpy(positions.data(), bytes.data(), bytes.size());
  if (!std::all_of(positions.begin(), positions.end(), is_sound)) refuse("a number is out of its range");
  return positions;
}

}  // namespace

KnownPositions::KnownPositions(std::size_t capacity) try : words_(checked_capacity(capacity) * kWords) {
} catch (const std::bad_alloc&) {
  throw std::invalid_argument("there is no memory for a table of " + std::to_string(capacity) +
                              " positions; lower its capacity");
}

// Games may count their states instead of hashing them.
std::size_t KnownPositions::bucket_of(std::uint64_t first) const {
  return (mix64(first) & (capacity() / kBucket - 1)) * kBucket * kWords;
}

KnownPositions::Entry KnownPositions::read(std::size_t at, std::size_t bucket) const {
  const std::uint64_t first = words_[at].load(std::memory_order_relaxed),
                      sum = words_[at + 1].load(std::memory_order_relaxed),
                      rest = words_[at + 2].load(std::memory_order_relaxed),
                      past = words_[at + 3].load(std::memory_order_relaxed);
  const StateKey key(first ^ sum ^ rest ^ past, static_cast<std::uint32_t>(rest >> 32));
  if (bucket_of(key.first) != bucket) return {{}, StateKey(0)};
  return {{std::bit_cast<double>(sum), static_cast<std::uint32_t>(rest), static_cast<std::uint32_t>(past >> 16)},
          key,
          static_cast<std::uint16_t>(past)};
}

void KnownPositions::write(std::size_t at, const Entry& entry) {
  const auto sum = std::bit_cast<std::uint64_t>(entry.known.sum);
  const std::uint64_t rest = std::uint64_t{entry.key.second} << 32 | entry.known.weight;
  const std::uint64_t past = std::uint64_t{std::min(entry.known.depth, kDeepest)} << 16 | entry.met;
  words_[at].store(entry.key.first ^ sum ^ rest ^ past, std::memory_order_relaxed);
  words_[at + 1].store(sum, std::memory_order_relaxed);
  words_[at + 2].store(rest, std::memory_order_relaxed);
  words_[at + 3].store(past, std::memory_order_relaxed);
}

// What is met leaves its bucket last: the weight, halved for each generation since, and then who is nearer to a root. A
// weight that has aged away is still worth more than a free place.
std::uint64_t KnownPositions::worth(const Entry& entry) const {
  if (entry.known.weight == 0) return 0;
  const auto age = std::min<std::uint32_t>(static_cast<std::uint16_t>(generation() - entry.met), 31);
  return (std::uint64_t{entry.known.weight >> age} + 1) << 16 | (kDeepest - std::min(entry.known.depth, kDeepest));
}

KnownPositions::Known KnownPositions::find(StateKey key) const {
  const std::size_t bucket = bucket_of(key.first);
  for (std::size_t at = bucket; at < bucket + kBucket * kWords; at += kWords)
    if (const Entry entry = read(at, bucket); entry.known.weight > 0 && entry.key == key) return entry.known;
  return {};
}

void KnownPositions::add_known(StateKey key, Known more) {
  const std::size_t bucket = bucket_of(key.first);
  std::size_t place = bucket;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t at = bucket; at < bucket + kBucket * kWords; at += kWords) {
    Entry entry = read(at, bucket);
    if (entry.known.weight > 0 && entry.key == key) {
      if (entry.known.weight > kHeaviest - more.weight) return;
      entry.known.sum += more.sum;
      entry.known.weight += more.weight;
      entry.known.depth = std::min(entry.known.depth, more.depth);
      entry.met = generation();
      return write(at, entry);
    }
    if (const std::uint64_t worth = this->worth(entry); worth < least) {
      least = worth;
      place = at;
    }
  }
  write(place, {more, key, generation()});
}

std::size_t KnownPositions::size() const {
  std::size_t number = 0;
  for (std::size_t at = 0; at < words_.size(); at += kWords)
    number += read(at, at - at % (kBucket * kWords)).known.weight > 0;
  return number;
}

void KnownPositions::clear() {
  for (Word& word : words_) word.store(0, std::memory_order_relaxed);
}

std::vector<std::byte> KnownPositions::save(std::uint64_t identity) const {
  std::vector<Saved> positions;
  for (std::size_t at = 0; at < words_.size(); at += kWords) {
    const Entry entry = read(at, at - at % (kBucket * kWords));
    const Saved saved{entry.key.first, entry.key.second, entry.known.weight, entry.known.sum, entry.known.depth};
    if (is_sound(saved)) positions.push_back(saved);
  }
  const Head head{kMark, identity, positions.size()};
  std::vector<std::byte> bytes(sizeof head + positions.size() * sizeof(Saved));
  std::memcpy(bytes.data(), &head, sizeof head);
  if (!positions.empty()) std::memcpy(bytes.data() + sizeof head, positions.data(), positions.size() * sizeof(Saved));
  return bytes;
}

void KnownPositions::restore(std::span<const std::byte> saved) {
  positions_in(saved, 0);  // throws if they are none
  clear();
  load(saved);
}

// The heavier come last: of those that meet in a bucket they stay.
void KnownPositions::load(std::span<const std::byte> bytes, std::uint64_t identity) {
  std::vector<Saved> positions = positions_in(bytes, identity);
  std::stable_sort(positions.begin(), positions.end(),
                   [](const Saved& a, const Saved& b) { return a.weight < b.weight; });
  for (const Saved& saved : positions)
    add_known(StateKey(saved.first, saved.second), {saved.sum, saved.weight, static_cast<std::uint32_t>(saved.depth)});
}

}  // namespace tesuji
