"""Where the pieces of a long text stand below one another while only those that are seen are laid out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence


class Heights:
    """Heights of things below one another, and their sums in a tree (Fenwick's), so that both are quick."""

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
        """All of them together."""
        return self.before(len(self))

    def before(self, index: int) -> int:
        """Return the heights of everything before one of them."""
        total = 0
        while index:
            total += self._sums[index]
            index -= index & -index
        return total

    def index_at(self, y: int) -> int:
        """Return the one that reaches over a height from the top; the first or the last where none does."""
        place, step = 0, 1 << len(self._sums).bit_length()
        while step:
            further = place + step
            if further < len(self._sums) and self._sums[further] <= y:
                place, y = further, y - self._sums[further]
            step >>= 1
        return min(place, max(len(self) - 1, 0))


class ReadingFlow:
    """Pieces below one another, and the part of them that is seen.

    estimates: how high each may be. measure: lays one out and returns how high it is. Whatever is measured,
    what is seen stays where it is: the place of the view is a piece and how far that is above the top edge.
    """

    def __init__(self, estimates: Sequence[int], measure: Callable[[int], int], view_px: int) -> None:
        self._heights = Heights(estimates)
        self._measure = measure
        self._measured = bytearray(len(estimates))
        self._view_px = view_px
        self._index = 0
        self._above_px = 0

    # ------------------------------------------------------------ what it can be asked
    @property
    def index(self) -> int:
        """The piece at the top edge."""
        return self._index

    @property
    def above_px(self) -> int:
        """How much of that piece is above the edge."""
        return self._above_px

    @property
    def top(self) -> int:
        """How far the view is from the beginning, as far as the heights are known."""
        return self._heights.before(self._index) + self._above_px

    @property
    def furthest(self) -> int:
        """How far it can go."""
        return max(self._heights.total - self._view_px, 0)

    @property
    def num_measured(self) -> int:
        """How many pieces have been laid out."""
        return sum(self._measured)

    def visible(self) -> Iterator[tuple[int, int]]:
        """Yield the pieces that are seen, and how far below the top edge each begins."""
        y, index = -self._above_px, self._index
        while index < len(self._heights) and y < self._view_px:
            height = self._height(index)  # measured before it is drawn
            yield index, y
            y, index = y + height, index + 1

    # ------------------------------------------------------------ what it is told
    def set_view(self, view_px: int) -> None:
        """Take how high the view is; its top edge stays where it is."""
        self._view_px = view_px
        self._settle()

    def scroll_by(self, px: int) -> None:
        """Go down, or up, by exactly so much of what is laid out."""
        self._above_px += px
        self._settle()

    def scroll_to(self, y: int) -> None:
        """Go to a height of the whole, which is a guess where nothing was laid out yet."""
        if not len(self._heights):
            return
        self._index = self._heights.index_at(max(y, 0))
        before = max(y, 0) - self._heights.before(self._index)
        self._above_px = min(before, max(self._height(self._index) - 1, 0))
        self._settle()

    def show(self, index: int, above_px: int = 0) -> None:
        """Bring a piece to the top edge; above_px: how much of it is above that, negative: below it."""
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
        """Let the piece at the edge be the one that is there, and the end of the text not leave the view."""
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
