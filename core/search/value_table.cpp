#include "search/value_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>

#include "base/hashing.hpp"
#include "search/graph.hpp"
#include "search/numbers.hpp"

namespace tesuji {

namespace {

// Zeros that the system makes page by page as they are touched: an empty table costs nothing.
template <class T>
T* zeros(std::size_t number) {
  void* const memory = std::calloc(number, sizeof(T));
  if (memory == nullptr)
    throw std::invalid_argument("cannot reserve " + std::to_string(number * sizeof(T)) +
                                " bytes for the table of shared values; lower table_entries");
  return static_cast<T*>(memory);
}

// Games may count their states instead of hashing them; the mixing is one to one. The low half says where a state's
// slots begin, the high half stands in the slot.
constexpr std::uint64_t kHighHalf = ~std::uint64_t{0xFFFFFFFF};
std::uint64_t slot_word(std::uint64_t first, EntryId id) { return (mix64(first) & kHighHalf) | id; }
EntryId entry_in(std::uint64_t word) { return static_cast<EntryId>(word); }

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("the saved table is damaged: ") + what);
}

void check(const TableSnapshot& snapshot, bool has_numbers) {
  const std::size_t number = snapshot.key.size();
  require(snapshot.second.size() == number && snapshot.value.size() == number && snapshot.visits.size() == number &&
              snapshot.references.size() == number,
          "its columns have different lengths");
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max() - 1;
  require(snapshot.min_references >= 0 && snapshot.min_references <= kMost && snapshot.num_turned_away >= 0,
          "its threshold is out of range");
  for (std::size_t i = 0; i < number; ++i)
    require(snapshot.visits[i] >= 0 && snapshot.visits[i] <= kMost && snapshot.references[i] >= 0 &&
                snapshot.references[i] <= kMost &&
                (has_numbers ? std::isfinite(as_number(snapshot.value[i]))
                             : snapshot.value[i] >= 0 && snapshot.value[i] <= snapshot.visits[i] * kOne),
            "a number is out of its range");
  std::vector<std::uint64_t> keys;
  for (std::size_t i = 0; i < number; ++i)
    if (snapshot.references[i] > 0) keys.push_back(snapshot.key[i]);
  std::sort(keys.begin(), keys.end());
  require(std::adjacent_find(keys.begin(), keys.end()) == keys.end(), "a state is there twice");
}

TableSnapshot with_references(const TableSnapshot& all, std::int64_t least) {
  TableSnapshot kept;
  for (std::size_t i = 0; i < all.key.size(); ++i) {
    if (all.references[i] < least) continue;
    kept.key.push_back(all.key[i]);
    kept.second.push_back(all.second[i]);
    kept.value.push_back(all.value[i]);
    kept.visits.push_back(all.visits[i]);
    kept.references.push_back(all.references[i]);
  }
  return kept;
}

}  // namespace

ValueTable::ValueTable(std::size_t capacity, std::uint32_t min_references, bool has_threads, bool has_numbers)
    : capacity_(capacity), grows_(!has_threads), has_numbers_(has_numbers), min_references_(min_references) {
  make_slots(num_slots_for(grows_ ? 0 : capacity_));
  entries_.reset(zeros<TableEntry>(capacity_ + 1));
  names_.reset(zeros<Name>(capacity_ + 1));
}

std::size_t ValueTable::num_slots_for(std::size_t num_entries) {
  return std::bit_ceil(std::max<std::size_t>(num_entries + num_entries / 2, 1024));
}

void ValueTable::make_slots(std::size_t num_slots) {
  slots_.reset();
  slots_.reset(zeros<std::atomic<std::uint64_t>>(num_slots));
  num_slots_ = num_slots;
}

// One more entry will come.
void ValueTable::make_room() {
  const std::size_t number = size();
  if (!grows_ || num_slots_for(number + 1) <= num_slots_) return;
  make_slots(num_slots_ * 2);
  for (std::size_t id = 1; id <= number; ++id)
    if (entries_[id].references > 0) put(names_[id].first, static_cast<EntryId>(id));
}

std::size_t ValueTable::bytes() const {
  return num_slots_ * sizeof(slots_[0]) + (capacity_ + 1) * (sizeof(TableEntry) + sizeof(Name));
}

std::size_t ValueTable::first_slot(std::uint64_t first) const { return mix64(first) & (num_slots_ - 1); }

void ValueTable::prefetch([[maybe_unused]] std::uint64_t hash) const {
#if defined(__GNUC__)
  __builtin_prefetch(&slots_[first_slot(hash)]);
#endif
}

// From `slot` on. Slots are never freed while threads work, so what was looked at need not be looked at again.
ValueTable::Place ValueTable::place_of(std::uint64_t first, std::size_t slot) const {
  const std::uint64_t half = slot_word(first, kNoEntry);
  for (;; slot = (slot + 1) & (num_slots_ - 1)) {
    const std::uint64_t word = slots_[slot].load(std::memory_order_acquire);
    if (word == 0) return {slot, kNoEntry};
    if ((word & kHighHalf) == half && names_[entry_in(word)].first == first) return {slot, entry_in(word)};
  }
}

