"""The pages of the preferences: appearance, writing, drafting, languages and advanced."""

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
    LoopChoice,
    ModelMemory,
    ReadingChoice,
    Settings,
)
from quire.system.file_sizes import size_text
from quire.system.number_text import number_text
from quire.theme.fonts import READING
from quire.theme.motion import MotionPreference
from quire.theme.text_size import TextSize
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import plain_label
from quire_engine.api.config import CPU_CONTEXT

Named = tuple[str, str]
"""A value of a setting, and its name on the screen."""


class AppearancePage(PreferencePage):
    """Theme, font of the manuscript, and a sample of it."""

    def __init__(self, settings: Settings, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(settings, parent)
        self.add_heading(self.tr("Theme"))
        self.cards = ThemeCards(themes, self)
        self.cards.chosen.connect(lambda theme: self.change("theme", theme))
        self.layout_of_page.addWidget(self.cards)
        self.add_heading(self.tr("Interface"))
        sizes = (
            (TextSize.SYSTEM, self.tr("Same as system")),
            (TextSize.SMALLER, self.tr("Smaller")),
            (TextSize.NORMAL, self.tr("Normal")),
            (TextSize.LARGER, self.tr("Larger")),
            (TextSize.LARGEST, self.tr("Largest")),
        )
        self.interface_size = self.add_choice(self.add_form(), "interface_size", self.tr("&Text size"), sizes)
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
        self.width_field = self.add_number(beside, "text_width", self.tr("Text &width"), widths)
        self.width_field.setSuffix(self.tr(" characters"))
        self.add_heading(self.tr("Motion"))
        motions = (
            (MotionPreference.SYSTEM, self.tr("Same as system")),
            (MotionPreference.REDUCED, self.tr("Reduced: steady caret, no effects")),
            (MotionPreference.FULL, self.tr("Full")),
        )
        self.motion = self.add_choice(self.add_form(), "motion", self.tr("&Animation"), motions)
        self.finish()

    def show_settings(self, settings: Settings) -> None:
        """Show settings, and apply them to the sample."""
        super().show_settings(settings)
        self.cards.show_choice(settings.theme)
        self.sample.show_settings(settings)

    def change(self, name: str, value: object) -> None:
        """Change a setting, and update the sample."""
        super().change(name, value)
        self.sample.show_settings(self.settings)

    def _fonts(self) -> list[Named]:
        families = (
            family
            for family in QFontDatabase.families()
            if QFontDatabase.isSmoothlyScalable(family) and not QFontDatabase.isPrivateFamily(family)
        )
        own = ("", self.tr("{0} (default)").format(READING[0]))
        return [own, *((family, family) for family in families if family != READING[0])]


class WritingPage(PreferencePage):
    """What happens while typing."""

    def __init__(
        self, settings: Settings, dictionaries: Sequence[Named], parent: QWidget | None = None
    ) -> None:
        super().__init__(settings, parent)
        self.add_heading(self.tr("Typing"))
        self.smart_typing = self.add_switch("smart_typing", self.tr("&Smart quotes, dashes and ellipses"))
        self.add_sentence(self.tr("Applies only to what you type, never to pasted or drafted text."))
        self.typewriter = self.add_switch("typewriter", self.tr("&Typewriter scrolling"))
        self.add_heading(self.tr("Spelling"))
        self.spelling = self.add_switch("spelling", self.tr("&Check spelling"))
        languages = (("", self.tr("Same as system")), *dictionaries)
        self.dictionary = self.add_choice(
            self.add_form(), "spelling_language", self.tr("&Language"), languages
        )
        self.finish()

    def show_settings(self, settings: Settings) -> None:
        """Show settings; the language of the text is enabled only if spelling is checked."""
        super().show_settings(settings)
        self.dictionary.setEnabled(settings.spelling)

    def change(self, name: str, value: object) -> None:
        """Change a setting."""
        super().change(name, value)
        self.dictionary.setEnabled(self.settings.spelling)


class DraftingPage(PreferencePage):
    """What happens while a draft is running."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(settings, parent)
        self.add_heading(self.tr("Before a long draft"))
        self.preflight_words = self.add_number(
            self.add_form(), "preflight_words", self.tr("&Show an estimate"), (0, MAX_GOAL_WORDS, 500)
        )
        self.preflight_words.setPrefix(self.tr("for "))
        self.preflight_words.setSuffix(self.tr(" words or more"))
        self.preflight_words.setSpecialValueText(self.tr("Never"))
        self.add_heading(self.tr("New chapters"))
        self.at_headings = self.add_switch(
            "chapter_at_headings", self.tr("Start a new &chapter at each heading the model writes")
        )
        limits = (0, MAX_CHAPTER_WORDS, 500)
        self.chapter_words = self.add_number(
            self.add_form(), "chapter_words", self.tr("Also start a new chapter &every"), limits
        )
        self.chapter_words.setSuffix(self.tr(" words"))
        self.chapter_words.setSpecialValueText(self.tr("Off"))
        self.add_heading(self.tr("While drafting"))
        form = self.add_form()
        guards = (
            (LoopChoice.PAUSE, self.tr("Pause and notify me")),
            (LoopChoice.TELL, self.tr("Continue and notify me")),
        )
        self.loop_guard = self.add_choice(
            form, "loop_guard", self.tr("When the draft &repeats itself"), guards
        )
        readings = (
            (ReadingChoice.ASK, self.tr("Ask me")),
            (ReadingChoice.AGAIN, self.tr("Reread it")),
            (ReadingChoice.WITHOUT, self.tr("Continue without rereading")),
        )
        self.reading = self.add_choice(
            form, "reading_choice", self.tr("When I &edit text the model has already read"), readings
        )
        self.notify = self.add_switch("notify", self.tr("&Notify me when a draft ends or needs me"))
        self.keep_awake = self.add_switch("keep_awake", self.tr("&Keep the computer awake while drafting"))
        self._add_memory()
        self.finish()

    def _add_memory(self) -> None:
        """Add the options for the model's memory use."""
        self.add_heading(self.tr("Model memory"))
        form = self.add_form()
        limits = (0, MAX_CONTEXT, 1024)
        self.context = self.add_number(form, "model_context", self.tr("&Limit context to"), limits)
        self.context.setSuffix(self.tr(" tokens"))
        self.context.setSpecialValueText(self.tr("Automatic"))
        places = (
            (ModelMemory.FULL, self.tr("Normal")),
            (ModelMemory.FLOAT8, self.tr("Half precision (8-bit)")),
            (ModelMemory.COMPUTER, self.tr("In main memory (RAM)")),
        )
        self.memory = self.add_choice(form, "model_memory", self.tr("Model &memory use"), places)
        self.add_sentence(
            self.tr(
                "Automatic: the model's full context on a GPU, otherwise at most {0} tokens, because a"
                " longer context makes drafting slower."
            ).format(number_text(CPU_CONTEXT))
        )
        self.add_sentence(
            self.tr(
                "A smaller context or half precision changes the wording. Using main memory is slower but"
                " does not. A draft keeps the settings it was started with."
            )
        )


class LanguagePage(PreferencePage):
    """The language of the window."""

    def __init__(self, settings: Settings, languages: Sequence[Named], parent: QWidget | None = None) -> None:
        super().__init__(settings, parent)
        self.add_heading(self.tr("Interface language"))
        options = (("", self.tr("Same as system")), *languages)
        self.language = self.add_choice(self.add_form(), "language", self.tr("&Language"), options)
        self.add_sentence(self.tr("Applies the next time you start Quire. Your texts are not affected."))
        self.finish()


class AdvancedPage(PreferencePage):
    """The research view and the cache.

    Signals:
        clear_asked: empty the cache.
    """

    clear_asked = Signal()

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(settings, parent)
        self.add_heading(self.tr("View"))
        self.research_view = self.add_switch("research_view", self.tr("&Research view"))
        self.add_sentence(self.tr("Shows tokens, seeds and technical names alongside the plain terms."))
        self.add_heading(self.tr("Cache"))
        row = QHBoxLayout()
        row.setSpacing(14)
        self.size_label = plain_label(self, text=self.tr("Counting…"))
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
            self.tr(
                "Safe to delete: your writing is in your projects. A paused draft may then take longer to "
                "continue."
            )
        )
        self.finish()

    def show_cache(self, num_bytes: int, folder: str) -> None:
        """Show the size and the folder of the cache."""
        self.size_label.setText(self.tr("Cache size: {0}").format(size_text(num_bytes)))
        self.folder_label.setText(folder)
        self.clear_button.setEnabled(num_bytes > 0)

    def _clear(self) -> None:
        self.clear_button.setEnabled(False)
        self.clear_asked.emit()
