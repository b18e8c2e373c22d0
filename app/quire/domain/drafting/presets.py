"""Named sampling settings, and their JSON form for storing and sharing."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace

from quire.errors import WriterProblem
from quire_engine.api.config import MAX_PENALTY, SamplingConfig
from quire_engine.api.sampling_scale import SamplingScale, scaled
from quire_engine.api.user_message import UserMessage

MAX_NAME_CHARS = 60
MAX_PRESETS = 200
_FORMAT = "quire presets"
_VERSION = 1
_LARGEST = 1e9


@dataclass(frozen=True, slots=True)
class Preset:
    """Sampling settings under a name; the seed is ignored here.

    Attributes:
        note: a sentence for the writer.
        built_in: it comes with Quire and cannot be changed.
    """

    name: str
    sampling: SamplingConfig
    note: str = ""
    built_in: bool = False

    @property
    def title(self) -> str:
        """The name on the screen."""
        return preset_title(self.name)


GROWTH = 10.0
"""How the penalty of every preset grows where a text repeats itself: twice as strong with a tenth of the
pairs of tokens more repeated than novels repeat. See `quire_engine.decoding.penalty_growth`."""
FAITHFUL = Preset(
    "Faithful",
    SamplingConfig(
        temperature=0.8, min_p=0.1, repetition_penalty=1.3, penalty_window=1024, penalty_growth=GROWTH
    ),
    UserMessage("Stays close to what is likely: steady, plain, rarely surprising."),
    built_in=True,
)
BALANCED = Preset(
    "Balanced",
    SamplingConfig(
        temperature=1.0, min_p=0.1, repetition_penalty=1.2, penalty_window=1024, penalty_growth=GROWTH
    ),
    UserMessage("A good choice for most drafts."),
    built_in=True,
)
LIVELY = Preset(
    "Lively",
    SamplingConfig(
        temperature=1.15, min_p=0.05, repetition_penalty=1.25, penalty_window=2048, penalty_growth=GROWTH
    ),
    UserMessage("Ventures further: more colour, and the occasional sentence that goes astray."),
    built_in=True,
)
_TITLES = (UserMessage("Faithful"), UserMessage("Balanced"), UserMessage("Lively"))
BUILT_IN = (FAITHFUL, BALANCED, LIVELY)
"""The presets that come with Quire, the steadiest first.

Measured with the built-in model (`python -m tests.benchmarks.engine presets`) before penalties grew: two
openings, two seeds, 2,600 tokens each. Distinct-2 over windows of 2,000 units, where published novels have
0.586 to 0.901, then the model's mean loss per token, where a novelist's opening has 3.61; no text looped:

    Faithful  0.625 to 0.718  2.35
    Balanced  0.667 to 0.707  2.42
    Lively    0.826 to 0.858  3.42

