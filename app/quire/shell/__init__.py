"""The window frame: menus, panels, page, notices, status bar, task queue; independent of the features."""
