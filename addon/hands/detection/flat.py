# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains for skeletons whose joints are all siblings: each joint's frame points at the next joint of its finger."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray
from .tree import Tree, reduce_tree

MIN_JOINTS = 8
MAX_JOINTS = 60
AIM = 0.94
"""Cosine of the widest angle between a joint's axis and the way to the next joint: 20 degrees."""


@dataclass(frozen=True, eq=False)
class Relinked:
    """A flat skeleton with a hierarchy guessed for it."""

    tree: Tree
    """The joints, each below the one that points at it, fingers below the wrist."""
    kept: list[int]
    """Number of each joint in the flat skeleton."""


def relink(tree: Tree) -> list[Relinked]:
    """Hierarchies for all groups of sibling joints that look like the joints of several fingers."""
    groups: dict[int, list[int]] = {}
    for bone, parent in enumerate(tree.skeleton.parents):
        if not tree.children[bone]:
            groups.setdefault(int(parent), []).append(bone)
    found = [_relink_group(tree, bones) for bones in groups.values() if MIN_JOINTS <= len(bones) <= MAX_JOINTS]
    return [each for each in found if each is not None]


def _relink_group(tree: Tree, bones: list[int]) -> Relinked | None:
    heads, rotations = tree.skeleton.heads[bones], tree.skeleton.rotations[bones]
    axes = [sign * rotations[:, :, column] for column in range(3) for sign in (1.0, -1.0)]
    # The axis along the fingers is the one by which most joints find a next one, by the shortest ways. Its opposite
    # does as well, but fingers come together at the wrist.
    options = [links for links in (_aim(heads, axis) for axis in axes) if _spreads(heads, links)]
    if not options:
        return None
    links = max(options, key=lambda links: (len(links), -_length(heads, links)))
    chains = _chains(links, len(bones))
    fingers = [chain for chain in chains if len(chain) > 2]
    if len(fingers) < 2:
        return None
    wrist = _pick_wrist(heads, fingers, [chain[0] for chain in chains if len(chain) == 1])
    fingers = [[joint for joint in chain if joint != wrist] for chain in fingers]
    order = [wrist, *(joint for chain in fingers for joint in chain)]
    above = {joint: before for chain in fingers for before, joint in zip([wrist, *chain], chain, strict=False)}
    parents = np.array([-1, *(order.index(above[joint]) for joint in order[1:])])
    kept = [bones[joint] for joint in order]
    return Relinked(reduce_tree(tree, kept, parents=parents), kept)


def _aim(heads: FloatArray, axis: FloatArray) -> dict[int, int]:
    """The joint that each joint points at, nearest pairs first; no joint is pointed at twice."""
    ways = heads[None] - heads[:, None]
    lengths = np.linalg.norm(ways, axis=2)
    np.fill_diagonal(lengths, np.inf)
    aims = np.einsum("ijk,ik->ij", ways, axis) > AIM * lengths
    costs = np.where(aims, lengths, np.inf)
    links: dict[int, int] = {}
    taken: set[int] = set()
    for place in np.argsort(costs, axis=None, kind="stable"):
        joint, target = divmod(int(place), len(heads))
        if not np.isfinite(costs[joint, target]):
            break
        if joint not in links and target not in taken:
            links[joint] = target
            taken.add(target)
    return links


def _spreads(heads: FloatArray, links: dict[int, int]) -> bool:
    """Whether the ends of the chains lie farther apart than their starts."""
    chains = [chain for chain in _chains(links, len(heads)) if len(chain) > 2]
    if len(chains) < 2:
        return False
    starts, ends = heads[[chain[0] for chain in chains]], heads[[chain[-1] for chain in chains]]
    return float(np.linalg.norm(ends - ends.mean(axis=0))) > float(np.linalg.norm(starts - starts.mean(axis=0)))


def _length(heads: FloatArray, links: dict[int, int]) -> float:
    return float(sum(np.linalg.norm(heads[joint] - heads[target]) for joint, target in links.items()))


def _chains(links: dict[int, int], count: int) -> list[list[int]]:
    chains: list[list[int]] = []
    for start in sorted(set(range(count)) - set(links.values())):
        chain = [start]
        while chain[-1] in links:
            chain.append(links[chain[-1]])
        chains.append(chain)
    return chains


def _pick_wrist(heads: FloatArray, fingers: list[list[int]], singles: list[int]) -> int:
    """The joint outside the fingers, or at the root of one, that lies farthest from all fingertips."""
    tips = heads[[chain[-1] for chain in fingers]].mean(axis=0)
    roots = [*singles, *(chain[0] for chain in fingers)]
    return max(roots, key=lambda joint: float(np.linalg.norm(heads[joint] - tips)))
