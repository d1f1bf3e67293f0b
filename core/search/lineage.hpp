// The parents of nodes, for the graph mode that tells all ancestors of every result (multipath). One thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "search/state_index.hpp"

namespace tesuji {

class Lineage {
 public:
  // Bytes for a node and for one of its parents.
  static constexpr std::size_t kBytesPerNode = 8, kBytesPerLink = 8;

  void clear() {
    nodes_.clear();
    links_.assign(1, {});
  }
  std::size_t num_links() const { return links_.size() - 1; }

  void add(NodeId child, NodeId parent) {
    if (nodes_.size() <= child) nodes_.resize(child + std::size_t{1});
    links_.push_back({parent, nodes_[child].first_link});
    nodes_[child].first_link = static_cast<std::uint32_t>(links_.size() - 1);
  }

  // Calls `update(node)` once for each node of `path` and each of its ancestors, but for at most `most` off the path.
  // False if there are more.
  template <class F>
  bool for_each_ancestor(std::span<const NodeId> path, std::size_t most, const F& update) {
    const std::uint32_t mark = ++last_mark_;  // 2^32 simulations later a stale mark may spare a node one update
    open_.assign(path.begin(), path.end());
    for (const NodeId id : path) {
      if (nodes_.size() <= id) nodes_.resize(id + std::size_t{1});
      if (std::exchange(nodes_[id].mark, mark) != mark) update(id);
    }
    std::size_t num_found = 0;
    for (std::size_t next = 0; next < open_.size(); ++next) {
      for (std::uint32_t at = nodes_[open_[next]].first_link; at != 0; at = links_[at].next) {
        const NodeId parent = links_[at].parent;
        if (nodes_.size() <= parent) nodes_.resize(parent + std::size_t{1});
        if (nodes_[parent].mark == mark) continue;
        if (num_found++ == most) return false;
        nodes_[parent].mark = mark;
        update(parent);
        open_.push_back(parent);
      }
    }
    return true;
  }

 private:
  struct Link {
    NodeId parent = kNoNode;
    std::uint32_t next = 0;  // 0: none
  };
  struct Known {
    std::uint32_t first_link = 0;  // 0: none
    std::uint32_t mark = 0;        // the last update that met the node
  };
  static_assert(sizeof(Known) == kBytesPerNode && sizeof(Link) == kBytesPerLink);

  std::vector<Known> nodes_;
  std::vector<Link> links_{1};
  std::vector<NodeId> open_;
  std::uint32_t last_mark_ = 0;
};

}  // namespace tesuji
