"""A theme for Qt: a palette for the style, and a style sheet for the shapes."""

from __future__ import annotations

import re

from PySide6.QtGui import QColor, QPalette

from quire.theme.colour_tokens import Tokens
from quire.theme.control_icons import control_icons
from quire.theme.text_size import scaled

_Role = QPalette.ColorRole
_SIZE = re.compile(r"(\b(?:width|height|border-radius): )(\d+)px")


def palette_of(tokens: Tokens) -> QPalette:
    """Return the palette of a theme."""
    palette = QPalette()
    colours = {
        _Role.Window: tokens.desk,
        _Role.WindowText: tokens.ink,
        _Role.Base: tokens.paper,
        _Role.AlternateBase: tokens.desk,
        _Role.Text: tokens.ink,
        _Role.PlaceholderText: tokens.soft_ink,
        _Role.Button: tokens.raised,
        _Role.ButtonText: tokens.ink,
        _Role.BrightText: tokens.alarm,
        _Role.ToolTipBase: tokens.raised,
        _Role.ToolTipText: tokens.ink,
        _Role.Highlight: tokens.selection,
        _Role.HighlightedText: tokens.on_selection,
        _Role.Link: tokens.accent,
        _Role.LinkVisited: tokens.accent,
        _Role.Accent: tokens.accent,
        _Role.Light: tokens.raised,
        _Role.Midlight: tokens.hover,
        _Role.Mid: tokens.line,
        _Role.Dark: tokens.edge,
        _Role.Shadow: tokens.line,
    }
    for role, colour in colours.items():
        palette.setColor(role, QColor(colour))
    for role in (_Role.WindowText, _Role.Text, _Role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(tokens.faint_ink))
    # A selection must stay visible when the writer reaches for a menu or another window.
    palette.setColor(QPalette.ColorGroup.Inactive, _Role.Highlight, QColor(tokens.selection))
    palette.setColor(QPalette.ColorGroup.Inactive, _Role.HighlightedText, QColor(tokens.on_selection))
    return palette


def style_sheet_of(tokens: Tokens) -> str:
    """Return the style sheet of a theme; @word is a token, @icons the folder of its symbols.

    Sizes follow the size of the interface's text; room around it (padding, margins) and lines do not.
    """
    sheet = _SIZE.sub(lambda found: f"{found[1]}{scaled(int(found[2]))}px", _SHEET)
    sheet = sheet.replace("@icons", control_icons(tokens))
    # Longer names first: @accent must not match the beginning of @accent_hover.
    for name in sorted(Tokens.__dataclass_fields__, key=len, reverse=True):
        sheet = sheet.replace(f"@{name}", str(getattr(tokens, name)))
    return sheet


