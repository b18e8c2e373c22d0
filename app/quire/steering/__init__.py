"""Memory, author's note, lorebook, beats, notes, prompt preview."""
