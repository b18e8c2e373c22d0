"""From logits to tokens; knows token ids only, never text."""