EntryId ValueTable::find(StateKey key) const {
  const EntryId id = place_of(key.first, first_slot(key.first)).entry;
  return names_[id].second == key.second ? id : kNoEntry;
}

EntryId ValueTable::find_or_make(StateKey key, bool& was_there) {
  was_there = false;
  make_room();
  EntryId made = kNoEntry;
  Place place = place_of(key.first, first_slot(key.first));
  while (place.entry == kNoEntry) {
    if (made == kNoEntry && (made = make(key)) == kNoEntry) return turn_away();
    std::uint64_t free = 0;
    if (slots_[place.slot].compare_exchange_strong(free, slot_word(key.first, made), std::memory_order_acq_rel))
      return made;
    place = place_of(key.first, place.slot);  // another thread was faster; if with this state, ours stays a spare
  }
  was_there = names_[place.entry].second == key.second;
  if (was_there) return place.entry;
  num_collisions_.fetch_add(1, std::memory_order_relaxed);
  return kNoEntry;
}

// The next entry, which nobody finds yet.
EntryId ValueTable::make(StateKey key) {
  std::size_t before = num_entries_.load(std::memory_order_relaxed);
  do {
    if (before == capacity_) return kNoEntry;
  } while (!num_entries_.compare_exchange_weak(before, before + 1, std::memory_order_relaxed));
  names_[before + 1] = {key.first, key.second};
  return static_cast<EntryId>(before + 1);
}

EntryId ValueTable::turn_away() {
  num_turned_away_.fetch_add(1, std::memory_order_relaxed);
  return kNoEntry;
}

std::vector<EntryId> ValueTable::drop_rare_entries() {
  if (num_turned_away() > turned_away_before_) ++min_references_;
  const std::int64_t least = std::max(1u, min_references_);  // nobody refers to a spare
  turned_away_before_ = num_turned_away();
  const TableSnapshot all = snapshot();
  std::vector<EntryId> renamed(all.key.size() + 1, kNoEntry);
  EntryId num_kept = 0;
  for (std::size_t i = 0; i < all.key.size(); ++i)
    if (all.references[i] >= least) renamed[i + 1] = ++num_kept;
  fill(with_references(all, least));
  return renamed;
}

TableSnapshot ValueTable::snapshot() const {
  TableSnapshot all;
  for (std::size_t i = 1; i <= size(); ++i) {
    all.key.push_back(names_[i].first);
    all.second.push_back(names_[i].second);
    all.value.push_back(entries_[i].value.load(std::memory_order_relaxed));
    all.visits.push_back(entries_[i].visits.load(std::memory_order_relaxed));
    all.references.push_back(entries_[i].references.load(std::memory_order_relaxed));
  }
  all.min_references = min_references_;
  all.num_turned_away = static_cast<std::int64_t>(num_turned_away() - turned_away_before_);
  return all;
}

void ValueTable::put(std::uint64_t first, EntryId id) {
  slots_[place_of(first, first_slot(first)).slot].store(slot_word(first, id), std::memory_order_relaxed);
}

void ValueTable::fill(const TableSnapshot& snapshot) {
  make_slots(grows_ ? num_slots_for(snapshot.key.size()) : num_slots_);
  for (std::size_t i = 0; i < snapshot.key.size(); ++i) {
    const auto id = static_cast<EntryId>(i + 1);
    names_[id] = {snapshot.key[i], snapshot.second[i]};
    entries_[id].value = snapshot.value[i];
    entries_[id].visits = static_cast<std::uint32_t>(snapshot.visits[i]);
    entries_[id].references = static_cast<std::uint32_t>(snapshot.references[i]);
    if (snapshot.references[i] > 0) put(snapshot.key[i], id);
  }
  for (std::size_t id = snapshot.key.size() + 1; id <= size(); ++id) new (&entries_[id]) TableEntry;
  num_entries_ = snapshot.key.size();
}

void ValueTable::restore(const TableSnapshot& snapshot) {
  check(snapshot, has_numbers_);
  std::int64_t least = snapshot.min_references;
  if (snapshot.key.size() > capacity_) {
    std::vector<std::int64_t> references = snapshot.references;
    const auto first_out = references.begin() + static_cast<std::ptrdiff_t>(capacity_);
    std::nth_element(references.begin(), first_out, references.end(), std::greater<>());
    least = std::max(least, *first_out + 1);
    fill(with_references(snapshot, least));
  } else {
    fill(snapshot);
  }
  min_references_ = static_cast<std::uint32_t>(least);
  num_turned_away_ = static_cast<std::uint64_t>(snapshot.num_turned_away);
  turned_away_before_ = 0;
}

}  // namespace tesuji
