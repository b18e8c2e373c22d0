"""How the shipped model is made: corpus, tokenizer, language model."""
