"""How queries beside a run are answered: generators that yield after each piece of work."""
