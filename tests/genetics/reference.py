"""The classifier of 5.5.2 once more, as plainly as it can be written: the second opinion on the native one."""

from __future__ import annotations

import math


def values_by_draw(copies, labels, groups, draws, model, pseudocount=0.5, unclassified=0.05):
    """Right ones among the classified, for each draw; `copies` is [snp][individual], missing ones are negative."""
    found = []
    for learning, test in draws:
        table = {}
        for snp in model:
            for k in range(groups):
                seen = [copies[snp][i] for i in learning if labels[i] == k and copies[snp][i] >= 0]
                for g in range(3):
                    p = (seen.count(g) + pseudocount) / (len(seen) + 3 * pseudocount)
                    table[snp, k, g] = round(math.log(p) * 4096)  # whole multiples of 2^-12
        people = []
        for i in test:
            sums = [sum(table[snp, k, copies[snp][i]] for snp in model if copies[snp][i] >= 0) for k in range(groups)]
            best = max(range(groups), key=lambda k: (sums[k], -k))  # the first of equals
            second = max(sums[k] for k in range(groups) if k != best)
            people.append((sums[best] - second, best == labels[i]))
        out = int(unclassified * len(people) + 1e-9)
        limit = sorted(confidence for confidence, _ in people)[out]
        above = [right for confidence, right in people if confidence > limit]
        at = [right for confidence, right in people if confidence == limit]
        found.append(sum(above) + sum(at) * (len(people) - out - len(above)) / len(at))
    return found


def log_likelihoods(copies, labels, groups, learning, test, model, pseudocount=0.5):
    """[individual of the test][group], in nats."""
    found = []
    for i in test:
        sums = [0.0] * groups
        for snp in model:
            for k in range(groups):
                seen = [copies[snp][j] for j in learning if labels[j] == k and copies[snp][j] >= 0]
                if copies[snp][i] >= 0:
                    p = (seen.count(copies[snp][i]) + pseudocount) / (len(seen) + 3 * pseudocount)
                    sums[k] += math.log(p)
        found.append(sums)
    return found
