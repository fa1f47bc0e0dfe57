"""Pictures of a tree: as text, and as SVG."""

from html import escape

from broadsheet.learning.c45._labels import Labels
from broadsheet.learning.c45._tree import DecisionTree

#: Sizes in the picture, in user units.
CHARACTER, BOX_HEIGHT, LEVEL, MARGIN, PADDING = 7, 26, 84, 12, 12

STYLE = (
    "text{font:12px monospace;text-anchor:middle;dominant-baseline:central;fill:#222}"
    "rect{stroke:#555;fill:#fff}rect.leaf{fill:#e8f0e4}line{stroke:#999}text.edge{fill:#555;stroke:#fff;stroke-width:4px;paint-order:stroke}"
)


def draw_text(tree: DecisionTree, labels: Labels) -> str:
    """Draw a tree as text, one line per branch, with leaves at the end of their lines."""
    if tree.is_leaf(0):
        return f": {labels.verdict(tree, 0, 0)}"
    lines = []
    waiting = [(0, branch, 0) for branch in reversed(range(len(tree.children(0))))]
    while waiting:
        node, branch, depth = waiting.pop()
        child = tree.children(node)[branch]
        line = f"{'|   ' * depth}{labels.feature(tree, node)} {labels.outcome(tree, node, branch)}"
        if tree.is_leaf(child):
            line += f": {labels.verdict(tree, child, node)}"
        else:
            waiting.extend((child, next_, depth + 1) for next_ in reversed(range(len(tree.children(child)))))
        lines.append(line)
    return "\n".join(lines)


def draw_svg(tree: DecisionTree, labels: Labels) -> str:
    """Draw a tree from the top down: leaves side by side, each test above the middle of its branches."""
    words, outcomes = _words(tree, labels)
    middle, depth, width = _layout(tree, words, outcomes)
    height = MARGIN * 2 + BOX_HEIGHT + max(depth.values()) * LEVEL
    lines, boxes = [], []
    for node, text in words.items():
        x, y = middle[node], MARGIN + depth[node] * LEVEL + BOX_HEIGHT / 2
        lines += [
            f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{middle[child]:.1f}" y2="{y + LEVEL:.1f}"/>'
            for child in tree.children(node)
        ]
        if node in outcomes:
            boxes.append(f'<text class="edge" x="{x:.1f}" y="{y - BOX_HEIGHT:.1f}">{escape(outcomes[node])}</text>')
        wide = _width(text)
        kind = ' class="leaf"' if tree.is_leaf(node) else ""
        boxes.append(
            f'<rect{kind} x="{x - wide / 2:.1f}" y="{y - BOX_HEIGHT / 2:.1f}" width="{wide}" height="{BOX_HEIGHT}"/>'
            f'<text x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
        f' height="{height:.0f}"><style>{STYLE}</style>\n' + "\n".join([*lines, *boxes]) + "\n</svg>\n"
    )


def _words(tree: DecisionTree, labels: Labels) -> tuple[dict[int, str], dict[int, str]]:
    """Return the text of each node's box, parents first, and the outcome that leads to it."""
    words, outcomes = {}, {}
    parent = {0: 0}
    for node in tree.below(0):
        for branch, child in enumerate(tree.children(node)):
            parent[child] = node
            outcomes[child] = labels.outcome(tree, node, branch)
        verdict = tree.is_leaf(node)
        words[node] = labels.verdict(tree, node, parent[node]) if verdict else labels.feature(tree, node)
    return words, outcomes


def _layout(
    tree: DecisionTree, words: dict[int, str], outcomes: dict[int, str]
) -> tuple[dict[int, float], dict[int, int], float]:
    """Return the middle and depth of each node, and the width of the picture."""
    room = {node: max(_width(text), _width(outcomes.get(node, ""))) for node, text in words.items()}
    depth = {0: 0}
    middle: dict[int, float] = {}
    right = float(MARGIN)
    for node, wide in room.items():
        depth.update(dict.fromkeys(tree.children(node), depth[node] + 1))
        if tree.is_leaf(node):
            middle[node] = right + wide / 2
            right += wide + PADDING
    for node in reversed(words):
        if children := tree.children(node):
            middle[node] = (middle[children[0]] + middle[children[-1]]) / 2
    # A long test above a narrow tree may be wider than the tree.
    out_left = min(middle[node] - wide / 2 for node, wide in room.items()) - MARGIN
    out_right = max(middle[node] + wide / 2 for node, wide in room.items()) + MARGIN
    shift = max(-out_left, 0.0)
    return {node: x + shift for node, x in middle.items()}, depth, out_right + shift


def _width(text: str) -> int:
    """Return the width of a box."""
    return len(text) * CHARACTER + PADDING
