"""Natural text on which a model is judged when it is loaded: the public domain, in two languages.

Random ids would measure the rounding of scores that no text ever asks for.
"""

from __future__ import annotations

import contextlib

from tokenizers import Tokenizer

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.prompt.tokenization import encode_text

READ = 64
"""Tokens of a piece that are read first."""
JUDGED = 64
"""Tokens behind them whose scores are judged."""

# Wilkie Collins, The Woman in White (1860)
_REPORT = (
    "On the evening of their arrival the housekeeper followed me into the hall to receive her master and "
    "mistress and their guests. The instant he saw her, Sir Percival asked if anyone had called lately. "
    "The housekeeper mentioned to him, in reply, what she had previously mentioned to me, the visit of "
    "the strange gentleman to make inquiries about the time of her master’s return. He asked immediately "
    "for the gentleman’s name. No name had been left. The gentleman’s business? No business had been "
    "mentioned. What was the gentleman like? The housekeeper tried to describe him, but failed to "
    "distinguish the nameless visitor by any personal peculiarity which her master could recognise. Sir "
    "Percival frowned, stamped angrily on the floor, and walked on into the house, taking no notice of "
    "anybody. Why he should have been so discomposed by a trifle I cannot say—but he was seriously "
    "discomposed, beyond all doubt.\n\n"
    "Upon the whole, it will be best, perhaps, if I abstain from forming a decisive opinion of his "
    "manners, language, and conduct in his own house, until time has enabled him to shake off the "
    "anxieties, whatever they may be, which now evidently troubled his mind in secret. I will turn over "
    "to a new page, and my pen shall let Laura’s husband alone for the present.\n\n"
    "The two guests—the Count and Countess Fosco—come next in my catalogue. I will dispose of the "
    "Countess first, so as to have done with the woman as soon as possible."
)
# George Eliot, The Mill on the Floss (1860)
_DIALOGUE = (
    "“Then we might stay here and get a living, and I might keep among my own sisters—and me been such a "
    "good wife to you, and never crossed you from week’s end to week’s end—and they all say so—they say "
    "it ’ud be nothing but right, only you’re so turned against Wakem.”\n\n"
    "“Mother,” said Tom, severely, “this is not the time to talk about that.”\n\n"
    "“Let her be,” said Mr. Tulliver. “Say what you mean, Bessy.”\n\n"
    "“Why, now the mill and the land’s all Wakem’s, and he’s got everything in his hands, what’s the use "
    "o’ setting your face against him, when he says you may stay here, and speaks as fair as can be, and "
    "says you may manage the business, and have thirty shillings a-week, and a horse to ride about to "
    "market? And where have we got to put our heads? We must go into one o’ the cottages in the "
    "village—and me and my children brought down to that—and all because you must set your mind against "
    "folks till there’s no turning you.”\n\n"
    "Mr. Tulliver had sunk back in his chair trembling.\n\n"
    "“You may do as you like wi’ me, Bessy,” he said, in a low voice; “I’ve been the bringing of you to "
    "poverty—this world’s too many for me—I’m nought but a bankrupt; it’s no use standing up for anything "
    "now.”"
)
# Theodor Fontane, Effi Briest (1895)
_DESCRIPTION = (
    "In Front des schon seit Kurfürst Georg Wilhelm von der Familie von Briest bewohnten Herrenhauses zu "
    "Hohen-Cremmen fiel heller Sonnenschein auf die mittagsstille Dorfstraße, während nach der Park- und "
    "Gartenseite hin ein rechtwinklig angebauter Seitenflügel einen breiten Schatten erst auf einen weiß "
    "und grün quadrierten Fliesengang und dann über diesen hinaus auf ein großes, in seiner Mitte mit "
    "einer Sonnenuhr und an seinem Rande mit Canna indica und Rhabarberstauden besetzten Rondell warf. "
    "Einige zwanzig Schritte weiter, in Richtung und Lage genau dem Seitenflügel entsprechend, lief eine "
    "ganz in kleinblättrigem Efeu stehende, nur an einer Stelle von einer kleinen weißgestrichenen "
    "Eisentür unterbrochene Kirchhofsmauer, hinter der der Hohen-Cremmener Schindelturm mit seinem "
    "blitzenden, weil neuerdings erst wieder vergoldeten Wetterhahn aufragte. Fronthaus, Seitenflügel und "
    "Kirchhofsmauer bildeten ein einen kleinen Ziergarten umschließendes Hufeisen, an dessen offener "
    "Seite man eines Teiches mit Wassersteg und angekettetem Boot und dicht daneben einer Schaukel gewahr "
    "wurde."
)
PIECES = (_REPORT, _DIALOGUE, _DESCRIPTION)


def natural_ids(tokenizer: Tokenizer, vocab_size: int) -> tuple[tuple[int, ...], ...]:
    """Return READ + JUDGED ids of each piece, beginning as a prompt does.

    Where a tokenizer makes fewer of a piece they are repeated, and where it makes nothing of it they are
    spread over the vocabulary.
    """
    count = READ + JUDGED
    found: list[tuple[int, ...]] = []
    for number, piece in enumerate(PIECES):
        ids: list[int] = []
        with contextlib.suppress(EnvironmentProblem):  # of a tokenizer of few characters, say
            ids = [token for token in encode_text(tokenizer, piece).ids if token < vocab_size]
        ids = ids or [(7919 * i * i + 104_729 * i + number) % vocab_size for i in range(count)]
        found.append(tuple((ids * (count // len(ids) + 1))[:count]))
    return tuple(found)
