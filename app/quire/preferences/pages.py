"""The pages of the preferences: how it looks, how one writes, how it drafts, languages, and the rest."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from quire.domain.drafting.goal_parsing import MAX_GOAL_WORDS
from quire.editor.manuscript_editor import MAX_TEXT_PX, MIN_TEXT_PX
from quire.preferences.setting_fields import PreferencePage
from quire.preferences.text_preview import TextSample
from quire.preferences.theme_cards import ThemeCards
from quire.settings.settings import (
    MAX_CHAPTER_WORDS,
    MAX_CONTEXT,
    MAX_LINE_HEIGHT,
    MAX_TEXT_WIDTH,
    MIN_LINE_HEIGHT,
    MIN_TEXT_WIDTH,
    LoopGuard,
    ModelMemory,
    ReadingChoice,
    Settings,
)
from quire.system.file_sizes import size_text
from quire.theme.fonts import READING
from quire.theme.motion import MotionPreference
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import plain_label

Named = tuple[str, str]
"""A value of a setting, and what it is called on the screen."""


class AppearancePage(PreferencePage):
    """Theme, the manuscript's type, and a sample of it."""

    def __init__(self, settings: Settings, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(settings, parent)
        self.add_heading(self.tr("Theme"))
        self.cards = ThemeCards(themes, self)
        self.cards.chosen.connect(lambda theme: self.change("theme", theme))
        self.layout_of_page.addWidget(self.cards)
        self.add_heading(self.tr("Manuscript"))
        self.sample = TextSample(themes, self)
        self.layout_of_page.addWidget(self.sample)
        form, beside = self.add_two_forms()
        self.font_choice = self.add_choice(form, "font_family", self.tr("&Font"), self._fonts())
        self.font_choice.setFixedWidth(self.font_choice.minimumWidth())  # some fonts have very long names
        px = (MIN_TEXT_PX, MAX_TEXT_PX, 1)
        self.size_field = self.add_number(form, "text_px", self.tr("&Size"), px)
        self.size_field.setSuffix(self.tr(" px"))
        heights = (MIN_LINE_HEIGHT, MAX_LINE_HEIGHT, 0.05)
        self.line_height = self.add_fraction(beside, "line_height", self.tr("&Line height"), heights)
        self.line_height.setSuffix(self.tr(" em"))
        widths = (MIN_TEXT_WIDTH, MAX_TEXT_WIDTH, 1)
        self.width_field = self.add_number(beside, "text_width", self.tr("&Width of the text"), widths)
        self.width_field.setSuffix(self.tr(" characters"))
        self.add_heading(self.tr("MotionPreference"))
        motions = (
            (MotionPreference.SYSTEM, self.tr("As the system")),
            (MotionPreference.REDUCED, self.tr("Reduced: a still caret, no effects")),
            (MotionPreference.FULL, self.tr("Full")),
        )
        self.motion = self.add_choice(self.add_form(), "motion", self.tr("&Movement"), motions)
        self.finish()

    def show_settings(self, settings: Settings) -> None:
        """Show settings, in the sample too."""
        super().show_settings(settings)
        self.cards.show_choice(settings.theme)
        self.sample.show_settings(settings)

    def change(self, name: str, value: object) -> None:
        """Let a setting have another value, seen in the sample at once."""
        super().change(name, value)
        self.sample.show_settings(self.settings)

    def _fonts(self) -> list[Named]:
        families = (
            family
            for family in QFontDatabase.families()
            if QFontDatabase.isSmoothlyScalable(family) and not QFontDatabase.isPrivateFamily(family)
        )
        own = ("", self.tr("{0} (usual)").format(READING[0]))
        return [own, *((family, family) for family in families if family != READING[0])]


class WritingPage(PreferencePage):
    """What happens while one types."""

    def __init__(
        self, settings: Settings, dictionaries: Sequence[Named], parent: QWidget | None = None
    ) -> None:
        super().__init__(settings, parent)
        self.add_heading(self.tr("Typing"))
        self.smart_typing = self.add_switch("smart_typing", self.tr("&Typographic quotes, dashes and dots"))
        self.add_sentence(self.tr("Only what you type is changed, never what is pasted or drafted."))
        self.typewriter = self.add_switch("typewriter", self.tr("&Keep the line of the caret at one height"))
        self.add_heading(self.tr("Spelling"))
        self.spelling = self.add_switch("spelling", self.tr("&Check the spelling"))
        languages = (("", self.tr("As the system")), *dictionaries)
        self.dictionary = self.add_choice(
            self.add_form(), "spelling_language", self.tr("&Language of the text"), languages
        )
        self.finish()

    def show_settings(self, settings: Settings) -> None:
        """Show settings; the language of the text matters only where it is checked."""
        super().show_settings(settings)
        self.dictionary.setEnabled(settings.spelling)

    def change(self, name: str, value: object) -> None:
        """Let a setting have another value."""
        super().change(name, value)
        self.dictionary.setEnabled(self.settings.spelling)


class DraftingPage(PreferencePage):
    """What happens while a draft goes on."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(settings, parent)
        self.add_heading(self.tr("Before a long draft"))
        self.preflight_words = self.add_number(
            self.add_form(), "preflight_words", self.tr("&Say what it will take"), (0, MAX_GOAL_WORDS, 500)
        )
        self.preflight_words.setPrefix(self.tr("from "))
        self.preflight_words.setSuffix(self.tr(" words on"))
        self.preflight_words.setSpecialValueText(self.tr("Never"))
        self.add_heading(self.tr("New chapters"))
        self.at_headings = self.add_switch(
            "chapter_at_headings", self.tr("Begin a new &chapter at every heading that the model writes")
        )
        limits = (0, MAX_CHAPTER_WORDS, 500)
        self.chapter_words = self.add_number(
            self.add_form(), "chapter_words", self.tr("Begin one also &every"), limits
        )
        self.chapter_words.setSuffix(self.tr(" words"))
        self.chapter_words.setSpecialValueText(self.tr("Never"))
        self.add_heading(self.tr("When something happens"))
        form = self.add_form()
        guards = (
            (LoopGuard.PAUSE, self.tr("Pause and tell me")),
            (LoopGuard.TELL, self.tr("Go on and tell me")),
        )
        self.loop_guard = self.add_choice(form, "loop_guard", self.tr("The draft &repeats itself"), guards)
        readings = (
            (ReadingChoice.ASK, self.tr("Ask me")),
            (ReadingChoice.AGAIN, self.tr("Read it again")),
            (ReadingChoice.WITHOUT, self.tr("Go on without reading it again")),
        )
        self.reading = self.add_choice(
            form, "reading_choice", self.tr("I &edited what the model has read"), readings
        )
        self.notify = self.add_switch("notify", self.tr("&Notify me when a draft ends or needs me"))
        self.keep_awake = self.add_switch("keep_awake", self.tr("&Keep the computer awake during a draft"))
        self._add_memory()
        self.finish()

    def _add_memory(self) -> None:
        """Add how much room the model may take for what it has read."""
        self.add_heading(self.tr("When memory is short"))
        form = self.add_form()
        limits = (0, MAX_CONTEXT, 1024)
        self.context = self.add_number(form, "model_context", self.tr("&Look back over at most"), limits)
        self.context.setSuffix(self.tr(" word pieces"))
        self.context.setSpecialValueText(self.tr("All that the model can"))
        places = (
            (ModelMemory.FULL, self.tr("As usual")),
            (ModelMemory.FLOAT8, self.tr("In half the room")),
            (ModelMemory.COMPUTER, self.tr("In the computer's memory")),
        )
        self.memory = self.add_choice(form, "model_memory", self.tr("&Store what it has read"), places)
        self.add_sentence(
            self.tr(
                "Half the room changes the words; the computer's memory is slower and changes none. A draft"
                " that was begun with less goes on with less."
            )
        )


class LanguagePage(PreferencePage):
    """The language of the window."""

    def __init__(self, settings: Settings, languages: Sequence[Named], parent: QWidget | None = None) -> None:
        super().__init__(settings, parent)
        self.add_heading(self.tr("Language of the window"))
        options = (("", self.tr("As the system")), *languages)
        self.language = self.add_choice(self.add_form(), "language", self.tr("&Language"), options)
        self.add_sentence(self.tr("Takes effect the next time Quire starts. Your texts stay as they are."))
        self.finish()


class AdvancedPage(PreferencePage):
    """The research view, and what Quire keeps to be faster. clear_asked: the cache is to be emptied."""

    clear_asked = Signal()

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(settings, parent)
        self.add_heading(self.tr("View"))
        self.research_view = self.add_switch("research_view", self.tr("&Research view"))
        self.add_sentence(self.tr("Tokens, seeds and technical names beside the words of a writer."))
        self.add_heading(self.tr("Cache"))
        row = QHBoxLayout()
        row.setSpacing(14)
        self.size_label = plain_label(self, text=self.tr("Counting ..."))
        self.clear_button = QPushButton(self.tr("&Clear"), self)
        self.clear_button.setAccessibleName(self.tr("Clear the cache"))
        self.clear_button.setEnabled(False)
        self.clear_button.clicked.connect(self._clear)
        row.addWidget(self.size_label)
        row.addWidget(self.clear_button)
        row.addStretch(1)
        self.layout_of_page.addLayout(row)
        self.folder_label = self.add_sentence("")
        self.folder_label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.add_sentence(
            self.tr("Quire makes all of it again when it is needed. No text of yours is there.")
        )
        self.finish()

    def show_cache(self, num_bytes: int, folder: str) -> None:
        """Say how large the cache is and where."""
        self.size_label.setText(self.tr("The cache takes {0}.").format(size_text(num_bytes)))
        self.folder_label.setText(folder)
        self.clear_button.setEnabled(num_bytes > 0)

    def _clear(self) -> None:
        self.clear_button.setEnabled(False)
        self.clear_asked.emit()
