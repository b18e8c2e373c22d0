"""The language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from quire.system.number_text import use_marks
from quire_resources import ROOT

TRANSLATIONS = ROOT / "translations"
SOURCE_LANGUAGE = "en"
LANGUAGES = ((SOURCE_LANGUAGE, "English"), ("de", "Deutsch"))
"""The available languages, by code and their own name; each except English has a quire_CODE.qm."""


def install_language(app: QCoreApplication, wanted: str) -> str:
    """Install the translation for a language; return the language used.

    Args:
        app: the application.
        wanted: a code, or empty for the system's; English replaces unsupported ones.
    """
    code = language_for([wanted] if wanted else QLocale.system().uiLanguages())
    locale = QLocale(code)
    use_marks(locale.groupSeparator(), locale.decimalPoint())
    system = QLocale.system()  # fields and dates follow its region where it has the language of the window
    QLocale.setDefault(system if system.language() == locale.language() else locale)
    if code == SOURCE_LANGUAGE:
        return code
    qt_files = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for name, folder in ((f"qtbase_{code}", qt_files), (f"quire_{code}", str(TRANSLATIONS))):
        translator = QTranslator(app)
        if translator.load(name, folder):
            app.installTranslator(translator)
    return code


def language_for(wanted: list[str]) -> str:
    """Return the first supported of several languages, such as "de-AT" or "en_GB", else English."""
    spoken = {code for code, _ in LANGUAGES}
    codes = (tag.replace("_", "-").partition("-")[0].lower() for tag in wanted)
    return next((code for code in codes if code in spoken), SOURCE_LANGUAGE)
