"""Highlights on the text, echoes, alternatives."""
