"""The language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from quire_resources import ROOT

TRANSLATIONS = ROOT / "translations"
SOURCE_LANGUAGE = "en"
LANGUAGES = ((SOURCE_LANGUAGE, "English"), ("de", "Deutsch"))
"""What the window can speak, by code and in its own words; for each but English there is quire_CODE.qm."""


def install_language(app: QCoreApplication, wanted: str) -> str:
    """Let everything that is built from now on speak a language; return which one.

    wanted: a code; empty for the system's. What Quire does not speak is English.
    """
    code = language_for([wanted] if wanted else QLocale.system().uiLanguages())
    if code == SOURCE_LANGUAGE:
        return code
    qt_files = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for name, folder in ((f"qtbase_{code}", qt_files), (f"quire_{code}", str(TRANSLATIONS))):
        translator = QTranslator(app)
        if translator.load(name, folder):
            app.installTranslator(translator)
    return code


def language_for(wanted: list[str]) -> str:
    """Return the first of several languages that Quire speaks, as in "de-AT", "en_GB"; else English."""
    spoken = {code for code, _ in LANGUAGES}
    codes = (tag.replace("_", "-").partition("-")[0].lower() for tag in wanted)
    return next((code for code in codes if code in spoken), SOURCE_LANGUAGE)
