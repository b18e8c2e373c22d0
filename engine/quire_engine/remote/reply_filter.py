"""Keeps a reply's prose and leaves out a chat model's thoughts and the marks of its template."""

from __future__ import annotations

import re
from typing import Any

import regex  # type: ignore[import-untyped]

from quire_engine.prompt.chat_template import THOUGHTS

_OPENINGS = {
    **dict(THOUGHTS),
    "<thought>": "</thought>",
    "<reflection>": "</reflection>",
    "◁think▷": "◁/think▷",
    "<|START_THINKING|>": "<|END_THINKING|>",
    "<|begin_of_thought|>": "<|end_of_thought|>",
    "<|channel|>analysis<|message|>": "<|end|>",
    "<|channel|>commentary<|message|>": "<|end|>",
}
_ENDS = {
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end_of_text|>",
    "<|endoftext|>",
    "<|end|>",
    "<|return|>",
    "<|END_OF_TURN_TOKEN|>",
    "<|end_of_turn|>",
    "<end_of_turn>",
    "<\uff5cend▁of▁sentence\uff5c>",  # DeepSeek's, in full width
    "</s>",
    "<eos>",
    "<|user|>",
    "<|system|>",
    "<|USER_TOKEN|>",
    "[INST]",
    "[/INST]",
}
"""Marks after which a model speaks for somebody else."""
_PAIRS = {"<s>": "</s>", "[INST]": "[/INST]"}
"""Marks that people of a book type as well, as those of struck words."""
_TURNS = ("[INST]", "<|user|>", "<|system|>", "<|USER_TOKEN|>")
"""Those with which somebody else's turn begins; a line begins with them."""
_CLOSINGS = set(_OPENINGS.values()) - _ENDS
_OTHERS = (
    r"<\|(?:im_start|start|start_header_id|channel)\|>(?:assistant|final)?(?:<\|end_header_id\|>\n*)?\n?",
    r"<start_of_turn>(?:model\n?)?",
    r"<\|(?:(?:begin|end)_?of_?(?:text|prompt|turn|solution|role|sentence)|endofturn|(?:start|end)_header_id"
    r"|im_(?:start|end|sep)|eo[tmsa](?:_id)?|bos|eos|pad|unk|start|end|return|message|channel|constrain|call"
    r"|python_tag|assistant|model|CHATBOT_TOKEN|(?:START|END)_OF_TURN_TOKEN|(?:START|END)_RESPONSE"
    r"|fim_\w{1,20}|reserved_special_token_\d{1,4}|extra_\d{1,4}|placeholder\d{0,4}|vision_\w{1,9})\|>",
    r"<\uff5c[\w▁]{1,30}\uff5c>",
    r"<bos>|<s>|<pad>",
)
_LONG = (
    *_OPENINGS,
    *(f"<|{mark}|>{role}\n" for mark in ("im_start", "start", "channel") for role in ("assistant", "final")),
    "<|start_header_id|>assistant<|end_header_id|>\n\n",
    "<start_of_turn>model\n",
)
"""Marks that begin with another mark."""
_MARK = regex.compile(
    "|".join([*map(re.escape, sorted({*_OPENINGS, *_CLOSINGS, *_ENDS}, key=len, reverse=True)), *_OTHERS])
)
_THINKS = re.compile(r"(?:^|[-_/ .:])(?:r1|qwq|magistral)(?:$|[-_/ .:])|think|reason", re.IGNORECASE)


def may_think(model: str) -> bool:
    """Return whether a model's name says that it thinks first; its template may open the thought."""
    return bool(_THINKS.search(model))