Faithful was temperature 0.8, min-p 0.15 and penalty 1.15 before, and had 0.324 to 0.489: less variety than
any novel.
"""
DEFAULT = BALANCED
_EARLIER = {
    preset.sampling: (replace(preset.sampling, penalty_growth=0.0), *others)
    for preset, others in (
        (
            FAITHFUL,
            (SamplingConfig(temperature=0.8, min_p=0.15, repetition_penalty=1.15, penalty_window=1024),),
        ),
        (BALANCED, ()),
        (LIVELY, ()),
    )
}
"""What built-in presets were in earlier versions, the newest first: a run drafted with that is continued, and
keeps the name and its own numbers."""

_LARGEST_FACTOR = math.log(1.35)
_MEASURED_WITHIN = 0.02
"""How far temperature and penalty may be from what they would be today, for a run of another version."""
CAREFUL_PENALTY = 1.35
CAREFUL_WINDOW = 2048
_CAREFUL_STEP = 0.15
_OTHER_PRESET = UserMessage("You changed the preset, so this starts a new draft.")
_OTHER_BANNED = UserMessage("You changed the words to avoid, so this starts a new draft.")


def careful(sampling: SamplingConfig) -> SamplingConfig:
    """Return settings for a text that began to loop: recent words become less likely."""
    stronger = min(sampling.repetition_penalty + _CAREFUL_STEP, MAX_PENALTY)
    return replace(
        sampling,
        repetition_penalty=max(CAREFUL_PENALTY, stronger),
        penalty_window=max(CAREFUL_WINDOW, sampling.penalty_window),
    )


def for_model(sampling: SamplingConfig, scale: SamplingScale | None) -> SamplingConfig:
    """Return the settings of a new run with a model.

    The presets that come with Quire, and their careful forms, mean the same with every model, so their
    numbers follow the model; the numbers that a writer chose are taken as they are.
    """
    return sampling if scale is None or not _is_relative(sampling) else scaled(sampling, scale)


def _is_relative(sampling: SamplingConfig) -> bool:
    plain = replace(sampling, seed=0, banned=())
    return any(plain in (one.sampling, careful(one.sampling)) for one in BUILT_IN)


def _was_relative(sampling: SamplingConfig) -> bool:
    """Say the same of an earlier version of a built-in preset."""
    plain = replace(sampling, seed=0, banned=())
    return any(plain in (one, careful(one)) for earlier in _EARLIER.values() for one in earlier)


def restart_reason(chosen: SamplingConfig, last: SamplingConfig, scale: SamplingScale | None = None) -> str:
    """Return why a run cannot be continued with the settings chosen now.

    A sentence for the writer; empty where they differ only in the seed, or are the careful form of the run's,
    or follow the model. scale: of the model.
    """
    forms = [replace(form, seed=last.seed, banned=chosen.banned) for form in with_earlier(chosen)]
    alike = (*forms, *map(careful, forms))
    if _continues(last, alike, scale):
        return ""
    unbanned = replace(last, banned=chosen.banned)
    return _OTHER_BANNED if _continues(unbanned, alike, scale) else _OTHER_PRESET


def _continues(last: SamplingConfig, forms: Sequence[SamplingConfig], scale: SamplingScale | None) -> bool:
    """Say whether a run has settings of these forms, as they are or as they follow its model."""
    if last in forms or scale is None:
        return last in forms
    followed = (scaled(form, scale) for form in forms if _is_relative(form) or _was_relative(form))
    return any(_is_near(last, form) for form in followed if form not in forms)


def _is_near(last: SamplingConfig, form: SamplingConfig) -> bool:
    """Say whether a run has settings that follow the model, by this measurement or an earlier one."""
    apart = last.temperature - form.temperature, last.repetition_penalty - form.repetition_penalty
    others = replace(last, temperature=form.temperature, repetition_penalty=form.repetition_penalty)
    return others == form and all(abs(each) <= _MEASURED_WITHIN for each in apart)


def preset_title(name: str) -> str:
    """Return the name of a preset on the screen; those that come with Quire have one in each language."""
    return next((title for title in _TITLES if title.template == name), name)


def preset_named(sampling: SamplingConfig, presets: Iterable[Preset]) -> str:
    """Return the name of the preset with these settings, as they are or as they follow a model; empty when
    none has them."""
    plain = replace(sampling, seed=0, banned=())
    presets = tuple(presets)
    for preset in presets:
        if plain in with_earlier(preset.sampling):
            return preset.name
    near = [
        (_distance(plain, form), preset.name)
        for preset in presets
        if preset.built_in
        for form in with_earlier(preset.sampling)
    ]
    return min(near)[1] if near and min(near)[0] < 1 else ""


def _distance(sampling: SamplingConfig, preset: SamplingConfig) -> float:
    """Return how far settings are from a preset; 1 or more when no model gives a preset these numbers."""
    others = replace(sampling, temperature=preset.temperature, repetition_penalty=preset.repetition_penalty)
    factor = sampling.temperature / preset.temperature
    penalty = sampling.repetition_penalty
    if others != preset or round(penalty, 2) == penalty or factor <= 0:  # a writer's has two decimals
        return 1.0
    apart = math.log(factor) / _LARGEST_FACTOR
    return apart if apart >= 0 else -2 * apart  # models that are too sure of themselves are the usual ones


def with_earlier(sampling: SamplingConfig) -> tuple[SamplingConfig, ...]:
    """Return settings and the earlier versions of the built-in preset with them, without seed and banned
    words.
    """
    plain = replace(sampling, seed=0, banned=())
    return (plain, *_EARLIER.get(plain, ()))


def by_name(name: str, own: Iterable[Preset]) -> Preset | None:
    """Return the preset of a name, ignoring case; None when there is none."""
    wanted = name.strip().casefold()
    return next((one for one in (*BUILT_IN, *own) if one.name.casefold() == wanted), None)


def checked_name(name: str) -> str:
    """Return a valid name for one of the writer's own presets; WriterProblem when it is not valid."""
    name = " ".join(name.split())
    if not name:
        raise WriterProblem("Type a name for the preset.")
    if len(name) > MAX_NAME_CHARS:
        raise WriterProblem(
            "Preset names have at most {most} characters. Shorten this one.", most=MAX_NAME_CHARS
        )
    if any(name.casefold() == one.name.casefold() for one in BUILT_IN):
        raise WriterProblem("{name} comes with Quire and can't be changed. Choose another name.", name=name)
    return name


