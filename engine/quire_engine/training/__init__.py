"""How the shipped model and its drafters are made: corpus, tokenizer, language model, drafters."""
