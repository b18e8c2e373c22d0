"""Manual, about, crash report to send."""
