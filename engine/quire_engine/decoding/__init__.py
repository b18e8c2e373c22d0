"""From logits to tokens: sampling, verification, KV cache bookkeeping. Knows token ids, never text."""
