"""The word list and the language of a book. Plain functions, for a thread that may block."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from quire.domain.manuscript.spelling import WordList, names_in, words_of_file
from quire.domain.manuscript.tree import NodeKind
from quire.errors import WriterProblem
from quire.storage.project_file import ProjectFile
from quire.storage.unit_of_work import UnitOfWork

WORD_LIST = "word list"
LANGUAGE = "spelling language"
"""The settings of the project."""
MAX_WORDS = 50_000
MAX_FILE_BYTES = 10_000_000


@dataclass(frozen=True, slots=True)
class ProjectSpelling:
    """The spelling settings of a project; `language` is empty where none was chosen for it."""

    word_list: WordList
    language: str = ""


def project_spelling(file: ProjectFile) -> ProjectSpelling:
    """Return the spelling settings of a project."""
    with file.reading() as unit:
        language = unit.records.setting(LANGUAGE)
        return ProjectSpelling(_kept(unit), language if isinstance(language, str) else "")


def names_in_book(file: ProjectFile) -> WordList:
    """Return the names of a book: of its characters and places, and those that its text repeats."""
    with file.reading() as unit:
        nodes = unit.manuscript.tree().nodes
        titles = [node.title for node in nodes if node.kind in (NodeKind.CHARACTER, NodeKind.PLACE)]
        texts = (unit.manuscript.document(node.node_id).text for node in nodes if node.kind.has_text)
        return names_in(texts, titles)


def change_words(file: ProjectFile, added: Iterable[str] = (), removed: Iterable[str] = ()) -> WordList:
    """Add words to the list, remove others, and return the list."""
    with file.unit() as unit:
        words = _kept(unit).without(removed).with_words(added)
        if len(words) > MAX_WORDS:
            raise WriterProblem(
                "A word list holds at most {most:,} words, and this would be {num_words:,}. Nothing "
                "was added. Add large lists as a dictionary under Edit > Spelling.",
                most=MAX_WORDS,
                num_words=len(words),
            )
        unit.records.save_setting(WORD_LIST, list(words.words))
        unit.commit()
        return words


def choose_language(file: ProjectFile, language: str) -> None:
    """Store the language of the book."""
    with file.unit() as unit:
        unit.records.save_setting(LANGUAGE, language)
        unit.commit()


def read_list(path: Path) -> tuple[str, ...]:
    """Return the words of a text file; WriterProblem when it cannot be read or has none."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise WriterProblem("{file} is too large for a word list. Choose another file.", file=path.name)
        words = words_of_file(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise WriterProblem(
            "{file} can't be read ({reason}). Choose another file.", file=path.name, reason=error.strerror
        ) from error
    except UnicodeDecodeError:
        raise WriterProblem(
            "{file} is not UTF-8 text. Save it as UTF-8, or choose another file.", file=path.name
        ) from None
    if not words:
        raise WriterProblem("{file} contains no words. Choose a file with one word per line.", file=path.name)
    return words


def write_list(path: Path, word_list: WordList) -> None:
    """Write the words to a text file, one in each line; WriterProblem when that fails."""
    try:
        path.write_text("".join(f"{word}\n" for word in word_list.words), encoding="utf-8", newline="\n")
    except OSError as error:
        raise WriterProblem(
            "The words could not be saved in {path} ({reason}). Choose another folder.",
            path=path,
            reason=error.strerror,
        ) from error


def _kept(unit: UnitOfWork) -> WordList:
    kept = unit.records.setting(WORD_LIST)
    return WordList(word for word in kept if isinstance(word, str)) if isinstance(kept, list) else WordList()
