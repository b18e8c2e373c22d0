"""Running any supported Hugging Face decoder through one attention function of our own."""