_SHEET = """
QMainWindow, QDialog { background: @desk; }
QToolTip { background: @raised; color: @ink; border: 1px solid @line; padding: 4px 8px; }

QMenuBar { background: @desk; color: @soft_ink; padding: 2px 10px; border: none; }
QMenuBar::item { padding: 5px 10px; border-radius: 5px; background: transparent; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: @hover; color: @ink; }
QMenu { background: @raised; color: @ink; border: 1px solid @line; padding: 6px; }
QMenu::item { padding: 6px 28px 6px 24px; border-radius: 5px; }
QMenu::item:selected { background: @hover; }
QMenu::item:disabled { color: @faint_ink; }
QMenu::separator { height: 1px; background: @line; margin: 6px 8px; }

#topBar { background: @desk; border-bottom: 1px solid @line; }
#statusLine { background: @desk; border-top: 1px solid @line; }
#statusLine > QLabel, #caption { color: @soft_ink; }
#page { background: @paper; }
#sidePanel { background: @desk; border-right: 1px solid @line; }
#bookPanel { background: @desk; }
QTabBar#sideTabs { background: @desk; }
QTabBar#sideTabs::tab { background: transparent; color: @soft_ink; border: none;
    border-bottom: 2px solid transparent; padding: 5px 6px 6px 6px; margin-right: 2px; }
QTabBar#sideTabs::tab:hover { color: @ink; }
QTabBar#sideTabs::tab:selected { color: @ink; border-bottom: 2px solid @accent; }
QTabBar#sideTabs::tab:focus { color: @accent; }
QListWidget#sideList { background: @desk; color: @ink; border: none; outline: 0; }
QListWidget#sideList::item { padding: 7px 8px; border-radius: 6px; }
QListWidget#sideList::item:hover { background: @hover; }
QListWidget#sideList::item:selected { background: @hover; color: @ink; }
QListWidget#sideList::item:disabled { color: @soft_ink; background: transparent; padding: 10px 2px 2px 2px; }
QListWidget#sideList QScrollBar:vertical { background: @desk; }
QTextEdit#compared { background: @paper; color: @ink; border: 1px solid @line; border-radius: 7px; }
QTreeView#bookTree { background: @desk; color: @ink; border: none; outline: 0; show-decoration-selected: 0; }
QTreeView#bookTree::item { min-height: 26px; border-radius: 5px; padding: 0 6px; }
QTreeView#bookTree::item:hover { background: @hover; }
QTreeView#bookTree::item:selected { background: @hover; color: @ink; font-weight: 600; }
#nodeDetails { border-top: 1px solid @line; }
#bookPanel QSplitter::handle { background: @desk; image: none; }
QCheckBox, QRadioButton { spacing: 7px; }
QCheckBox::indicator, QTreeView::indicator, QListView::indicator { width: 14px; height: 14px;
    border: 1px solid @edge; border-radius: 3px; background: @raised; }
QCheckBox::indicator:checked, QTreeView::indicator:checked, QListView::indicator:checked {
    background: @accent; border-color: @accent; image: url(@icons/tick.svg); }
QTreeView::indicator:indeterminate { background: @edge; }
QCheckBox::indicator:focus { border: 2px solid @accent; width: 12px; height: 12px; }
QCheckBox::indicator:checked:focus { border-color: @ink; }
QCheckBox::indicator:disabled, QTreeView::indicator:disabled { border-color: @line; background: @desk; }
QCheckBox::indicator:checked:disabled, QTreeView::indicator:checked:disabled { background: @faint_ink;
    border-color: @faint_ink; }
QRadioButton::indicator { width: 14px; height: 14px; border: 1px solid @edge; border-radius: 8px;
    background: @raised; }
QRadioButton::indicator:checked { image: url(@icons/dot.svg); }
QRadioButton::indicator:focus { border: 2px solid @accent; width: 12px; height: 12px; }
QCheckBox:disabled, QRadioButton:disabled { color: @faint_ink; }
QTreeView#bookTree::branch { background: @desk; }
QTreeView#bookTree QScrollBar:vertical { background: @desk; }
#runningHead { color: @soft_ink; background: @paper; }
QTextEdit#manuscript, QTextEdit#beside { background: @paper; color: @ink; border: none;
                       selection-background-color: @selection;
                       selection-color: @on_selection; }

QPushButton, QToolButton#pill { background: @raised; color: @ink; border: 1px solid @edge; border-radius: 7px;
    padding: 6px 14px; min-height: 18px; }
QPushButton:hover, QToolButton#pill:hover { background: @hover; }
QPushButton:pressed { background: @line; }
QPushButton:focus, QToolButton#pill:focus { border: 2px solid @accent; padding: 5px 13px; }
QPushButton:disabled { color: @faint_ink; border-color: @line; background: @desk; }
QPushButton[primary="true"] { background: @accent; color: @on_accent; border: 1px solid @accent;
    font-weight: 600; }
QPushButton[primary="true"]:hover { background: @accent_hover; border-color: @accent_hover; }
QPushButton[primary="true"]:focus { border: 2px solid @ink; }
QPushButton[primary="true"]:disabled { background: @hover; color: @faint_ink; border-color: @hover; }
QToolButton#plain { background: transparent; border: 2px solid transparent; border-radius: 7px;
    padding: 5px; }
QToolButton#plain:hover { background: @hover; }
QToolButton#plain:focus { border-color: @accent; }
QToolButton#pill { border-radius: 15px; padding: 5px 14px 5px 10px; }
QToolButton#pill:focus { padding: 4px 13px 4px 9px; }

QComboBox, QLineEdit, QPlainTextEdit { background: @raised; color: @ink; border: 1px solid @edge;
    border-radius: 7px; padding: 5px 9px;
    selection-background-color: @selection; selection-color: @on_selection; }
QComboBox { padding: 5px 4px 5px 9px; min-height: 20px; }
QLineEdit { min-height: 20px; }
QComboBox:focus, QLineEdit:focus, QPlainTextEdit:focus { border: 2px solid @accent; padding: 4px 8px; }
QComboBox:focus { padding: 4px 3px 4px 8px; }
QComboBox:disabled { color: @faint_ink; border-color: @line; background: @desk; }
QComboBox QLineEdit, QComboBox QLineEdit:focus { border: none; padding: 0; background: transparent; }
QComboBox::drop-down { border: none; width: 24px; }
QComboBox::drop-down:editable { border-left: 1px solid @line; width: 26px; margin: 5px 0; }
QComboBox::down-arrow { image: url(@icons/down.svg); width: 16px; height: 16px; }
QComboBox::down-arrow:disabled { image: url(@icons/down-disabled.svg); }
QComboBox QAbstractItemView::item { min-height: 28px; padding: 0 6px; border-radius: 5px; }
QComboBox QAbstractItemView::item:selected { background: @hover; color: @ink; }
QComboBox QAbstractItemView { background: @raised; color: @ink; border: 1px solid @line; padding: 4px;
    outline: 0;    selection-background-color: @hover; selection-color: @ink; }

#toast { background: @note_paper; border: 1px solid @edge; border-radius: 8px; }
#toast QLabel { color: @note_ink; }
#notice[kind="note"] { background: @note_paper; border-bottom: 1px solid @line; }
#notice[kind="note"] QLabel { color: @note_ink; }
#notice[kind="warning"] { background: @warning_paper; border-bottom: 1px solid @line; }
#notice[kind="warning"] QLabel { color: @warning_ink; }
#notice[kind="error"] { background: @error_paper; border-bottom: 1px solid @line; }
#notice[kind="error"] QLabel { color: @error_ink; }

QDateEdit { background: @raised; color: @ink; border: 1px solid @edge; border-radius: 7px; padding: 5px 9px;
    min-height: 20px; selection-background-color: @selection; selection-color: @on_selection; }
QDateEdit:focus { border: 2px solid @accent; padding: 4px 8px; }
QDateEdit:disabled { color: @faint_ink; border-color: @line; background: @desk; }
QDateEdit::drop-down { border: none; width: 24px; }
QSpinBox, QDoubleSpinBox { background: @raised; color: @ink; border: 1px solid @edge; border-radius: 7px;
    padding: 5px 4px 5px 9px; min-height: 20px;
    selection-background-color: @selection; selection-color: @on_selection; }
QSpinBox:focus, QDoubleSpinBox:focus { border: 2px solid @accent; padding: 4px 3px 4px 8px; }
QSpinBox:disabled, QDoubleSpinBox:disabled { color: @faint_ink; border-color: @line; background: @desk; }
QAbstractSpinBox::up-button { subcontrol-origin: border; subcontrol-position: top right; width: 22px;
    border: none; }
QAbstractSpinBox::down-button { subcontrol-origin: border; subcontrol-position: bottom right; width: 22px;
    border: none; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: @hover;
    border-radius: 5px; }
QAbstractSpinBox::up-arrow { image: url(@icons/up.svg); width: 12px; height: 12px; }
QAbstractSpinBox::down-arrow { image: url(@icons/down.svg); width: 12px; height: 12px; }
QAbstractSpinBox::up-arrow:disabled, QAbstractSpinBox::up-arrow:off {
    image: url(@icons/up-disabled.svg); }
QAbstractSpinBox::down-arrow:disabled, QAbstractSpinBox::down-arrow:off {
    image: url(@icons/down-disabled.svg); }
QTreeWidget#shortcutList { background: @paper; color: @ink; border: 1px solid @line; border-radius: 7px;
    outline: 0; }
QTreeWidget#shortcutList::item { padding: 0 6px; }
QTreeWidget#shortcutList::item:hover { background: @hover; }
QTreeWidget#shortcutList::item:selected { background: @selection; color: @on_selection; }
QTreeWidget#shortcutList::branch { background: @paper; }
QTreeWidget#shortcutList QScrollBar:vertical { background: @paper; }
QTreeWidget#shortcutList QHeaderView { background: @paper; }
QTreeWidget#shortcutList QHeaderView::section { background: @paper; color: @soft_ink; border: none;
    border-bottom: 1px solid @line; padding: 6px; }
QTreeWidget#shortcutList:focus { border: 2px solid @accent; }
QListView#cards { background: @paper; border: none; outline: 0; }
QTableView#sessions { background: @paper; color: @ink; border: 1px solid @line; outline: 0;
    selection-background-color: @hover; selection-color: @ink; }
QTableView#sessions::item { padding: 0 10px; border-bottom: 1px solid @line; }
QTableView#sessions QHeaderView { background: @desk; }
QTableView#sessions QHeaderView::section { background: @desk; color: @soft_ink; border: none;
    border-bottom: 1px solid @line; padding: 6px 13px; }

QScrollBar:vertical { background: @paper; width: 14px; margin: 0; border: none; }
QScrollBar::handle:vertical { background: @line; border-radius: 4px; min-height: 36px; margin: 3px; }
QScrollBar::handle:vertical:hover { background: @edge; }
QScrollBar::handle:vertical:disabled { background: none; }
QScrollBar:horizontal { background: @paper; height: 14px; margin: 0; border: none; }
QScrollBar::handle:horizontal { background: @line; border-radius: 4px; min-width: 36px; margin: 3px; }
QScrollBar::handle:horizontal:hover { background: @edge; }
QDialog QScrollBar:vertical { background: @desk; }
QScrollBar::add-line, QScrollBar::sub-line { height: 0; width: 0; border: none; background: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: none; }

#chartDeck { background: @paper; border-top: 1px solid @line; }
QPushButton[segment="true"] { background: transparent; color: @soft_ink; border: 1px solid transparent;
    padding: 3px 10px; min-height: 16px; }
QPushButton[segment="true"]:hover { background: @hover; }
QPushButton[segment="true"]:checked { background: @hover; color: @ink; border-color: @edge; }
QPushButton[segment="true"]:focus { border: 2px solid @accent; padding: 2px 9px; }
QPushButton[segment="true"]:disabled { color: @faint_ink; border-color: transparent;
    background: transparent; }
QTableView#chartTable { background: @paper; alternate-background-color: @desk; color: @ink; border: none;
    selection-background-color: @selection; selection-color: @on_selection; }
QTableView#chartTable QHeaderView::section { background: @paper; color: @soft_ink; border: none;
    border-bottom: 1px solid @line; padding: 4px 8px; }
"""
