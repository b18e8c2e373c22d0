"""The KV cache: storage formats, growth, resume files."""
