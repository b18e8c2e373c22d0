"""A page of two novels on which it is measured how a model weighs its words."""

from __future__ import annotations

# Owen Wister, The Virginian (1902)
_DIALOGUE = (
    "“What’s your idea in bringing this here two weeks late?” he said.\n\n"
    "Now, when he had struck that paper, Shorty looked at the Virginian. But nothing happened beyond a "
    "certain change of light in the Southerner’s eyes. And when the Southerner spoke, it was with his "
    "usual gentleness and civility. He explained that the letter had been put in his hands just now by "
    "Shorty.\n\n"
    "“Oh,” said Balaam. He looked at Shorty. How had he come to be a messenger? “You working for the Sunk "
    "Creek outfit again?” said he.\n\n"
    "“No,” said Shorty.\n\n"
    "Balaam turned to the Virginian again. “How do you expect me to get those horses to Sunk Creek by the "
    "30th?”\n\n"
    "The Virginian levelled a lazy eye on Balaam. “I ain’ doin’ any expecting,” said he. His native "
    "dialect was on top today. “The Judge has friends goin’ to arrive from New Yawk for a trip across the "
    "Basin,” he added. “The hawsses are for them.”\n\n"
    "Balaam grunted with displeasure, and thought of the sixty or seventy days since he had told the "
    "Judge he would return the horses at once. He looked across at Shorty seated in the shade, and "
    "through his uneasy thoughts his instinct irrelevantly noted what a good pony the youth rode. It was "
    "the same animal he had seen once or twice before. But something must be done. The Judge’s horses "
    "were far out on the big range, and must be found and driven in, which would take certainly the rest "
    "of this day, possibly part of the next.\n\n"
)
# Nathaniel Hawthorne, The House of the Seven Gables (1851)
_REFLECTION = (
    "Then, moreover, she scarcely thought him affectionate in his nature. He was too calm and cool an "
    "observer. Phoebe felt his eye, often; his heart, seldom or never. He took a certain kind of interest "
    "in Hepzibah and her brother, and Phoebe herself. He studied them attentively, and allowed no "
    "slightest circumstance of their individualities to escape him. He was ready to do them whatever good "
    "he might; but, after all, he never exactly made common cause with them, nor gave any reliable "
    "evidence that he loved them better in proportion as he knew them more. In his relations with them, "
    "he seemed to be in quest of mental food, not heart-sustenance. Phoebe could not conceive what "
    "interested him so much in her friends and herself, intellectually, since he cared nothing for them, "
    "or, comparatively, so little, as objects of human affection.\n\n"
    "Always, in his interviews with Phoebe, the artist made especial inquiry as to the welfare of "
    "Clifford, whom, except at the Sunday festival, he seldom saw.\n\n"
    "“Does he still seem happy?” he asked one day.\n\n"
    "“As happy as a child,” answered Phoebe; “but—like a child, too—very easily disturbed.”\n\n"
    "“How disturbed?” inquired Holgrave. “By things without, or by thoughts within?”\n\n"
    "“I cannot see his thoughts! How should I?” replied Phoebe with simple piquancy. “Very often his "
    "humor changes without any reason that can be guessed at, just as a cloud comes over the sun. "
    "Latterly, since I have begun to know him better, I feel it to be not quite right to look closely "
    "into his moods. He has had such a great sorrow, that his heart is made all solemn and sacred by it. "
    "When he is cheerful—when the sun shines into his mind—then I venture to peep in, just as far as the "
    "light reaches, but no further. It is holy ground where the shadow falls!”\n\n"
)
PAGE = _DIALOGUE + _REFLECTION
