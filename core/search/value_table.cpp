#include "search/value_table.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

#include "base/hashing.hpp"
#include "search/graph.hpp"

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

// Games may count their states instead of hashing them; the mixing is one to one. 0 marks a free slot.
std::uint64_t mixed(std::uint64_t key) { return std::max<std::uint64_t>(mix64(key), 1); }

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("the saved table is damaged: ") + what);
}

void check(const TableSnapshot& snapshot) {
  const std::size_t number = snapshot.key.size();
  require(snapshot.second.size() == number && snapshot.value.size() == number && snapshot.visits.size() == number &&
              snapshot.references.size() == number,
          "its columns have different lengths");
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max() - 1;
  require(snapshot.min_references >= 0 && snapshot.min_references <= kMost && snapshot.num_turned_away >= 0,
          "its threshold is out of range");
  for (std::size_t i = 0; i < number; ++i)
    require(snapshot.key[i] != 0 && snapshot.visits[i] >= 0 && snapshot.visits[i] <= kMost &&
                snapshot.references[i] >= 0 && snapshot.references[i] <= kMost && snapshot.value[i] >= 0 &&
                snapshot.value[i] <= snapshot.visits[i] * kOne,
            "a number is out of its range");
  std::vector<std::uint64_t> keys = snapshot.key;
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

ValueTable::ValueTable(std::size_t capacity, std::uint32_t min_references)
    : capacity_(capacity), num_slots_(std::bit_ceil(capacity + capacity / 2 + 16)), min_references_(min_references) {
  make_slots();
  entries_.reset(zeros<TableEntry>(capacity_ + 1));
}

void ValueTable::make_slots() {
  slots_.reset();
  slots_.reset(zeros<Slot>(num_slots_));
}

std::size_t ValueTable::bytes() const {
  return num_slots_ * sizeof(Slot) + (capacity_ + 1) * sizeof(TableEntry);
}

EntryId ValueTable::turn_away() {
  num_turned_away_.fetch_add(1, std::memory_order_relaxed);
  return kNoEntry;
}

// A slot's key is claimed by compare-and-swap and its entry published after it.
EntryId ValueTable::find_or_make(StateKey state, bool& was_there) {
  const std::uint64_t key = mixed(state.first);
  for (std::size_t at = key & (num_slots_ - 1);; at = (at + 1) & (num_slots_ - 1)) {
    Slot& slot = slots_[at];
    std::uint64_t found = slot.key.load(std::memory_order_acquire);
    if (found == 0) {
      was_there = false;
      if (size() >= capacity_) return turn_away();
      if (slot.key.compare_exchange_strong(found, key, std::memory_order_acq_rel)) return publish(slot, state.second);
    }
    if (found == key) {
      const EntryId id = published(slot, state.second);
      was_there = id != kNoEntry;
      return id;
    }
  }
}

EntryId ValueTable::find(StateKey state) const {
  const std::uint64_t key = mixed(state.first);
  std::size_t at = key & (num_slots_ - 1);
  while (slots_[at].key != 0 && slots_[at].key != key) at = (at + 1) & (num_slots_ - 1);
  const bool is_there = slots_[at].key == key && slots_[at].second == state.second && slots_[at].entry != kRefused;
  return is_there ? slots_[at].entry.load() : kNoEntry;
}

// The slot is ours. Others may have taken the last entries since we looked: then it stays without one.
EntryId ValueTable::publish(Slot& slot, std::uint32_t second) {
  slot.second = second;
  std::size_t before = num_entries_.load(std::memory_order_relaxed);
  while (before < capacity_ && !num_entries_.compare_exchange_weak(before, before + 1, std::memory_order_relaxed)) {
  }
  const EntryId id = before < capacity_ ? static_cast<EntryId>(before + 1) : kRefused;
  slot.entry.store(id, std::memory_order_release);
  return id == kRefused ? turn_away() : id;
}

EntryId ValueTable::published(const Slot& slot, std::uint32_t second) {
  EntryId id = kUnpublished;
  while ((id = slot.entry.load(std::memory_order_acquire)) == kUnpublished) {
  }
  if (slot.second != second) {
    num_collisions_.fetch_add(1, std::memory_order_relaxed);
    return kNoEntry;
  }
  return id == kRefused ? turn_away() : id;
}

std::vector<EntryId> ValueTable::drop_rare_entries() {
  if (num_turned_away() > turned_away_before_) ++min_references_;
  turned_away_before_ = num_turned_away();
  const TableSnapshot all = snapshot();
  std::vector<EntryId> renamed(all.key.size() + 1, kNoEntry);
  EntryId num_kept = 0;
  for (std::size_t i = 0; i < all.key.size(); ++i)
    if (all.references[i] >= min_references_) renamed[i + 1] = ++num_kept;
  fill(with_references(all, min_references_));
  return renamed;
}

// Entries in their order. Slots that were claimed in vain have none.
TableSnapshot ValueTable::snapshot() const {
  TableSnapshot all;
  const std::size_t number = size();
  all.key.resize(number);
  all.second.resize(number);
  for (std::size_t at = 0; at < num_slots_; ++at) {
    const EntryId id = slots_[at].entry.load(std::memory_order_relaxed);
    if (id == kUnpublished || id == kRefused) continue;
    all.key[id - 1] = slots_[at].key.load(std::memory_order_relaxed);
    all.second[id - 1] = slots_[at].second;
  }
  for (std::size_t i = 1; i <= number; ++i) {
    all.value.push_back(entries_[i].value.load(std::memory_order_relaxed));
    all.visits.push_back(entries_[i].visits.load(std::memory_order_relaxed));
    all.references.push_back(entries_[i].references.load(std::memory_order_relaxed));
  }
  all.min_references = min_references_;
  all.num_turned_away = static_cast<std::int64_t>(num_turned_away() - turned_away_before_);
  return all;
}

void ValueTable::fill(const TableSnapshot& snapshot) {
  make_slots();
  for (std::size_t i = 0; i < snapshot.key.size(); ++i) {
    std::size_t at = snapshot.key[i] & (num_slots_ - 1);
    while (slots_[at].key.load(std::memory_order_relaxed) != 0) at = (at + 1) & (num_slots_ - 1);
    slots_[at].key = snapshot.key[i];
    slots_[at].second = snapshot.second[i];
    slots_[at].entry = static_cast<EntryId>(i + 1);
    entries_[i + 1].value = snapshot.value[i];
    entries_[i + 1].visits = static_cast<std::uint32_t>(snapshot.visits[i]);
    entries_[i + 1].references = static_cast<std::uint32_t>(snapshot.references[i]);
  }
  for (std::size_t i = snapshot.key.size() + 1; i <= size(); ++i) {
    entries_[i].value = 0;
    entries_[i].visits = 0;
    entries_[i].references = 0;
  }
  num_entries_ = snapshot.key.size();
}

void ValueTable::restore(const TableSnapshot& snapshot) {
  check(snapshot);
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
