"""The draft tree of one step: what was guessed, how likely it seemed, and what the model accepted of it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from quire.theme.text_size import scaled
from quire.theme.theme_switch import ThemeSwitch
from quire_engine.api.guess_tree import GuessTree

_ROW_PX, _MOST_ROW_PX, _MARGIN_PX, _GAP_PX = 18.0, 36.0, 16.0, 8.0
_LONGEST_TEXT = 18


class GuessTreeView(QWidget):
    """Draws a draft tree from left to right, a column for every token guessed ahead."""

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Draft tree"))
        self._themes = themes
        self._tree: GuessTree | None = None
        themes.changed.connect(self.update)
        self.show_tree(None)

    @property
    def tree(self) -> GuessTree | None:
        """Return the tree that is drawn, if there is one."""
        return self._tree

    @property
    def summary(self) -> str:
        """Return what can be seen, in a sentence."""
        if self._tree is None:
            return self.tr("A draft tree appears when a step of your next draft guesses ahead.")
        num_accepted, num_guessed = len(self._tree.accepted), len(self._tree.texts) - 1
        return self.tr("In this step the model accepted {0} of {1} draft tokens.").format(
            num_accepted, num_guessed
        )

    def show_tree(self, tree: GuessTree | None) -> None:
        """Draw another tree, or none."""
        self._tree = tree
        self.setAccessibleDescription(self.summary)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw branches and then tokens; what is likelier is above."""
        del event
        tree = self._tree
        if tree is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        places = self._places(tree)
        boxes = {node: self._box(tree, node, place) for node, place in places.items()}
        for node, box in boxes.items():
            if tree.parents[node] >= 0:
                self._draw_branch(painter, tree, node, boxes[tree.parents[node]], box)
        for node, box in boxes.items():
            painter.setFont(self._font(tree, node))
            painter.setPen(self._colour(tree, node))
            painter.drawText(
                box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, label_of(tree, node)
            )
        painter.end()

    def _places(self, tree: GuessTree) -> dict[int, QPointF]:
        """Return the left middle of every node that there is room for."""
        nodes = fitting(tree, max(1, int((self.height() - _MARGIN_PX) // scaled(_ROW_PX))))
        rows = rows_of(tree, nodes)
        depths = depths_of(tree)
        column = (self.width() - 2 * _MARGIN_PX) / (1 + max(depths[node] for node in nodes))
        lowest = max(rows.values())
        row = min(scaled(_MOST_ROW_PX), (self.height() - _MARGIN_PX) / (1 + lowest))
        top = (self.height() - lowest * row) / 2
        return {node: QPointF(_MARGIN_PX + depths[node] * column, top + rows[node] * row) for node in nodes}

    def _box(self, tree: GuessTree, node: int, place: QPointF) -> QRectF:
        width = QFontMetricsF(self._font(tree, node)).horizontalAdvance(label_of(tree, node)) + 2
        return QRectF(place.x(), place.y() - scaled(_ROW_PX) / 2, width, scaled(_ROW_PX))

    def _draw_branch(self, painter: QPainter, tree: GuessTree, node: int, above: QRectF, box: QRectF) -> None:
        begin = QPointF(above.right() + _GAP_PX / 2, above.center().y())
        end = QPointF(box.left() - _GAP_PX / 2, box.center().y())
        middle = (begin.x() + end.x()) / 2
        path = QPainterPath(begin)
        path.cubicTo(QPointF(middle, begin.y()), QPointF(middle, end.y()), end)
        painter.setPen(QPen(self._colour(tree, node), 2.0 if node in tree.accepted else 1.0))
        painter.drawPath(path)

    def _font(self, tree: GuessTree, node: int) -> QFont:
        font = QFont(self.font())
        font.setBold(node == 0 or node in tree.accepted)  # never by colour alone
        return font

    def _colour(self, tree: GuessTree, node: int) -> QColor:
        tokens = self._themes.tokens
        if node == 0:
            return QColor(tokens.ink)
        return QColor(tokens.accent if node in tree.accepted else tokens.soft_ink)


def label_of(tree: GuessTree, node: int) -> str:
    """Return a node's text on one line, and how likely its path seemed."""
    text = tree.texts[node].strip(" ").replace("\n", "⏎") or "␣"
    if len(text) > _LONGEST_TEXT:
        text = text[: _LONGEST_TEXT - 1] + "…"
    return text if node == 0 else f"{text}  {tree.chances[node]:.0%}"


def depths_of(tree: GuessTree) -> list[int]:
    """Return how many tokens each node is ahead of the text."""
    depths: list[int] = []
    for parent in tree.parents:
        depths.append(0 if parent < 0 else depths[parent] + 1)
    return depths


def fitting(tree: GuessTree, most_leaves: int) -> list[int]:
    """Return the nodes to draw with room for so many leaves: accepted ones first, then the likeliest."""
    order = sorted(
        range(1, len(tree.parents)), key=lambda node: (node not in tree.accepted, -tree.chances[node], node)
    )
    kept = {0}
    for node in order:  # a parent is likelier than its child, so it comes first
        if tree.parents[node] not in kept:
            continue
        inner = {tree.parents[each] for each in (*kept, node)}
        if len({*kept, node} - inner) <= most_leaves:
            kept.add(node)
    return sorted(kept)


def rows_of(tree: GuessTree, nodes: list[int]) -> dict[int, float]:
    """Return the row of every node: leaves below one another, the others in the middle of their children."""
    children: dict[int, list[int]] = {node: [] for node in nodes}
    for node in nodes:
        if tree.parents[node] >= 0:
            children[tree.parents[node]].append(node)
    rows = {node: float(place) for place, node in enumerate(_leaves_in_order(children))}
    for node in reversed(nodes):
        if children[node]:
            below = [rows[child] for child in children[node]]
            rows[node] = (min(below) + max(below)) / 2
    return rows


def _leaves_in_order(children: dict[int, list[int]]) -> list[int]:
    leaves, left = list[int](), [0]
    while left:
        node = left.pop()
        if children[node]:
            left += reversed(children[node])
        else:
            leaves.append(node)
    return leaves
