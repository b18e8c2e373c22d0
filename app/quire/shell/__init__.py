"""The window frame: menus, docks, page, notices, status bar, task queue; knows no feature."""