class ReplyFilter:
    """Reads one reply piece by piece.

    Args:
        may_begin_in_thought: its first words may be thoughts whose opening mark was part of the request. They
            are held until a closing mark comes or the reply ends.

    Attributes:
        num_thought: words of thoughts so far.
        began_in_thought: a closing mark came without an opening one.
        thoughts_slipped: it came after words had been taken for prose.
    """

    def __init__(self, *, may_begin_in_thought: bool) -> None:
        self._held = ""  # of which it is not known yet what it is
        self._first: str | None = "" if may_begin_in_thought else None  # prose, or thoughts
        self._closing = ""
        self._last, self._typed, self._is_begun = "", set[str](), False
        self._doubtful: str | None = None  # a thought amid prose, or a mark that a person of the book types
        self._has_prose = self._has_ended = self._in_word = self._follows_thought = False
        self.num_thought = 0
        self.began_in_thought = self.thoughts_slipped = False

    def prose(self, piece: str, thought: str = "") -> str:
        """Return the prose of the next piece; thought: sent apart from the text, so that this is prose."""
        self._count(thought)
        self._held += piece
        prose = self._trimmed(self._read(is_last=False))
        if self._first is not None:
            both = self._first + prose
            self._first, prose = (None, both) if thought else (both, "")
        self._has_prose = self._has_prose or bool(prose.strip())
        return prose

    def rest(self, *, is_whole: bool) -> str:
        """Return the prose held until the end of the reply; is_whole: the reply was not cut at a limit."""
        prose, in_thought = self._trimmed(self._read(is_last=True)), bool(self._closing)
        prose += self._doubtful or ""
        first, self._first = self._first, None
        if first is not None and not (is_whole or self._has_ended or in_thought):
            self._count(first + prose)  # it never came to the end of its thoughts
            return ""
        return (first or "") + prose

    def _trimmed(self, prose: str) -> str:
        """Return prose without the empty lines between a thought and the beginning of the prose."""
        return prose.lstrip("\n") if self._follows_thought and not self._has_prose else prose

    def _read(self, *, is_last: bool) -> str:
        """Take out of what is held the prose that is certain; at the end all of it is."""
        parts: list[str] = []
        while self._held and not self._has_ended:
            if self._closing:
                if not self._skip_thought(is_last=is_last):
                    break
                continue
            found = _MARK.search(self._held, partial=not is_last)
            if found is None or found.partial or (self._may_grow(found) and not is_last):
                place = len(self._held) if found is None else found.start()
                parts.append(self._held[:place])
                self._held = self._held[place:]
                break
            parts.append(self._held[: found.start()])
            self._held = self._held[found.end() :]
            before = self._last + "".join(parts)
            if self._is_typed(found.group(), before):
                parts.append(found.group())
            else:
                self._take(found.group(), parts)
        if self._has_ended:
            self._held = ""
        prose = "".join(parts)
        self._last = prose[-1:] or self._last
        return prose

    def _is_typed(self, mark: str, before: str) -> bool:
        """Return whether a mark is a word of the book."""
        if mark in self._typed:  # its beginning was one
            self._typed.discard(mark)
            return True
        begins_line = not before or before[-1] == "\n"
        is_typed = bool(before) if mark == "<s>" else mark in _TURNS and not begins_line
        if mark in _PAIRS and is_typed:
            self._typed.add(_PAIRS[mark])
        return is_typed

    def _may_grow(self, mark: Any) -> bool:
        """Return whether a whole mark may be longer: a role may follow it, or it may begin another mark."""
        rest = self._held[mark.start() :]
        return bool(mark.end() == len(self._held) or any(each.startswith(rest) for each in _LONG))

    def _skip_thought(self, *, is_last: bool) -> bool:
        """Drop what is held of a thought; return whether it has ended."""
        before, mark, after = self._held.partition(self._closing)
        if mark:
            self._closing, self._doubtful, self._held = "", None, after
            self._count(before)
            return True
        sure = len(before) if is_last else max(0, len(before) - len(self._closing) + 1)
        self._count(before[:sure])
        self._doubtful = None if self._doubtful is None else self._doubtful + before[:sure]
        self._held = before[sure:]
        return False

    def _take(self, mark: str, parts: list[str]) -> None:
        if mark in _OPENINGS:
            self._closing = _OPENINGS[mark]
            self._first, first = None, self._first
            parts.insert(0, first or "")
            is_amid = self._has_prose or bool("".join(parts).strip())
            self._doubtful = mark if is_amid and not self.num_thought else None
        elif mark in _CLOSINGS:
            self.began_in_thought, self.thoughts_slipped = True, self._has_prose
            self._count((self._first or "") + "".join(parts))
            self._first = None
            parts.clear()
        if mark in _OPENINGS or mark in _CLOSINGS:
            self._follows_thought = not self._has_prose and not "".join(parts).strip()
        goes_on = self._is_begun and mark == "</s>" and self._held[:1] not in ("", "\n", "<", "[")
        is_first = mark in _TURNS and not self._has_prose and not "".join(parts).strip()
        self._has_ended = mark in _ENDS and not goes_on and not is_first
        self._is_begun |= mark == "<s>"

    def _count(self, thought: str) -> None:
        for character in thought:
            is_space = character.isspace()
            self.num_thought += not is_space and not self._in_word
            self._in_word = not is_space
