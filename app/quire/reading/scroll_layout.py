"""Vertical positions of the passages of a long text, of which only the visible ones are laid out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence


class Heights:
    """Heights of stacked items with their sums in a Fenwick tree, so that queries and changes are fast."""

    def __init__(self, heights: Sequence[int]) -> None:
        self._heights = list(heights)
        self._sums = [0, *self._heights]
        for place in range(1, len(self._sums)):
            above = place + (place & -place)
            if above < len(self._sums):
                self._sums[above] += self._sums[place]

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> int:
        return self._heights[index]

    def __setitem__(self, index: int, height: int) -> None:
        more = height - self._heights[index]
        self._heights[index] = height
        place = index + 1
        while place < len(self._sums):
            self._sums[place] += more
            place += place & -place

    @property
    def total(self) -> int:
        """Return the sum of all heights."""
        return self.before(len(self))

    def before(self, index: int) -> int:
        """Return the sum of the heights before an item."""
        total = 0
        while index:
            total += self._sums[index]
            index -= index & -index
        return total

    def index_at(self, y: int) -> int:
        """Return the item at a distance from the top, or the nearest one."""
        place, step = 0, 1 << len(self._sums).bit_length()
        while step:
            further = place + step
            if further < len(self._sums) and self._sums[further] <= y:
                place, y = further, y - self._sums[further]
            step >>= 1
        return min(place, max(len(self) - 1, 0))


class ReadingFlow:
    """Stacked passages, and the visible part of them.

    The scroll position is a passage and its distance above the top edge, so that measuring does not move what
    is visible.

    Args:
        estimates: the estimated height of each.
        measure: lays one out and returns its height.
    """

    def __init__(self, estimates: Sequence[int], measure: Callable[[int], int], view_px: int) -> None:
        self._heights = Heights(estimates)
        self._measure = measure
        self._measured = bytearray(len(estimates))
        self._view_px = view_px
        self._index = 0
        self._above_px = 0

    # ------------------------------------------------------------ queries
    @property
    def index(self) -> int:
        """Return the passage at the top edge."""
        return self._index

    @property
    def above_px(self) -> int:
        """Return how much of that passage is above the edge."""
        return self._above_px

    @property
    def top(self) -> int:
        """Return the distance of the view from the beginning, as far as heights are known."""
        return self._heights.before(self._index) + self._above_px

    @property
    def furthest(self) -> int:
        """Return the maximum scroll position."""
        return max(self._heights.total - self._view_px, 0)

    @property
    def num_measured(self) -> int:
        """Return how many passages have been laid out."""
        return sum(self._measured)

    def visible(self) -> Iterator[tuple[int, int]]:
        """Yield the visible passages with their distances from the top edge."""
        y, index = -self._above_px, self._index
        while index < len(self._heights) and y < self._view_px:
            height = self._height(index)  # measured before it is drawn
            yield index, y
            y, index = y + height, index + 1

    # ------------------------------------------------------------ input
    def set_view(self, view_px: int) -> None:
        """Set the height of the view; its top edge stays in place."""
        self._view_px = view_px
        self._settle()

    def scroll_by(self, px: int) -> None:
        """Scroll by exact pixels of laid-out text."""
        self._above_px += px
        self._settle()

    def scroll_to(self, y: int) -> None:
        """Scroll to a height of the whole, which is estimated where nothing was laid out yet."""
        if not len(self._heights):
            return
        self._index = self._heights.index_at(max(y, 0))
        before = max(y, 0) - self._heights.before(self._index)
        self._above_px = min(before, max(self._height(self._index) - 1, 0))
        self._settle()

    def show(self, index: int, above_px: int = 0) -> None:
        """Scroll a passage to the top edge.

        Args:
            index: the passage.
            above_px: how much of it is above the edge; negative: below it.
        """
        if len(self._heights):
            self._index, self._above_px = min(max(index, 0), len(self._heights) - 1), above_px
            self._settle()

    # ------------------------------------------------------------ inside
    def _height(self, index: int) -> int:
        if not self._measured[index]:
            self._measured[index] = True
            self._heights[index] = self._measure(index)
        return self._heights[index]

    def _settle(self) -> None:
        """Normalize the passage at the edge, and keep the end of the text within the view."""
        self._go_up()
        while self._index < len(self._heights) - 1 and self._above_px >= self._height(self._index):
            self._above_px -= self._height(self._index)
            self._index += 1
        below, index = -self._above_px, self._index
        while index < len(self._heights) and below < self._view_px:
            below, index = below + self._height(index), index + 1
        if below < self._view_px:
            self._above_px -= self._view_px - below
            self._go_up()

    def _go_up(self) -> None:
        while self._above_px < 0 and self._index > 0:
            self._index -= 1
            self._above_px += self._height(self._index)
        self._above_px = max(self._above_px, 0)