def free_name(name: str, own: Iterable[Preset]) -> str:
    """Return a name, with a number where it is taken."""
    own = tuple(own)
    free, number = name, 2
    while by_name(free, own) is not None:
        free, number = f"{name[: MAX_NAME_CHARS - 4]} {number}", number + 1
    return free


def with_preset(own: Iterable[Preset], preset: Preset) -> tuple[Preset, ...]:
    """Return the writer's own presets with one added, or with the one of the same name replaced."""
    own = tuple(own)
    preset = replace(preset, name=checked_name(preset.name), built_in=False)
    folded = preset.name.casefold()
    if any(one.name.casefold() == folded for one in own):
        return tuple(preset if one.name.casefold() == folded else one for one in own)
    if len(own) >= MAX_PRESETS:
        raise WriterProblem("Quire keeps at most {most} presets. Delete one first.", most=MAX_PRESETS)
    return (*own, preset)


# ------------------------------------------------------------ as JSON
def sampling_values(sampling: SamplingConfig) -> dict[str, float | int]:
    """Return settings as JSON types, without the seed and the project's banned words, which no preset has."""
    values = {rule.name: getattr(sampling, rule.name) for rule in fields(SamplingConfig)}
    del values["seed"], values["banned"]
    return values


def sampling_from(values: object) -> SamplingConfig:
    """Return the settings in JSON types; missing ones keep their defaults. ValueError for invalid ones."""
    if not isinstance(values, dict):
        raise ValueError("the settings are no object")
    usual = sampling_values(SamplingConfig())
    if unknown := {str(name) for name in values} - usual.keys():
        raise ValueError(f"it knows no {', '.join(sorted(unknown))}")
    found = {name: _number(name, values.get(name, default), default) for name, default in usual.items()}
    return SamplingConfig(**found)  # type: ignore[arg-type]  # _number keeps whole numbers whole


def dumped(presets: Iterable[Preset]) -> str:
    """Return presets as the text of a file."""
    rows = [
        {"name": one.name, "note": one.note, "sampling": sampling_values(one.sampling)} for one in presets
    ]
    content = {"format": _FORMAT, "version": _VERSION, "presets": rows}
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def parsed(text: str, what: str) -> tuple[Preset, ...]:
    """Return the presets of a file, none of them built in; WriterProblem when it holds something else.

    Args:
        what: how the message names the file.
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise WriterProblem("{what} is not a preset file. Choose one exported by Quire.", what=what) from None
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise WriterProblem("{what} is not a preset file. Choose one exported by Quire.", what=what)
    version, rows = content.get("version"), content.get("presets")
    if version != _VERSION:
        raise WriterProblem(
            "{what} was made by a newer version of Quire. Update Quire to read it.", what=what
        )
    if not isinstance(rows, list) or len(rows) > MAX_PRESETS:
        raise WriterProblem("Quire can't read the presets in {what}. Export them again.", what=what)
    return tuple(_preset(row, what) for row in rows)


def _preset(row: object, what: str) -> Preset:
    if not isinstance(row, dict) or not isinstance(row.get("name"), str):
        raise WriterProblem("A preset in {what} has no name. Export the presets again.", what=what)
    name, note = " ".join(row["name"].split())[:MAX_NAME_CHARS], row.get("note", "")
    if not name:
        raise WriterProblem("A preset in {what} has no name. Export the presets again.", what=what)
    try:
        sampling = sampling_from(row.get("sampling"))
    except ValueError as error:
        raise WriterProblem(
            "The preset {name} in {what} can't be used: {error}.", name=name, what=what, error=error
        ) from None
    return Preset(name, sampling, note[:400] if isinstance(note, str) else "")


def _number(name: str, value: object, usual: float | int) -> float | int:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name} is no number")
    if not abs(value) <= _LARGEST:  # NaN and infinity are no numbers either
        raise ValueError(f"{name} is too large a number")
    if isinstance(usual, int):
        if value != int(value):
            raise ValueError(f"{name} must be a whole number, got {value}")
        return int(value)
    return float(value)
