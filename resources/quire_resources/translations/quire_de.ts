<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
 <context>
  <name>AboutDialog</name>
  <message>
   <source>About Quire</source>
   <translation>Über Quire</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Drafts novels with a language model on your own computer.</source>
   <translation>Entwirft Romane mit einem Sprachmodell auf Ihrem eigenen Computer.</translation>
  </message>
  <message>
   <source>MIT licence. Literata and Inter: SIL Open Font License.</source>
   <translation>MIT-Lizenz. Literata und Inter: SIL Open Font License.</translation>
  </message>
  <message>
   <source>No account, no network, no telemetry.</source>
   <translation>Kein Konto, kein Netz, keine Telemetrie.</translation>
  </message>
  <message>
   <source>The icon of Quire: folded sheets</source>
   <translation>Das Symbol von Quire: gefaltete Bögen</translation>
  </message>
  <message>
   <source>Version {0}</source>
   <translation>Version {0}</translation>
  </message>
 </context>
 <context>
  <name>AdvancedPage</name>
  <message>
   <source>&amp;Clear</source>
   <translation>&amp;Leeren</translation>
  </message>
  <message>
   <source>&amp;Research view</source>
   <translation>&amp;Forschungsansicht</translation>
  </message>
  <message>
   <source>Cache</source>
   <translation>Zwischenspeicher</translation>
  </message>
  <message>
   <source>Clear the cache</source>
   <translation>Zwischenspeicher leeren</translation>
  </message>
  <message>
   <source>Counting ...</source>
   <translation>Wird gezählt ...</translation>
  </message>
  <message>
   <source>Quire makes all of it again when it is needed. No text of yours is there.</source>
   <translation>Quire legt alles davon bei Bedarf neu an. Kein Text von Ihnen liegt dort.</translation>
  </message>
  <message>
   <source>The cache takes {0}.</source>
   <translation>Der Zwischenspeicher belegt {0}.</translation>
  </message>
  <message>
   <source>Tokens, seeds and technical names beside the words of a writer.</source>
   <translation>Token, Startwerte und Fachbegriffe neben den Wörtern der Schreibenden.</translation>
  </message>
  <message>
   <source>View</source>
   <translation>Ansicht</translation>
  </message>
 </context>
 <context>
  <name>AlternativesDialog</name>
  <message>
   <source>A draft is going on. Pause it first.</source>
   <translation>Gerade wird entworfen. Halten Sie den Entwurf erst an.</translation>
  </message>
  <message>
   <source>Alternatives</source>
   <translation>Alternativen</translation>
  </message>
  <message>
   <source>Alternatives for Selection</source>
   <translation>Alternativen zur Auswahl</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Could stand here</source>
   <translation>Könnte hier stehen</translation>
  </message>
  <message>
   <source>Probability</source>
   <translation>Wahrscheinlichkeit</translation>
  </message>
  <message>
   <source>Puts the text from here on aside as a take, and drafts on behind these letters</source>
   <translation>Legt den Text ab hier als Fassung beiseite und entwirft hinter diesen Buchstaben weiter</translation>
  </message>
  <message>
   <source>Redraft From Here With {0}</source>
   <translation>Ab hier neu entwerfen mit {0}</translation>
  </message>
  <message>
   <source>Redraft From Here With …</source>
   <translation>Ab hier neu entwerfen mit …</translation>
  </message>
  <message>
   <source>The selection; left and right choose a piece of it</source>
   <translation>Die Auswahl; links und rechts wählen ein Stück davon</translation>
  </message>
  <message>
   <source>There is nothing to say about these words.</source>
   <translation>Zu diesen Wörtern ist nichts zu sagen.</translation>
  </message>
  <message>
   <source>{0}  (stands there)</source>
   <translation>{0}  (steht da)</translation>
  </message>
  <message>
   <source>{0}: {1}, choice number {2} of the model. Piece {3} of {4}.</source>
   <translation>{0}: {1}, Wahl Nummer {2} des Modells. Stück {3} von {4}.</translation>
  </message>
 </context>
 <context>
  <name>AppearancePage</name>
  <message>
   <source> characters</source>
   <translation> Zeichen</translation>
  </message>
  <message>
   <source> em</source>
   <translation> em</translation>
  </message>
  <message>
   <source> px</source>
   <translation> px</translation>
  </message>
  <message>
   <source>&amp;Font</source>
   <translation>&amp;Schrift</translation>
  </message>
  <message>
   <source>&amp;Line height</source>
   <translation>&amp;Zeilenhöhe</translation>
  </message>
  <message>
   <source>&amp;Movement</source>
   <translation>&amp;Bewegung</translation>
  </message>
  <message>
   <source>&amp;Size</source>
   <translation>&amp;Größe</translation>
  </message>
  <message>
   <source>&amp;Width of the text</source>
   <translation>&amp;Textbreite</translation>
  </message>
  <message>
   <source>As the system</source>
   <translation>Wie das System</translation>
  </message>
  <message>
   <source>Full</source>
   <translation>Alle</translation>
  </message>
  <message>
   <source>Manuscript</source>
   <translation>Manuskript</translation>
  </message>
  <message>
   <source>Motion</source>
   <translation>Bewegung</translation>
  </message>
  <message>
   <source>Reduced: a still caret, no effects</source>
   <translation>Verringert: ruhige Einfügemarke, keine Effekte</translation>
  </message>
  <message>
   <source>Theme</source>
   <translation>Farben</translation>
  </message>
  <message>
   <source>{0} (usual)</source>
   <translation>{0} (üblich)</translation>
  </message>
 </context>
 <context>
  <name>BookDialog</name>
  <message>
   <source>A4</source>
   <translation>A4</translation>
  </message>
  <message>
   <source>Begin with a title page</source>
   <translation>Mit einer Titelseite beginnen</translation>
  </message>
  <message>
   <source>Book</source>
   <translation>Buch</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Look</source>
   <translation>Aussehen</translation>
  </message>
  <message>
   <source>Paper</source>
   <translation>Papier</translation>
  </message>
  <message>
   <source>Plain</source>
   <translation>Schlicht</translation>
  </message>
  <message>
   <source>Standard manuscript</source>
   <translation>Normseite</translation>
  </message>
  <message>
   <source>Tick at least one chapter.</source>
   <translation>Kreuzen Sie mindestens ein Kapitel an.</translation>
  </message>
  <message>
   <source>US Letter</source>
   <translation>US Letter</translation>
  </message>
 </context>
 <context>
  <name>TreeLabels</name>
  <message>
   <source>1 word</source>
   <translation>1 Wort</translation>
  </message>
  <message>
   <source>Book</source>
   <translation>Buch</translation>
  </message>
  <message>
   <source>Chapter</source>
   <translation>Kapitel</translation>
  </message>
  <message>
   <source>Character</source>
   <translation>Figur</translation>
  </message>
  <message>
   <source>Characters</source>
   <translation>Figuren</translation>
  </message>
  <message>
   <source>Done</source>
   <translation>Fertig</translation>
  </message>
  <message>
   <source>Draft</source>
   <translation>Entwurf</translation>
  </message>
  <message>
   <source>New Book</source>
   <translation>Neues Buch</translation>
  </message>
  <message>
   <source>New Chapter</source>
   <translation>Neues Kapitel</translation>
  </message>
  <message>
   <source>New Character</source>
   <translation>Neue Figur</translation>
  </message>
  <message>
   <source>New Note</source>
   <translation>Neue Notiz</translation>
  </message>
  <message>
   <source>New Part</source>
   <translation>Neuer Teil</translation>
  </message>
  <message>
   <source>New Place</source>
   <translation>Neuer Ort</translation>
  </message>
  <message>
   <source>New Scene</source>
   <translation>Neue Szene</translation>
  </message>
  <message>
   <source>No status</source>
   <translation>Kein Status</translation>
  </message>
  <message>
   <source>Note</source>
   <translation>Notiz</translation>
  </message>
  <message>
   <source>Notes</source>
   <translation>Notizen</translation>
  </message>
  <message>
   <source>Outline</source>
   <translation>Gliederung</translation>
  </message>
  <message>
   <source>Part</source>
   <translation>Teil</translation>
  </message>
  <message>
   <source>Place</source>
   <translation>Ort</translation>
  </message>
  <message>
   <source>Places</source>
   <translation>Orte</translation>
  </message>
  <message>
   <source>Revised</source>
   <translation>Überarbeitet</translation>
  </message>
  <message>
   <source>Scene</source>
   <translation>Szene</translation>
  </message>
  <message>
   <source>Trash</source>
   <translation>Papierkorb</translation>
  </message>
  <message>
   <source>{0} words</source>
   <translation>{0} Wörter</translation>
  </message>
  <message>
   <source>{0} written, {1} drafted</source>
   <translation>{0} geschrieben, {1} entworfen</translation>
  </message>
 </context>
 <context>
  <name>BookTreeModel</name>
  <message>
   <source>Drafted</source>
   <translation>Entworfen</translation>
  </message>
  <message>
   <source>Kept for 30 days</source>
   <translation>Wird 30 Tage aufbewahrt</translation>
  </message>
  <message>
   <source>Status</source>
   <translation>Status</translation>
  </message>
  <message>
   <source>Title</source>
   <translation>Titel</translation>
  </message>
  <message>
   <source>Untitled</source>
   <translation>Ohne Titel</translation>
  </message>
  <message>
   <source>Written</source>
   <translation>Geschrieben</translation>
  </message>
  <message>
   <source>not exported</source>
   <translation>nicht exportiert</translation>
  </message>
 </context>
 <context>
  <name>BookTreeView</name>
  <message>
   <source>Manuscript</source>
   <translation>Manuskript</translation>
  </message>
 </context>
 <context>
  <name>CalibrationController</name>
  <message>
   <source>Accelerated</source>
   <translation>Beschleunigt</translation>
  </message>
  <message>
   <source>Acceleration must not change a single word. Quire drafts 256 tokens from the end of your text twice, plainly and accelerated, with the same seed, and compares them. Nothing is added to your text.</source>
   <translation>Die Beschleunigung darf kein einziges Wort ändern. Quire entwirft vom Ende Ihres Textes an zweimal 256 Token, einfach und beschleunigt, mit demselben Startwert, und vergleicht sie. Ihrem Text wird nichts hinzugefügt.</translation>
  </message>
  <message>
   <source>Begin</source>
   <translation>Beginnen</translation>
  </message>
  <message>
   <source>Boost</source>
   <translation>Schub</translation>
  </message>
  <message>
   <source>Calibrate Pace</source>
   <translation>Tempo messen</translation>
  </message>
  <message>
   <source>Check</source>
   <translation>Prüfen</translation>
  </message>
  <message>
   <source>Drafting twice ...</source>
   <translation>Es wird zweimal entworfen ...</translation>
  </message>
  <message>
   <source>For about a minute Quire drafts a few words at growing lengths, plainly and accelerated, and keeps the times. From then on it knows your boost, and how long a draft will take, before it begins. Nothing is added to your text.</source>
   <translation>Etwa eine Minute lang entwirft Quire bei wachsenden Längen ein paar Wörter, einfach und beschleunigt, und merkt sich die Zeiten. Von da an kennt es Ihren Schub und weiß schon vorher, wie lange ein Entwurf dauern wird. Ihrem Text wird nichts hinzugefügt.</translation>
  </message>
  <message>
   <source>Loading the model ...</source>
   <translation>Das Modell wird geladen ...</translation>
  </message>
  <message>
   <source>Measuring ...</source>
   <translation>Wird gemessen ...</translation>
  </message>
  <message>
   <source>Pace</source>
   <translation>Tempo</translation>
  </message>
  <message>
   <source>Plain</source>
   <translation>Einfach</translation>
  </message>
  <message>
   <source>Plain and accelerated drafting wrote the same {0} tokens.</source>
   <translation>Einfaches und beschleunigtes Entwerfen schrieben dieselben {0} Token.</translation>
  </message>
  <message>
   <source>Seconds</source>
   <translation>Sekunden</translation>
  </message>
  <message>
   <source>Self-Check</source>
   <translation>Selbstprüfung</translation>
  </message>
  <message>
   <source>Stopped. Nothing was kept.</source>
   <translation>Gestoppt. Nichts wurde behalten.</translation>
  </message>
  <message>
   <source>The first {0} of {1} tokens are the same; from token {2} on they differ.</source>
   <translation>Die ersten {0} von {1} Token sind gleich; ab Token {2} sind sie verschieden.</translation>
  </message>
  <message>
   <source>The pace is known now. This model has no acceleration.</source>
   <translation>Das Tempo ist jetzt bekannt. Dieses Modell hat keine Beschleunigung.</translation>
  </message>
  <message>
   <source>Tokens in view</source>
   <translation>Token im Blick</translation>
  </message>
  <message>
   <source>With {0} tokens in view, accelerated drafting is {1} times as fast as plain drafting on this computer.</source>
   <translation>Mit {0} Token im Blick ist beschleunigtes Entwerfen auf diesem Computer {1}-mal so schnell wie einfaches.</translation>
  </message>
  <message>
   <source>{0} That should not be: please report it (Help &gt; Report a Problem).</source>
   <translation>{0} Das sollte nicht sein: Bitte melden Sie es (Hilfe &gt; Ein Problem melden).</translation>
  </message>
  <message>
   <source>{0} This model does not repeat itself exactly on this computer, so that can happen: the words differ, their likelihood does not.</source>
   <translation>{0} Dieses Modell wiederholt sich auf diesem Computer nicht genau, das kann also vorkommen: Die Wörter sind verschieden, ihre Wahrscheinlichkeit ist es nicht.</translation>
  </message>
  <message>
   <source>{0} tokens/s</source>
   <translation>{0} Token/s</translation>
  </message>
 </context>
 <context>
  <name>ChapterPicker</name>
  <message>
   <source>Chapters to export</source>
   <translation>Kapitel für den Export</translation>
  </message>
  <message>
   <source>Without a title</source>
   <translation>Ohne Titel</translation>
  </message>
 </context>
 <context>
  <name>ChartDeck</name>
  <message>
   <source>By time</source>
   <translation>Nach Zeit</translation>
  </message>
  <message>
   <source>By words</source>
   <translation>Nach Wörtern</translation>
  </message>
  <message>
   <source>Charts</source>
   <translation>Diagramme</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Copies the numbers of these charts as CSV</source>
   <translation>Kopiert die Zahlen dieser Diagramme als CSV</translation>
  </message>
  <message>
   <source>Copy numbers</source>
   <translation>Zahlen kopieren</translation>
  </message>
  <message>
   <source>Depth</source>
   <translation>Tiefe</translation>
  </message>
  <message>
   <source>Guesses</source>
   <translation>Vorhersagen</translation>
  </message>
  <message>
   <source>Pace</source>
   <translation>Tempo</translation>
  </message>
  <message>
   <source>Show as table</source>
   <translation>Als Tabelle zeigen</translation>
  </message>
  <message>
   <source>The charts begin with the next draft: pace, guesses and variety as it grows.</source>
   <translation>Die Diagramme beginnen mit dem nächsten Entwurf: Tempo, Vorhersagen und Vielfalt, während er wächst.</translation>
  </message>
  <message>
   <source>Time per step</source>
   <translation>Zeit je Schritt</translation>
  </message>
  <message>
   <source>Variety</source>
   <translation>Vielfalt</translation>
  </message>
  <message>
   <source>Whole text</source>
   <translation>Ganzer Text</translation>
  </message>
 </context>
 <context>
  <name>ChartTable</name>
  <message>
   <source>{0} as a table</source>
   <translation>{0} als Tabelle</translation>
  </message>
 </context>
 <context>
  <name>CompareDialog</name>
  <message>
   <source>A paragraph can be copied where one of the two is what the text reads.</source>
   <translation>Ein Absatz lässt sich kopieren, wenn eine der beiden Seiten der Text ist, wie er jetzt dasteht.</translation>
  </message>
  <message>
   <source>Charts</source>
   <translation>Diagramme</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Compare</source>
   <translation>Vergleichen</translation>
  </message>
  <message>
   <source>Copy Paragraph</source>
   <translation>Absatz kopieren</translation>
  </message>
  <message>
   <source>Figures</source>
   <translation>Kennzahlen</translation>
  </message>
  <message>
   <source>In one place.</source>
   <translation>An einer Stelle.</translation>
  </message>
  <message>
   <source>In {0} places.</source>
   <translation>An {0} Stellen.</translation>
  </message>
  <message>
   <source>It comes in after “{0}”</source>
   <translation>Er kommt hinter „{0}“</translation>
  </message>
  <message>
   <source>It comes in at the beginning of the text.</source>
   <translation>Er kommt an den Anfang des Textes.</translation>
  </message>
  <message>
   <source>It takes the place of “{0}”</source>
   <translation>Er ersetzt „{0}“</translation>
  </message>
  <message>
   <source>Keep Left</source>
   <translation>Linken behalten</translation>
  </message>
  <message>
   <source>Keep Right</source>
   <translation>Rechten behalten</translation>
  </message>
  <message>
   <source>Lays its course over the charts of the one on the left</source>
   <translation>Legt seinen Verlauf über die Diagramme des linken</translation>
  </message>
  <message>
   <source>Next Difference</source>
   <translation>Nächster Unterschied</translation>
  </message>
  <message>
   <source>On the left</source>
   <translation>Links</translation>
  </message>
  <message>
   <source>On the right</source>
   <translation>Rechts</translation>
  </message>
  <message>
   <source>Previous Difference</source>
   <translation>Voriger Unterschied</translation>
  </message>
  <message>
   <source>Texts</source>
   <translation>Texte</translation>
  </message>
  <message>
   <source>The one on the right, too</source>
   <translation>Auch der rechte</translation>
  </message>
  <message>
   <source>The paragraph at the cursor is the same in both.</source>
   <translation>Der Absatz an der Einfügemarke ist in beiden gleich.</translation>
  </message>
  <message>
   <source>The two texts are the same.</source>
   <translation>Die beiden Texte sind gleich.</translation>
  </message>
 </context>
 <context>
  <name>DictionaryFileDialog</name>
  <message>
   <source>Add a dictionary</source>
   <translation>Ein Wörterbuch hinzufügen</translation>
  </message>
  <message>
   <source>Hunspell dictionaries (*.aff *.dic)</source>
   <translation>Hunspell-Wörterbücher (*.aff *.dic)</translation>
  </message>
 </context>
 <context>
  <name>SuggestionMenu</name>
  <message>
   <source>&amp;Add “{0}” to the Word List</source>
   <translation>„{0}“ zur &amp;Wortliste hinzufügen</translation>
  </message>
  <message>
   <source>&amp;Ignore “{0}” for Now</source>
   <translation>„{0}“ vorerst &amp;übergehen</translation>
  </message>
  <message>
   <source>No suggestions</source>
   <translation>Keine Vorschläge</translation>
  </message>
  <message>
   <source>Spelling of {0}</source>
   <translation>Schreibung von {0}</translation>
  </message>
 </context>
 <context>
  <name>DraftBar</name>
  <message>
   <source>Continue</source>
   <translation>Fortsetzen</translation>
  </message>
  <message>
   <source>Draft on from the end of the text (Ctrl+Return)</source>
   <translation>Vom Ende des Textes an weiter entwerfen (Strg+Eingabe)</translation>
  </message>
  <message>
   <source>Goal</source>
   <translation>Ziel</translation>
  </message>
  <message>
   <source>Pause</source>
   <translation>Anhalten</translation>
  </message>
  <message>
   <source>Stop after this word; everything is kept (Esc)</source>
   <translation>Nach diesem Wort anhalten; alles bleibt erhalten (Esc)</translation>
  </message>
  <message>
   <source>Switch to dark</source>
   <translation>Zu Dunkel wechseln</translation>
  </message>
  <message>
   <source>Switch to light</source>
   <translation>Zu Hell wechseln</translation>
  </message>
 </context>
 <context>
  <name>DraftingPage</name>
  <message>
   <source> word pieces</source>
   <translation> Wortstücke</translation>
  </message>
  <message>
   <source> words</source>
   <translation> Wörter</translation>
  </message>
  <message>
   <source> words on</source>
   <translation> Wörtern</translation>
  </message>
  <message>
   <source>&amp;Keep the computer awake during a draft</source>
   <translation>Den Computer während eines Entwurfs &amp;wach halten</translation>
  </message>
  <message>
   <source>&amp;Look back over at most</source>
   <translation>&amp;Zurückschauen über höchstens</translation>
  </message>
  <message>
   <source>&amp;Notify me when a draft ends or needs me</source>
   <translation>Mich &amp;benachrichtigen, wenn ein Entwurf endet oder mich braucht</translation>
  </message>
  <message>
   <source>&amp;Say what it will take</source>
   <translation>&amp;Sagen, was er braucht</translation>
  </message>
  <message>
   <source>&amp;Store what it has read</source>
   <translation>Gelesenes a&amp;ufbewahren</translation>
  </message>
  <message>
   <source>All that the model can</source>
   <translation>Alles, was das Modell kann</translation>
  </message>
  <message>
   <source>As usual</source>
   <translation>Wie üblich</translation>
  </message>
  <message>
   <source>Ask me</source>
   <translation>Mich fragen</translation>
  </message>
  <message>
   <source>Before a long draft</source>
   <translation>Vor einem langen Entwurf</translation>
  </message>
  <message>
   <source>Begin a new &amp;chapter at every heading that the model writes</source>
   <translation>Bei jeder Überschrift, die das Modell schreibt, ein neues &amp;Kapitel beginnen</translation>
  </message>
  <message>
   <source>Begin one also &amp;every</source>
   <translation>Außerdem &amp;alle</translation>
  </message>
  <message>
   <source>Go on and tell me</source>
   <translation>Weitermachen und es mir sagen</translation>
  </message>
  <message>
   <source>Go on without reading it again</source>
   <translation>Weitermachen, ohne es neu zu lesen</translation>
  </message>
  <message>
   <source>Half the room changes the words; the computer's memory is slower and changes none. A draft that was begun with less goes on with less.</source>
   <translation>Der halbe Platz ändert die Wörter; der Speicher des Computers ist langsamer und ändert keines. Ein Entwurf, der mit weniger begonnen wurde, geht mit weniger weiter.</translation>
  </message>
  <message>
   <source>I &amp;edited what the model has read</source>
   <translation>Gelesenes wurde von mir &amp;geändert</translation>
  </message>
  <message>
   <source>In half the room</source>
   <translation>Auf halbem Platz</translation>
  </message>
  <message>
   <source>In the computer's memory</source>
   <translation>Im Speicher des Computers</translation>
  </message>
  <message>
   <source>Never</source>
   <translation>Nie</translation>
  </message>
  <message>
   <source>New chapters</source>
   <translation>Neue Kapitel</translation>
  </message>
  <message>
   <source>Pause and tell me</source>
   <translation>Anhalten und es mir sagen</translation>
  </message>
  <message>
   <source>Read it again</source>
   <translation>Es neu lesen</translation>
  </message>
  <message>
   <source>The draft &amp;repeats itself</source>
   <translation>Der Entwurf &amp;wiederholt sich</translation>
  </message>
  <message>
   <source>When memory is short</source>
   <translation>Wenn der Speicher knapp ist</translation>
  </message>
  <message>
   <source>When something happens</source>
   <translation>Wenn etwas geschieht</translation>
  </message>
  <message>
   <source>from </source>
   <translation>ab </translation>
  </message>
 </context>
 <context>
  <name>EchoDensity</name>
  <message>
   <source>No part of the text repeats itself much.</source>
   <translation>Kein Teil des Textes wiederholt sich stark.</translation>
  </message>
  <message>
   <source>Nothing is known about echoes yet.</source>
   <translation>Über Echos ist noch nichts bekannt.</translation>
  </message>
  <message>
   <source>{0} of {1} parts of the text repeat themselves; most {2}.</source>
   <translation>{0} von {1} Teilen des Textes wiederholen sich; am stärksten {2}.</translation>
  </message>
 </context>
 <context>
  <name>EchoList</name>
  <message>
   <source>&amp;Copy Numbers</source>
   <translation>Zahlen &amp;kopieren</translation>
  </message>
  <message>
   <source>&amp;Look Again</source>
   <translation>Noch einmal &amp;suchen</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Copies the list as CSV</source>
   <translation>Kopiert die Liste als CSV</translation>
  </message>
  <message>
   <source>Echo List</source>
   <translation>Liste der Echos</translation>
  </message>
  <message>
   <source>Echoes</source>
   <translation>Echos</translation>
  </message>
  <message>
   <source>Looking for echoes …</source>
   <translation>Echos werden gesucht …</translation>
  </message>
  <message>
   <source>Show &amp;Next</source>
   <translation>&amp;Nächstes zeigen</translation>
  </message>
  <message>
   <source>This Text</source>
   <translation>Dieser Text</translation>
  </message>
  <message>
   <source>Whole Book</source>
   <translation>Ganzes Buch</translation>
  </message>
  <message>
   <source>{0} of {1}</source>
   <translation>{0} von {1}</translation>
  </message>
 </context>
 <context>
  <name>EchoMap</name>
  <message>
   <source>Echo map</source>
   <translation>Karte der Echos</translation>
  </message>
  <message>
   <source>Echoes here: {0}. {1} through the text. Click to go there.</source>
   <translation>Echos hier: {0}. {1} des Textes. Ein Klick führt dorthin.</translation>
  </message>
  <message>
   <source>none</source>
   <translation>keine</translation>
  </message>
 </context>
 <context>
  <name>EchoTable</name>
  <message>
   <source>None of the {0} words and marks repeat what stands nearby.</source>
   <translation>Keines der {0} Wörter und Zeichen wiederholt, was in der Nähe steht.</translation>
  </message>
  <message>
   <source>Passage</source>
   <translation>Stelle</translation>
  </message>
  <message>
   <source>Repeated</source>
   <translation>Wiederholt</translation>
  </message>
  <message>
   <source>There is no text yet.</source>
   <translation>Es gibt noch keinen Text.</translation>
  </message>
  <message>
   <source>Times</source>
   <translation>Male</translation>
  </message>
  <message>
   <source>Words and marks in the repetitions; the first time does not count</source>
   <translation>Wörter und Zeichen in den Wiederholungen; das erste Mal zählt nicht</translation>
  </message>
  <message>
   <source>{0} of {1} words and marks begin an echo. In published novels: 0.03% to 1.6%.</source>
   <translation>{0} von {1} Wörtern und Zeichen beginnen ein Echo. In veröffentlichten Romanen: 0,03 % bis 1,6 %.</translation>
  </message>
 </context>
 <context>
  <name>ExportDialog</name>
  <message>
   <source>1 word</source>
   <translation>1 Wort</translation>
  </message>
  <message>
   <source>All</source>
   <translation>Alle</translation>
  </message>
  <message>
   <source>As they are</source>
   <translation>Wie sie sind</translation>
  </message>
  <message>
   <source>Between scenes</source>
   <translation>Zwischen Szenen</translation>
  </message>
  <message>
   <source>Change...</source>
   <translation>Ändern...</translation>
  </message>
  <message>
   <source>Chapter titles</source>
   <translation>Kapiteltitel</translation>
  </message>
  <message>
   <source>Chapters</source>
   <translation>Kapitel</translation>
  </message>
  <message>
   <source>EPUB book (.epub)</source>
   <translation>EPUB-Buch (.epub)</translation>
  </message>
  <message>
   <source>End with a page that says how it was written</source>
   <translation>Mit einer Seite enden, die sagt, wie es geschrieben wurde</translation>
  </message>
  <message>
   <source>Export</source>
   <translation>Exportieren</translation>
  </message>
  <message>
   <source>Export Manuscript</source>
   <translation>Manuskript exportieren</translation>
  </message>
  <message>
   <source>File name</source>
   <translation>Dateiname</translation>
  </message>
  <message>
   <source>Folder</source>
   <translation>Ordner</translation>
  </message>
  <message>
   <source>Folder for the file</source>
   <translation>Ordner für die Datei</translation>
  </message>
  <message>
   <source>Format</source>
   <translation>Format</translation>
  </message>
  <message>
   <source>How many of its words were written, drafted, and drafted and edited</source>
   <translation>Wie viele seiner Wörter geschrieben, entworfen oder entworfen und bearbeitet wurden</translation>
  </message>
  <message>
   <source>Markdown (.md)</source>
   <translation>Markdown (.md)</translation>
  </message>
  <message>
   <source>None</source>
   <translation>Keine</translation>
  </message>
  <message>
   <source>Numbered: Chapter 1: Title</source>
   <translation>Nummeriert: Kapitel 1: Titel</translation>
  </message>
  <message>
   <source>Numbers alone: Chapter 1</source>
   <translation>Nur Nummern: Kapitel 1</translation>
  </message>
  <message>
   <source>OpenDocument text (.odt)</source>
   <translation>OpenDocument-Text (.odt)</translation>
  </message>
  <message>
   <source>PDF (.pdf)</source>
   <translation>PDF (.pdf)</translation>
  </message>
  <message>
   <source>Plain text (.txt)</source>
   <translation>Reiner Text (.txt)</translation>
  </message>
  <message>
   <source>Set like a book: indented paragraphs, every chapter on a new page.</source>
   <translation>Gesetzt wie ein Buch: eingezogene Absätze, jedes Kapitel auf einer neuen Seite.</translation>
  </message>
  <message>
   <source>Space between paragraphs, nothing else.</source>
   <translation>Abstand zwischen den Absätzen, sonst nichts.</translation>
  </message>
  <message>
   <source>Text with marks for headings, italics and bold.</source>
   <translation>Text mit Zeichen für Überschriften, Kursives und Fettes.</translation>
  </message>
  <message>
   <source>The book: the chapters ticked here</source>
   <translation>Das Buch: die hier angekreuzten Kapitel</translation>
  </message>
  <message>
   <source>The last take in it ({0})</source>
   <translation>Die letzte Fassung darin ({0})</translation>
  </message>
  <message>
   <source>The selection ({0})</source>
   <translation>Die Auswahl ({0})</translation>
  </message>
  <message>
   <source>The text that is open ({0})</source>
   <translation>Der geöffnete Text ({0})</translation>
  </message>
  <message>
   <source>The words alone: italics and bold are left out.</source>
   <translation>Nur die Wörter: Kursives und Fettes entfällt.</translation>
  </message>
  <message>
   <source>There is a file of this name. It will be replaced.</source>
   <translation>Es gibt schon eine Datei dieses Namens. Sie wird ersetzt.</translation>
  </message>
  <message>
   <source>Tick at least one chapter.</source>
   <translation>Kreuzen Sie mindestens ein Kapitel an.</translation>
  </message>
  <message>
   <source>Typewriter face, double-spaced, as agents and editors ask for.</source>
   <translation>Schreibmaschinenschrift, doppelter Zeilenabstand, wie Agenturen und Lektorate es wünschen.</translation>
  </message>
  <message>
   <source>Web page (.html)</source>
   <translation>Webseite (.html)</translation>
  </message>
  <message>
   <source>Rich Text (.rtf)</source>
   <translation>Rich Text (.rtf)</translation>
  </message>
  <message>
   <source>What</source>
   <translation>Was</translation>
  </message>
  <message>
   <source>Word document (.docx)</source>
   <translation>Word-Dokument (.docx)</translation>
  </message>
  <message>
   <source>Writing {0}</source>
   <translation>{0} wird geschrieben</translation>
  </message>
  <message>
   <source>{0} words</source>
   <translation>{0} Wörter</translation>
  </message>
 </context>
 <context>
  <name>FigureRows</name>
  <message>
   <source>Figures of the take</source>
   <translation>Kennzahlen der Fassung</translation>
  </message>
 </context>
 <context>
  <name>FiguresTable</name>
  <message>
   <source>Figure</source>
   <translation>Kennzahl</translation>
  </message>
  <message>
   <source>Figures of both</source>
   <translation>Kennzahlen beider</translation>
  </message>
 </context>
 <context>
  <name>FindBar</name>
  <message>
   <source>1 match</source>
   <translation>1 Treffer</translation>
  </message>
  <message>
   <source>1 replaced</source>
   <translation>1 ersetzt</translation>
  </message>
  <message>
   <source>Close (Esc)</source>
   <translation>Schließen (Esc)</translation>
  </message>
  <message>
   <source>Find in this text</source>
   <translation>In diesem Text suchen</translation>
  </message>
  <message>
   <source>Next match (Return)</source>
   <translation>Nächster Treffer (Eingabe)</translation>
  </message>
  <message>
   <source>Nothing found</source>
   <translation>Nichts gefunden</translation>
  </message>
  <message>
   <source>Previous match (Shift+Return)</source>
   <translation>Voriger Treffer (Umschalt+Eingabe)</translation>
  </message>
  <message>
   <source>Replace</source>
   <translation>Ersetzen</translation>
  </message>
  <message>
   <source>Replace All</source>
   <translation>Alle ersetzen</translation>
  </message>
  <message>
   <source>Replace with</source>
   <translation>Ersetzen durch</translation>
  </message>
  <message>
   <source>The text is locked. Pause the draft to replace.</source>
   <translation>Der Text ist gesperrt. Halten Sie den Entwurf an, um zu ersetzen.</translation>
  </message>
  <message>
   <source>{0} matches</source>
   <translation>{0} Treffer</translation>
  </message>
  <message>
   <source>{0} of {1}</source>
   <translation>{0} von {1}</translation>
  </message>
  <message>
   <source>{0} replaced</source>
   <translation>{0} ersetzt</translation>
  </message>
 </context>
 <context>
  <name>FocusMode</name>
  <message>
   <source>F8 or Esc brings everything back</source>
   <translation>F8 oder Esc holt alles zurück</translation>
  </message>
 </context>
 <context>
  <name>GoalBar</name>
  <message>
   <source>Words towards the goal</source>
   <translation>Wörter bis zum Ziel</translation>
  </message>
 </context>
 <context>
  <name>GoalBox</name>
  <message>
   <source>A phrase</source>
   <translation>Eine Wendung</translation>
  </message>
  <message>
   <source>End of the chapter</source>
   <translation>Ende des Kapitels</translation>
  </message>
  <message>
   <source>Goal</source>
   <translation>Ziel</translation>
  </message>
  <message>
   <source>Pauses after {0} minutes, reading included</source>
   <translation>Hält nach {0} Minuten an, das Lesen mitgezählt</translation>
  </message>
  <message>
   <source>Stop at a phrase...</source>
   <translation>Bei einer Wendung anhalten...</translation>
  </message>
  <message>
   <source>Stops after {0} words, at the end of a sentence</source>
   <translation>Hält nach {0} Wörtern an, am Ende eines Satzes</translation>
  </message>
  <message>
   <source>Stops at a phrase</source>
   <translation>Hält bei einer Wendung an</translation>
  </message>
  <message>
   <source>Stops before the heading of the next chapter, after {0} words at the latest</source>
   <translation>Hält vor der Überschrift des nächsten Kapitels an, spätestens nach {0} Wörtern</translation>
  </message>
  <message>
   <source>{0} minutes</source>
   <translation>{0} Minuten</translation>
  </message>
  <message>
   <source>{0} or “{1}”</source>
   <translation>{0} oder „{1}“</translation>
  </message>
  <message>
   <source>{0} words</source>
   <translation>{0} Wörter</translation>
  </message>
  <message>
   <source>{0}, or after “{1}”</source>
   <translation>{0}, oder nach „{1}“</translation>
  </message>
  <message>
   <source>{0}, or where the model ends the text</source>
   <translation>{0}, oder wo das Modell den Text beendet</translation>
  </message>
 </context>
 <context>
  <name>GoalForm</name>
  <message>
   <source>80,000</source>
   <translation>80.000</translation>
  </message>
  <message>
   <source>A goal is a number of words from {0} to {1}.</source>
   <translation>Ein Ziel ist eine Zahl von Wörtern von {0} bis {1}.</translation>
  </message>
  <message>
   <source>By a certain day</source>
   <translation>Bis zu einem bestimmten Tag</translation>
  </message>
  <message>
   <source>Day by which the book shall have them</source>
   <translation>Tag, an dem das Buch sie haben soll</translation>
  </message>
  <message>
   <source>Goal for the book</source>
   <translation>Ziel für das Buch</translation>
  </message>
  <message>
   <source>No goal is set for the book.</source>
   <translation>Für das Buch ist kein Ziel gesetzt.</translation>
  </message>
  <message>
   <source>Remove Goal</source>
   <translation>Ziel entfernen</translation>
  </message>
  <message>
   <source>Set Goal</source>
   <translation>Ziel setzen</translation>
  </message>
  <message>
   <source>The goal is reached.</source>
   <translation>Das Ziel ist erreicht.</translation>
  </message>
  <message>
   <source>Words that the book shall have</source>
   <translation>Wörter, die das Buch haben soll</translation>
  </message>
  <message>
   <source>by</source>
   <translation>bis</translation>
  </message>
  <message>
   <source>words</source>
   <translation>Wörter</translation>
  </message>
  <message>
   <source>{0} of {1} words.</source>
   <translation>{0} von {1} Wörtern.</translation>
  </message>
  <message>
   <source>{0} to go, all of them today.</source>
   <translation>Noch {0}, alle davon heute.</translation>
  </message>
  <message>
   <source>{0} to go, and {1} is over. Choose another day.</source>
   <translation>Noch {0}, und {1} ist vorbei. Wählen Sie einen anderen Tag.</translation>
  </message>
  <message>
   <source>{0} to go.</source>
   <translation>Noch {0}.</translation>
  </message>
  <message>
   <source>{0} to go: {1} a day until {2}.</source>
   <translation>Noch {0}: {1} am Tag bis {2}.</translation>
  </message>
 </context>
 <context>
  <name>HelpActions</name>
  <message>
   <source>&amp;Close Project</source>
   <translation>Projekt s&amp;chließen</translation>
  </message>
  <message>
   <source>&amp;Manual</source>
   <translation>&amp;Handbuch</translation>
  </message>
  <message>
   <source>&amp;Report a Problem...</source>
   <translation>Ein &amp;Problem melden...</translation>
  </message>
  <message>
   <source>&amp;Welcome Page</source>
   <translation>&amp;Willkommensseite</translation>
  </message>
  <message>
   <source>Sample &amp;Project</source>
   <translation>&amp;Beispielprojekt</translation>
  </message>
 </context>
 <context>
  <name>ImportDialog</name>
  <message>
   <source>1 text</source>
   <translation>1 Text</translation>
  </message>
  <message>
   <source>At chapters</source>
   <translation>An Kapiteln</translation>
  </message>
  <message>
   <source>At chapters and scenes</source>
   <translation>An Kapiteln und Szenen</translation>
  </message>
  <message>
   <source>Author</source>
   <translation>Autorin oder Autor</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Chapter</source>
   <translation>Kapitel</translation>
  </message>
  <message>
   <source>Divide it</source>
   <translation>Aufteilen</translation>
  </message>
  <message>
   <source>File</source>
   <translation>Datei</translation>
  </message>
  <message>
   <source>Import</source>
   <translation>Importieren</translation>
  </message>
  <message>
   <source>Import a Manuscript</source>
   <translation>Ein Manuskript importieren</translation>
  </message>
  <message>
   <source>Kind</source>
   <translation>Art</translation>
  </message>
  <message>
   <source>Nowhere, unless it is too long</source>
   <translation>Nirgends, außer es ist zu lang</translation>
  </message>
  <message>
   <source>Only the text is imported; left out: {0}.</source>
   <translation>Nur der Text wird importiert; weggelassen: {0}.</translation>
  </message>
  <message>
   <source>Part</source>
   <translation>Teil</translation>
  </message>
  <message>
   <source>Reading {0}</source>
   <translation>{0} wird gelesen</translation>
  </message>
  <message>
   <source>Scene</source>
   <translation>Szene</translation>
  </message>
  <message>
   <source>Texts that will be made</source>
   <translation>Texte, die entstehen</translation>
  </message>
  <message>
   <source>The file itself is not changed.</source>
   <translation>Die Datei selbst wird nicht geändert.</translation>
  </message>
  <message>
   <source>Title</source>
   <translation>Titel</translation>
  </message>
  <message>
   <source>Without a title</source>
   <translation>Ohne Titel</translation>
  </message>
  <message>
   <source>Words</source>
   <translation>Wörter</translation>
  </message>
  <message>
   <source>{0} texts</source>
   <translation>{0} Texte</translation>
  </message>
  <message>
   <source>{0}, {1} words.</source>
   <translation>{0}, {1} Wörter.</translation>
  </message>
 </context>
 <context>
  <name>ImportStart</name>
  <message>
   <source>Choose a text...</source>
   <translation>Einen Text wählen...</translation>
  </message>
  <message>
   <source>Word, OpenDocument, EPUB, Markdown or plain text. The next step shows its parts and chapters before anything is made of it, and asks for title and author. The file is not changed.</source>
   <translation>Word, OpenDocument, EPUB, Markdown oder reiner Text. Der nächste Schritt zeigt Teile und Kapitel, bevor etwas daraus gemacht wird, und fragt nach Titel und Namen. Die Datei wird nicht geändert.</translation>
  </message>
 </context>
 <context>
  <name>LanguagePage</name>
  <message>
   <source>&amp;Language</source>
   <translation>&amp;Sprache</translation>
  </message>
  <message>
   <source>As the system</source>
   <translation>Wie das System</translation>
  </message>
  <message>
   <source>Language of the window</source>
   <translation>Sprache des Fensters</translation>
  </message>
  <message>
   <source>Takes effect the next time Quire starts. Your texts stay as they are.</source>
   <translation>Gilt ab dem nächsten Start von Quire. Ihre Texte bleiben, wie sie sind.</translation>
  </message>
 </context>
 <context>
  <name>LastDraftActions</name>
  <message>
   <source>&amp;Bring Back the Draft</source>
   <translation>Entwurf zurück&amp;bringen</translation>
  </message>
  <message>
   <source>Puts it aside as a take</source>
   <translation>Legt ihn als Fassung beiseite</translation>
  </message>
  <message>
   <source>Ta&amp;ke Back the Last Draft</source>
   <translation>Letzten Entwurf &amp;zurücknehmen</translation>
  </message>
 </context>
 <context>
  <name>LoreDialog</name>
  <message>
   <source>&amp;Keys</source>
   <translation>&amp;Schlüsselwörter</translation>
  </message>
  <message>
   <source>&amp;Name</source>
   <translation>&amp;Name</translation>
  </message>
  <message>
   <source>&amp;Text</source>
   <translation>&amp;Text</translation>
  </message>
  <message>
   <source>A few plain sentences, as a narrator would say them</source>
   <translation>Ein paar schlichte Sätze, wie ein Erzähler sie sagen würde</translation>
  </message>
  <message>
   <source>Always tell the model, whatever the story is about</source>
   <translation>Dem Modell immer sagen, wovon die Geschichte auch handelt</translation>
  </message>
  <message>
   <source>An entry needs a name and a text.</source>
   <translation>Ein Eintrag braucht einen Namen und einen Text.</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Lorebook Entry</source>
   <translation>Lexikoneintrag</translation>
  </message>
  <message>
   <source>Save</source>
   <translation>Speichern</translation>
  </message>
  <message>
   <source>Switched on</source>
   <translation>Eingeschaltet</translation>
  </message>
  <message>
   <source>This is a note of your project ({0}). Open the note to change its text.</source>
   <translation>Das ist eine Notiz Ihres Projekts ({0}). Öffnen Sie die Notiz, um ihren Text zu ändern.</translation>
  </message>
  <message>
   <source>Who or what it is, such as Mara</source>
   <translation>Wer oder was es ist, etwa Mara</translation>
  </message>
  <message>
   <source>Words with commas between them; empty: the name</source>
   <translation>Wörter, durch Kommas getrennt; leer: der Name</translation>
  </message>
  <message>
   <source>{0}. It is told when one of its keys stands in the newest pages at a start.</source>
   <translation>{0}. Wird gesagt, wenn eines der Schlüsselwörter beim Start auf den neuesten Seiten steht.</translation>
  </message>
 </context>
 <context>
  <name>LoreList</name>
  <message>
   <source> (pinned)</source>
   <translation> (angeheftet)</translation>
  </message>
  <message>
   <source>Called by: {0}</source>
   <translation>Gerufen durch: {0}</translation>
  </message>
  <message>
   <source>Edit</source>
   <translation>Bearbeiten</translation>
  </message>
  <message>
   <source>Lorebook</source>
   <translation>Lexikon</translation>
  </message>
  <message>
   <source>People, places and things, told to the model when the story comes to speak of them.</source>
   <translation>Menschen, Orte und Dinge, die das Modell erfährt, wenn die Geschichte auf sie zu sprechen kommt.</translation>
  </message>
  <message>
   <source>Pin</source>
   <translation>Anheften</translation>
  </message>
  <message>
   <source>Remove</source>
   <translation>Entfernen</translation>
  </message>
  <message>
   <source>Told every time</source>
   <translation>Wird jedes Mal gesagt</translation>
  </message>
  <message>
   <source>Unpin</source>
   <translation>Lösen</translation>
  </message>
  <message>
   <source>Without a name</source>
   <translation>Ohne Namen</translation>
  </message>
 </context>
 <context>
  <name>MainWindow</name>
  <message>
   <source>Find</source>
   <translation>Suchen</translation>
  </message>
  <message>
   <source>Keep a &amp;Fast Resume File</source>
   <translation>&amp;Datei für schnelles Fortsetzen behalten</translation>
  </message>
  <message>
   <source>Keep a &amp;Fast Resume File (about {0})</source>
   <translation>&amp;Datei für schnelles Fortsetzen behalten (etwa {0})</translation>
  </message>
  <message>
   <source>Manuscript</source>
   <translation>Buch</translation>
  </message>
  <message>
   <source>Snapshots</source>
   <translation>Schnappschüsse</translation>
  </message>
  <message>
   <source>Takes</source>
   <translation>Fassungen</translation>
  </message>
  <message>
   <source>{0} - Quire</source>
   <translation>{0} - Quire</translation>
  </message>
 </context>
 <context>
  <name>ManualDialog</name>
  <message>
   <source>Contents</source>
   <translation>Inhalt</translation>
  </message>
  <message>
   <source>Find in the manual</source>
   <translation>Im Handbuch suchen</translation>
  </message>
  <message>
   <source>Found on {0} of {1} pages</source>
   <translation>Auf {0} von {1} Seiten gefunden</translation>
  </message>
  <message>
   <source>Manual</source>
   <translation>Handbuch</translation>
  </message>
  <message>
   <source>No page has these words.</source>
   <translation>Auf keiner Seite stehen diese Wörter.</translation>
  </message>
  <message>
   <source>Page of the manual</source>
   <translation>Seite des Handbuchs</translation>
  </message>
 </context>
 <context>
  <name>ManuscriptActions</name>
  <message>
   <source>&amp;Cut into Several Texts</source>
   <translation>In mehrere Texte &amp;zerlegen</translation>
  </message>
  <message>
   <source>&amp;Empty the Trash...</source>
   <translation>Papierkorb &amp;leeren...</translation>
  </message>
  <message>
   <source>&amp;Export It</source>
   <translation>Wird &amp;exportiert</translation>
  </message>
  <message>
   <source>&amp;Merge with the Text Before</source>
   <translation>Mit dem Text davor &amp;verbinden</translation>
  </message>
  <message>
   <source>&amp;Rename</source>
   <translation>&amp;Umbenennen</translation>
  </message>
  <message>
   <source>&amp;Restore</source>
   <translation>&amp;Wiederherstellen</translation>
  </message>
  <message>
   <source>&amp;Split Here</source>
   <translation>Hier &amp;teilen</translation>
  </message>
  <message>
   <source>Delete for &amp;Good...</source>
   <translation>&amp;Endgültig löschen...</translation>
  </message>
  <message>
   <source>Move &amp;Down</source>
   <translation>Nach &amp;unten</translation>
  </message>
  <message>
   <source>Move &amp;Up</source>
   <translation>Nach &amp;oben</translation>
  </message>
  <message>
   <source>New N&amp;ote</source>
   <translation>Neue &amp;Notiz</translation>
  </message>
  <message>
   <source>Put into the &amp;Trash</source>
   <translation>In den &amp;Papierkorb</translation>
  </message>
  <message>
   <source>St&amp;atus</source>
   <translation>&amp;Status</translation>
  </message>
 </context>
 <context>
  <name>ManuscriptEditor</name>
  <message>
   <source>Go to the end, where the draft grows</source>
   <translation>Zum Ende, wo der Entwurf wächst</translation>
  </message>
  <message>
   <source>Manuscript</source>
   <translation>Manuskript</translation>
  </message>
  <message>
   <source>Newest words</source>
   <translation>Neueste Wörter</translation>
  </message>
 </context>
 <context>
  <name>ManuscriptPanel</name>
  <message>
   <source>+ New</source>
   <translation>+ Neu</translation>
  </message>
  <message>
   <source>Delete everything in the trash for good?</source>
   <translation>Alles im Papierkorb endgültig löschen?</translation>
  </message>
  <message>
   <source>Delete for Good</source>
   <translation>Endgültig löschen</translation>
  </message>
  <message>
   <source>Delete {0} for good?</source>
   <translation>{0} endgültig löschen?</translation>
  </message>
  <message>
   <source>Its texts, their takes and what is known about their drafts go with it. Snapshots stay.</source>
   <translation>Die Texte, ihre Fassungen und was über ihre Entwürfe bekannt ist, werden mit gelöscht. Schnappschüsse bleiben.</translation>
  </message>
  <message>
   <source>Keep</source>
   <translation>Behalten</translation>
  </message>
  <message>
   <source>New chapter, scene or note</source>
   <translation>Neues Kapitel, neue Szene oder Notiz</translation>
  </message>
  <message>
   <source>Trash</source>
   <translation>Papierkorb</translation>
  </message>
 </context>
 <context>
  <name>MeasuringDialog</name>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>How far it is</source>
   <translation>Wie weit es ist</translation>
  </message>
  <message>
   <source>Stop</source>
   <translation>Stopp</translation>
  </message>
 </context>
 <context>
  <name>MemoryBar</name>
  <message>
   <source>GPU</source>
   <translation>GPU</translation>
  </message>
  <message>
   <source>Memory</source>
   <translation>Speicher</translation>
  </message>
  <message>
   <source>{0} At the goal about {1} will be.</source>
   <translation>{0} Am Ziel werden es etwa {1} sein.</translation>
  </message>
  <message>
   <source>{0} At the goal {1} would be needed: choose a smaller goal or model.</source>
   <translation>{0} Am Ziel wären {1} nötig: Wählen Sie ein kleineres Ziel oder Modell.</translation>
  </message>
  <message>
   <source>{0} {1} of {2}</source>
   <translation>{0} {1} von {2}</translation>
  </message>
  <message>
   <source>{0}: {1} of {2} are used, {3} of them by Quire.</source>
   <translation>{0}: {1} von {2} sind belegt, davon {3} durch Quire.</translation>
  </message>
 </context>
 <context>
  <name>MemoryVersionsDialog</name>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Earlier Versions of Memory</source>
   <translation>Frühere Stände des Gedächtnisses</translation>
  </message>
  <message>
   <source>Until {0}</source>
   <translation>Bis {0}</translation>
  </message>
  <message>
   <source>Use This Version</source>
   <translation>Diesen Stand verwenden</translation>
  </message>
  <message>
   <source>Versions, the newest first</source>
   <translation>Stände, der neueste zuerst</translation>
  </message>
  <message>
   <source>What it said</source>
   <translation>Was darin stand</translation>
  </message>
 </context>
 <context>
  <name>MessagePage</name>
  <message>
   <source>New project...</source>
   <translation>Neues Projekt...</translation>
  </message>
  <message>
   <source>Open the last good backup</source>
   <translation>Die letzte gute Sicherung öffnen</translation>
  </message>
  <message>
   <source>Open...</source>
   <translation>Öffnen...</translation>
  </message>
 </context>
 <context>
  <name>ModelDownloadBox</name>
  <message>
   <source>, about {0} min left</source>
   <translation>, noch etwa {0} Min.</translation>
  </message>
  <message>
   <source>Asking Hugging Face...</source>
   <translation>Hugging Face wird gefragt...</translation>
  </message>
  <message>
   <source>Checking {0}</source>
   <translation>{0} wird geprüft</translation>
  </message>
  <message>
   <source>Download</source>
   <translation>Herunterladen</translation>
  </message>
  <message>
   <source>Downloading {0}</source>
   <translation>{0} wird heruntergeladen</translation>
  </message>
  <message>
   <source>Keep it in the keyring of this computer</source>
   <translation>Im Schlüsselbund dieses Computers aufbewahren</translation>
  </message>
  <message>
   <source>Look It Up</source>
   <translation>Nachschlagen</translation>
  </message>
  <message>
   <source>Name of a model on Hugging Face</source>
   <translation>Name eines Modells auf Hugging Face</translation>
  </message>
  <message>
   <source>Name on Hugging Face: maker/model</source>
   <translation>Name auf Hugging Face: Hersteller/Modell</translation>
  </message>
  <message>
   <source>Pause</source>
   <translation>Anhalten</translation>
  </message>
  <message>
   <source>Token for Hugging Face</source>
   <translation>Zugangsschlüssel für Hugging Face</translation>
  </message>
  <message>
   <source>Your token</source>
   <translation>Ihr Zugangsschlüssel</translation>
  </message>
  <message>
   <source>not named; see {0}</source>
   <translation>nicht genannt; siehe {0}</translation>
  </message>
  <message>
   <source>{0} of {1}</source>
   <translation>{0} von {1}</translation>
  </message>
  <message>
   <source>{0}: {1} to download. Licence: {2}.</source>
   <translation>{0}: {1} herunterzuladen. Lizenz: {2}.</translation>
  </message>
 </context>
 <context>
  <name>ModelTable</name>
  <message>
   <source>Cannot be used</source>
   <translation>Nicht verwendbar</translation>
  </message>
  <message>
   <source>Fits</source>
   <translation>Passt</translation>
  </message>
  <message>
   <source>Fits shorter texts</source>
   <translation>Passt für kürzere Texte</translation>
  </message>
  <message>
   <source>Its preparation was stopped, and can go on.</source>
   <translation>Die Vorbereitung wurde angehalten und kann weitergehen.</translation>
  </message>
  <message>
   <source>Licence: that of Quire</source>
   <translation>Lizenz: die von Quire</translation>
  </message>
  <message>
   <source>Licence: {0}</source>
   <translation>Lizenz: {0}</translation>
  </message>
  <message>
   <source>Looking...</source>
   <translation>Wird gesucht...</translation>
  </message>
  <message>
   <source>Looks back over {0} word pieces, about {1} words</source>
   <translation>Schaut über {0} Wortstücke zurück, etwa {1} Wörter</translation>
  </message>
  <message>
   <source>Model</source>
   <translation>Modell</translation>
  </message>
  <message>
   <source>Not finished</source>
   <translation>Nicht fertig</translation>
  </message>
  <message>
   <source>Not prepared: drafting is quicker with a quick guesser.</source>
   <translation>Nicht vorbereitet: Mit einer Schnellvorhersage geht das Entwerfen schneller.</translation>
  </message>
  <message>
   <source>On this computer</source>
   <translation>Auf diesem Computer</translation>
  </message>
  <message>
   <source>Prepared: it has a quick guesser.</source>
   <translation>Vorbereitet: Es hat eine Schnellvorhersage.</translation>
  </message>
  <message>
   <source>Size</source>
   <translation>Größe</translation>
  </message>
  <message>
   <source>Space</source>
   <translation>Platz</translation>
  </message>
  <message>
   <source>Takes requests</source>
   <translation>Nimmt Aufträge an</translation>
  </message>
  <message>
   <source>The quick guesser beside it is another model's; prepare this one.</source>
   <translation>Die Schnellvorhersage daneben gehört zu einem anderen Modell; bereiten Sie dieses vor.</translation>
  </message>
  <message>
   <source>Too large</source>
   <translation>Zu groß</translation>
  </message>
  <message>
   <source>Writes on from a text</source>
   <translation>Schreibt einen Text weiter</translation>
  </message>
  <message>
   <source>not named</source>
   <translation>nicht genannt</translation>
  </message>
  <message>
   <source>{0} billion parameters</source>
   <translation>{0} Milliarden Parameter</translation>
  </message>
  <message>
   <source>{0} million parameters</source>
   <translation>{0} Millionen Parameter</translation>
  </message>
  <message>
   <source>{0}K</source>
   <translation>{0}K</translation>
  </message>
 </context>
 <context>
  <name>ModelViewDialog</name>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>In this order</source>
   <translation>In dieser Reihenfolge</translation>
  </message>
  <message>
   <source>Left out</source>
   <translation>Weggelassen</translation>
  </message>
  <message>
   <source>Look Again</source>
   <translation>Noch einmal nachsehen</translation>
  </message>
  <message>
   <source>Parts, in the order in which they are read</source>
   <translation>Teile in der Reihenfolge, in der sie gelesen werden</translation>
  </message>
  <message>
   <source>The beginning of the manuscript</source>
   <translation>Der Anfang des Manuskripts</translation>
  </message>
  <message>
   <source>Tokens are estimated until the model is loaded.</source>
   <translation>Token sind geschätzt, bis das Modell geladen ist.</translation>
  </message>
  <message>
   <source>What is left out, and why</source>
   <translation>Was weggelassen ist, und warum</translation>
  </message>
  <message>
   <source>What the Model Sees</source>
   <translation>Was das Modell sieht</translation>
  </message>
  <message>
   <source>{0} ({1} characters): {2}</source>
   <translation>{0} ({1} Zeichen): {2}</translation>
  </message>
  <message>
   <source>{0} characters, {1} words.</source>
   <translation>{0} Zeichen, {1} Wörter.</translation>
  </message>
 </context>
 <context>
  <name>ModelLibraryController</name>
  <message>
   <source>Another model is being downloaded. Wait for it, or pause it.</source>
   <translation>Gerade wird ein anderes Modell heruntergeladen. Warten Sie darauf, oder halten Sie es an.</translation>
  </message>
  <message>
   <source>Paused. Choose it in the list, then Go On.</source>
   <translation>Angehalten. Wählen Sie es in der Liste, dann Weitermachen.</translation>
  </message>
  <message>
   <source>Stopped. It goes on where it was when you prepare it again.</source>
   <translation>Gestoppt. Es geht dort weiter, wo es war, wenn Sie es wieder vorbereiten.</translation>
  </message>
  <message>
   <source>{0} drafts from now on.</source>
   <translation>Ab jetzt entwirft {0}.</translation>
  </message>
  <message>
   <source>{0} is here. Use drafts with it.</source>
   <translation>{0} ist da. Verwenden entwirft damit.</translation>
  </message>
  <message>
   <source>{0} is off the list; its folder stays.</source>
   <translation>{0} steht nicht mehr in der Liste; sein Ordner bleibt.</translation>
  </message>
  <message>
   <source>{0} is on the list.</source>
   <translation>{0} steht in der Liste.</translation>
  </message>
  <message>
   <source>{0} is prepared. It is quicker when it is loaded next.</source>
   <translation>{0} ist vorbereitet. Es ist schneller, wenn es das nächste Mal geladen wird.</translation>
  </message>
  <message>
   <source>{0} was deleted.</source>
   <translation>{0} wurde gelöscht.</translation>
  </message>
 </context>
 <context>
  <name>ModelsActions</name>
  <message>
   <source>&amp;Models...</source>
   <translation>&amp;Modelle...</translation>
  </message>
  <message>
   <source>&amp;Prepare This Model...</source>
   <translation>Dieses Modell &amp;vorbereiten...</translation>
  </message>
 </context>
 <context>
  <name>ModelsDialog</name>
  <message>
   <source>, about {0} min more</source>
   <translation>, noch etwa {0} Min.</translation>
  </message>
  <message>
   <source>Add a Folder...</source>
   <translation>Einen Ordner hinzufügen...</translation>
  </message>
  <message>
   <source>Choose the folder of a model</source>
   <translation>Den Ordner eines Modells wählen</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Delete</source>
   <translation>Löschen</translation>
  </message>
  <message>
   <source>Delete This Download?</source>
   <translation>Dieses heruntergeladene Modell löschen?</translation>
  </message>
  <message>
   <source>Delete {0}{1} from this computer?</source>
   <translation>{0}{1} von diesem Computer löschen?</translation>
  </message>
  <message>
   <source>Delete...</source>
   <translation>Löschen...</translation>
  </message>
  <message>
   <source>Go On</source>
   <translation>Weitermachen</translation>
  </message>
  <message>
   <source>It can be downloaded again. Your texts stay as they are.</source>
   <translation>Es lässt sich wieder herunterladen. Ihre Texte bleiben, wie sie sind.</translation>
  </message>
  <message>
   <source>Keep It</source>
   <translation>Behalten</translation>
  </message>
  <message>
   <source>Load it with &amp;smaller weights (int8)</source>
   <translation>Mit &amp;kleineren Gewichten laden (int8)</translation>
  </message>
  <message>
   <source>Models</source>
   <translation>Modelle</translation>
  </message>
  <message>
   <source>Prepare...</source>
   <translation>Vorbereiten...</translation>
  </message>
  <message>
   <source>Preparing {0}</source>
   <translation>{0} wird vorbereitet</translation>
  </message>
  <message>
   <source>Preparing {0}: {1}</source>
   <translation>{0} wird vorbereitet: {1}</translation>
  </message>
  <message>
   <source>Remove</source>
   <translation>Entfernen</translation>
  </message>
  <message>
   <source>Remove...</source>
   <translation>Entfernen...</translation>
  </message>
  <message>
   <source>Takes about half the memory, writes slightly different words, and is slower on a processor.</source>
   <translation>Braucht etwa die Hälfte des Speichers, schreibt etwas andere Wörter und ist auf einem Prozessor langsamer.</translation>
  </message>
  <message>
   <source>The weights of this model cannot be made smaller yet.</source>
   <translation>Die Gewichte dieses Modells lassen sich noch nicht verkleinern.</translation>
  </message>
  <message>
   <source>Train a quick guesser: drafting gets faster, the text stays</source>
   <translation>Eine Schnellvorhersage trainieren: Das Entwerfen wird schneller, der Text bleibt gleich</translation>
  </message>
  <message>
   <source>Use</source>
   <translation>Verwenden</translation>
  </message>
  <message>
   <source>it writes text of its own</source>
   <translation>es schreibt eigenen Text</translation>
  </message>
  <message>
   <source>the first guesser learns</source>
   <translation>die erste Vorhersage lernt</translation>
  </message>
  <message>
   <source>the guessers are tried</source>
   <translation>die Vorhersagen werden erprobt</translation>
  </message>
  <message>
   <source>the second guesser learns</source>
   <translation>die zweite Vorhersage lernt</translation>
  </message>
 </context>
 <context>
  <name>NewProjectDialog</name>
  <message>
   <source>A blank page</source>
   <translation>Eine leere Seite</translation>
  </message>
  <message>
   <source>A text to import</source>
   <translation>Ein Text zum Importieren</translation>
  </message>
  <message>
   <source>An opening</source>
   <translation>Ein Anfang</translation>
  </message>
  <message>
   <source>An outline</source>
   <translation>Eine Gliederung</translation>
  </message>
  <message>
   <source>As it should stand on the title page</source>
   <translation>Wie es auf der Titelseite stehen soll</translation>
  </message>
  <message>
   <source>Author</source>
   <translation>Autorin oder Autor</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Change the folder</source>
   <translation>Den Ordner ändern</translation>
  </message>
  <message>
   <source>Change...</source>
   <translation>Ändern...</translation>
  </message>
  <message>
   <source>Create</source>
   <translation>Anlegen</translation>
  </message>
  <message>
   <source>Folder</source>
   <translation>Ordner</translation>
  </message>
  <message>
   <source>Folder for the project</source>
   <translation>Ordner für das Projekt</translation>
  </message>
  <message>
   <source>Language</source>
   <translation>Sprache</translation>
  </message>
  <message>
   <source>Language of the book</source>
   <translation>Sprache des Buches</translation>
  </message>
  <message>
   <source>New Project</source>
   <translation>Neues Projekt</translation>
  </message>
  <message>
   <source>Next</source>
   <translation>Weiter</translation>
  </message>
  <message>
   <source>One empty chapter. To draft, write a beginning first: the model goes on from it.</source>
   <translation>Ein leeres Kapitel. Schreiben Sie zum Entwerfen erst einen Anfang: Das Modell macht dort weiter.</translation>
  </message>
  <message>
   <source>Start from</source>
   <translation>Beginnen mit</translation>
  </message>
  <message>
   <source>The title of your book</source>
   <translation>Der Titel Ihres Buches</translation>
  </message>
  <message>
   <source>There is already a project of this name in the folder.</source>
   <translation>In dem Ordner gibt es schon ein Projekt dieses Namens.</translation>
  </message>
  <message>
   <source>Title</source>
   <translation>Titel</translation>
  </message>
  <message>
   <source>What the project begins with</source>
   <translation>Womit das Projekt beginnt</translation>
  </message>
 </context>
 <context>
  <name>NodeDetails</name>
  <message>
   <source>Export</source>
   <translation>Exportieren</translation>
  </message>
  <message>
   <source>Synopsis</source>
   <translation>Kurzinhalt</translation>
  </message>
  <message>
   <source>Untitled</source>
   <translation>Ohne Titel</translation>
  </message>
  <message>
   <source>What happens here, in a sentence or two</source>
   <translation>Was hier geschieht, in ein, zwei Sätzen</translation>
  </message>
  <message>
   <source>Whether it is part of what is exported and printed</source>
   <translation>Ob es exportiert und gedruckt wird</translation>
  </message>
 </context>
 <context>
  <name>NotesPanel</name>
  <message>
   <source>In the Lorebook</source>
   <translation>Im Lexikon</translation>
  </message>
  <message>
   <source>No notes yet. Manuscript, New Note makes one: a note, a character or a place.</source>
   <translation>Noch keine Notizen. Manuskript, Neue Notiz legt eine an: Notiz, Figur oder Ort.</translation>
  </message>
  <message>
   <source>Notes</source>
   <translation>Notizen</translation>
  </message>
  <message>
   <source>Notes, characters and places</source>
   <translation>Notizen, Figuren und Orte</translation>
  </message>
  <message>
   <source>Open</source>
   <translation>Öffnen</translation>
  </message>
  <message>
   <source>Tell the model what this note says when the story speaks of it</source>
   <translation>Dem Modell sagen, was in dieser Notiz steht, wenn die Geschichte davon spricht</translation>
  </message>
  <message>
   <source>Untitled</source>
   <translation>Ohne Titel</translation>
  </message>
  <message>
   <source>What the note says</source>
   <translation>Was in der Notiz steht</translation>
  </message>
 </context>
 <context>
  <name>NoticeBar</name>
  <message>
   <source>Choose model...</source>
   <translation>Modell wählen...</translation>
  </message>
  <message>
   <source>Close Quire</source>
   <translation>Quire schließen</translation>
  </message>
  <message>
   <source>Discard this take</source>
   <translation>Diese Fassung verwerfen</translation>
  </message>
  <message>
   <source>Dismiss</source>
   <translation>Verwerfen</translation>
  </message>
  <message>
   <source>Go on to {0} words</source>
   <translation>Bis {0} Wörter weiterschreiben</translation>
  </message>
  <message>
   <source>Let it read the newest part</source>
   <translation>Den neuesten Teil lesen lassen</translation>
  </message>
  <message>
   <source>Load the model again</source>
   <translation>Modell neu laden</translation>
  </message>
  <message>
   <source>Look back over less</source>
   <translation>Weniger weit zurückschauen</translation>
  </message>
  <message>
   <source>Open the last good backup</source>
   <translation>Die letzte gute Sicherung öffnen</translation>
  </message>
  <message>
   <source>Resume drafting</source>
   <translation>Entwurf fortsetzen</translation>
  </message>
  <message>
   <source>Rewind and go on</source>
   <translation>Zurückspulen und weiter</translation>
  </message>
  <message>
   <source>Save again</source>
   <translation>Noch einmal speichern</translation>
  </message>
  <message>
   <source>Show Report</source>
   <translation>Bericht zeigen</translation>
  </message>
  <message>
   <source>Store it smaller</source>
   <translation>Kleiner aufbewahren</translation>
  </message>
  <message>
   <source>Switch Drafting On</source>
   <translation>Entwerfen einschalten</translation>
  </message>
  <message>
   <source>The model looks back over the newest {0} word pieces; from here on it writes other words</source>
   <translation>Das Modell schaut über die neuesten {0} Wortstücke zurück; ab hier schreibt es andere Wörter</translation>
  </message>
  <message>
   <source>The same words, and fewer of them</source>
   <translation>Dieselben Wörter, nur weniger davon</translation>
  </message>
  <message>
   <source>Use the computer's memory</source>
   <translation>Speicher des Computers nutzen</translation>
  </message>
  <message>
   <source>What the model has read lies in the computer's memory; slower, and the words may be others</source>
   <translation>Was das Modell gelesen hat, liegt im Arbeitsspeicher; langsamer, und die Wörter können andere sein</translation>
  </message>
  <message>
   <source>What the model has read takes half the room; from here on it writes other words</source>
   <translation>Was das Modell gelesen hat, braucht den halben Platz; ab hier schreibt es andere Wörter</translation>
  </message>
 </context>
 <context>
  <name>DesktopNotifier</name>
  <message>
   <source>Goal reached</source>
   <translation>Ziel erreicht</translation>
  </message>
  <message>
   <source>The draft is finished</source>
   <translation>Der Entwurf ist fertig</translation>
  </message>
  <message>
   <source>The draft is paused</source>
   <translation>Der Entwurf ist angehalten</translation>
  </message>
  <message>
   <source>The draft needs you</source>
   <translation>Der Entwurf braucht Sie</translation>
  </message>
  <message>
   <source>The draft stopped</source>
   <translation>Der Entwurf hat gestoppt</translation>
  </message>
  <message>
   <source>{0} words were drafted.</source>
   <translation>{0} Wörter wurden entworfen.</translation>
  </message>
 </context>
 <context>
  <name>OpeningStart</name>
  <message>
   <source>1 word.</source>
   <translation>1 Wort.</translation>
  </message>
  <message>
   <source>A page or more helps the model find the voice, but it need not be that long.</source>
   <translation>Eine Seite oder mehr hilft dem Modell, den Ton zu treffen, aber so lang muss es nicht sein.</translation>
  </message>
  <message>
   <source>Opening</source>
   <translation>Anfang</translation>
  </message>
  <message>
   <source>Paste or write a beginning, or leave it empty.
A page or more helps the model find the voice.</source>
   <translation>Fügen Sie einen Anfang ein, schreiben Sie ihn, oder lassen Sie es leer.
Eine Seite oder mehr hilft dem Modell, den Ton zu treffen.</translation>
  </message>
  <message>
   <source>{0} words.</source>
   <translation>{0} Wörter.</translation>
  </message>
 </context>
 <context>
  <name>OriginText</name>
  <message>
   <source>What the model sees</source>
   <translation>Was das Modell sieht</translation>
  </message>
 </context>
 <context>
  <name>OutlineStart</name>
  <message>
   <source>Chapters of the outline</source>
   <translation>Kapitel der Gliederung</translation>
  </message>
  <message>
   <source>Outline</source>
   <translation>Gliederung</translation>
  </message>
 </context>
 <context>
  <name>OutlineTable</name>
  <message>
   <source>Drafted</source>
   <translation>Entworfen</translation>
  </message>
  <message>
   <source>Goal</source>
   <translation>Ziel</translation>
  </message>
  <message>
   <source>Kind</source>
   <translation>Art</translation>
  </message>
  <message>
   <source>Status</source>
   <translation>Status</translation>
  </message>
  <message>
   <source>Title</source>
   <translation>Titel</translation>
  </message>
  <message>
   <source>Untitled</source>
   <translation>Ohne Titel</translation>
  </message>
  <message>
   <source>What happens</source>
   <translation>Was geschieht</translation>
  </message>
  <message>
   <source>Written</source>
   <translation>Geschrieben</translation>
  </message>
 </context>
 <context>
  <name>OutlineView</name>
  <message>
   <source>Back to Writing</source>
   <translation>Zurück zum Schreiben</translation>
  </message>
  <message>
   <source>Copy as CSV</source>
   <translation>Als CSV kopieren</translation>
  </message>
  <message>
   <source>Esc</source>
   <translation>Esc</translation>
  </message>
  <message>
   <source>F2 or a double click changes what happens and the status.</source>
   <translation>F2 oder ein Doppelklick ändert den Kurzinhalt und den Status.</translation>
  </message>
  <message>
   <source>Outline</source>
   <translation>Gliederung</translation>
  </message>
  <message>
   <source>Outline of the book</source>
   <translation>Gliederung des Buches</translation>
  </message>
  <message>
   <source>The rows that are chosen, or all of them</source>
   <translation>Die gewählten Zeilen, oder alle</translation>
  </message>
 </context>
 <context>
  <name>OverlayActions</name>
  <message>
   <source>&amp;Alternatives for Selection...</source>
   <translation>&amp;Alternativen zur Auswahl...</translation>
  </message>
  <message>
   <source>&amp;Echo List...</source>
   <translation>&amp;Liste der Echos...</translation>
  </message>
  <message>
   <source>&amp;Next Overlay</source>
   <translation>&amp;Nächste Hervorhebung</translation>
  </message>
  <message>
   <source>Go to the &amp;Twin of This Echo</source>
   <translation>Zum &amp;Zwilling dieses Echos</translation>
  </message>
 </context>
 <context>
  <name>OverlayLayer</name>
  <message>
   <source>Comes again: “{0}”. Ctrl+click goes there.</source>
   <translation>Kommt wieder: „{0}“. Strg+Klick führt dorthin.</translation>
  </message>
  <message>
   <source>Stands before as well: “{0}”. Ctrl+click goes there.</source>
   <translation>Steht schon davor: „{0}“. Strg+Klick führt dorthin.</translation>
  </message>
 </context>
 <context>
  <name>OverlayLegend</name>
  <message>
   <source>Legend: {0}</source>
   <translation>Legende: {0}</translation>
  </message>
 </context>
 <context>
  <name>OverlayPicker</name>
  <message>
   <source>Overlay: {0}</source>
   <translation>Hervorhebung: {0}</translation>
  </message>
  <message>
   <source>Overlay: {0} ▾</source>
   <translation>Hervorhebung: {0} ▾</translation>
  </message>
  <message>
   <source>{0}. F7 shows the next one.</source>
   <translation>{0}. F7 zeigt die nächste.</translation>
  </message>
 </context>
 <context>
  <name>OverlayTexts</name>
  <message>
   <source>Below 1%</source>
   <translation>Unter 1 %</translation>
  </message>
  <message>
   <source>Below 10%</source>
   <translation>Unter 10 %</translation>
  </message>
  <message>
   <source>Below 50%</source>
   <translation>Unter 50 %</translation>
  </message>
  <message>
   <source>Comes again</source>
   <translation>Kommt wieder</translation>
  </message>
  <message>
   <source>Drafted</source>
   <translation>Entworfen</translation>
  </message>
  <message>
   <source>Drafted by an earlier Quire: known for whole steps only.</source>
   <translation>Von einem früheren Quire entworfen: nur für ganze Schritte bekannt.</translation>
  </message>
  <message>
   <source>Drafted, then edited</source>
   <translation>Entworfen, dann bearbeitet</translation>
  </message>
  <message>
   <source>Echoes</source>
   <translation>Echos</translation>
  </message>
  <message>
   <source>Expected</source>
   <translation>Erwartet</translation>
  </message>
  <message>
   <source>Full model</source>
   <translation>Volles Modell</translation>
  </message>
  <message>
   <source>Guesses</source>
   <translation>Vorhersagen</translation>
  </message>
  <message>
   <source>How probable the model finds the words that were selected</source>
   <translation>Für wie wahrscheinlich das Modell die ausgewählten Wörter hält</translation>
  </message>
  <message>
   <source>No words are repeated nearby.</source>
   <translation>In der Nähe wiederholt sich kein Wort.</translation>
  </message>
  <message>
   <source>None</source>
   <translation>Keine</translation>
  </message>
  <message>
   <source>Nothing here was drafted, or all of it was written anew.</source>
   <translation>Hier wurde nichts entworfen, oder alles davon wurde neu geschrieben.</translation>
  </message>
  <message>
   <source>Pasted</source>
   <translation>Eingefügt</translation>
  </message>
  <message>
   <source>Phrase reuse</source>
   <translation>Wiederverwendete Wendungen</translation>
  </message>
  <message>
   <source>Quick guesser</source>
   <translation>Schnellvorhersage</translation>
  </message>
  <message>
   <source>Select words and choose Inspect &gt; Alternatives for Selection.</source>
   <translation>Wählen Sie Wörter aus, dann Untersuchen &gt; Alternativen zur Auswahl.</translation>
  </message>
  <message>
   <source>Six words and marks or more that stand nearby already</source>
   <translation>Sechs oder mehr Wörter und Zeichen, die in der Nähe schon stehen</translation>
  </message>
  <message>
   <source>Source</source>
   <translation>Herkunft</translation>
  </message>
  <message>
   <source>Stands before as well</source>
   <translation>Steht schon davor</translation>
  </message>
  <message>
   <source>Surprise</source>
   <translation>Überraschung</translation>
  </message>
  <message>
   <source>The text alone</source>
   <translation>Nur der Text</translation>
  </message>
  <message>
   <source>There is no text yet.</source>
   <translation>Es gibt noch keinen Text.</translation>
  </message>
  <message>
   <source>Which drafted words were guessed and kept; guesses never change the text</source>
   <translation>Welche entworfenen Wörter vorhergesagt und übernommen wurden; Vorhersagen ändern nie den Text</translation>
  </message>
  <message>
   <source>Who wrote which part of the text</source>
   <translation>Wer welchen Teil des Textes geschrieben hat</translation>
  </message>
  <message>
   <source>You wrote</source>
   <translation>Von Ihnen geschrieben</translation>
  </message>
 </context>
 <context>
  <name>PhraseDialog</name>
  <message>
   <source>Also stop where the model itself ends the text</source>
   <translation>Auch anhalten, wo das Modell selbst den Text beendet</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Phrase</source>
   <translation>Wendung</translation>
  </message>
  <message>
   <source>Stop at a Phrase</source>
   <translation>Bei einer Wendung anhalten</translation>
  </message>
  <message>
   <source>The draft stops as soon as these very characters were written, or at its goal, whichever comes first. They stay in the text. Leave it empty to stop at the goal only.</source>
   <translation>Der Entwurf hält an, sobald genau diese Zeichen geschrieben wurden, oder an seinem Ziel, je nachdem, was zuerst kommt. Sie bleiben im Text. Lassen Sie es leer, um nur am Ziel anzuhalten.</translation>
  </message>
  <message>
   <source>Use It</source>
   <translation>Verwenden</translation>
  </message>
  <message>
   <source>Where should the draft stop?</source>
   <translation>Wo soll der Entwurf anhalten?</translation>
  </message>
  <message>
   <source>such as: The End</source>
   <translation>etwa: Ende</translation>
  </message>
 </context>
 <context>
  <name>PreferenceActions</name>
  <message>
   <source>&amp;Preferences...</source>
   <translation>&amp;Einstellungen...</translation>
  </message>
 </context>
 <context>
  <name>PreferencesDialog</name>
  <message>
   <source>Advanced</source>
   <translation>Erweitert</translation>
  </message>
  <message>
   <source>Appearance</source>
   <translation>Aussehen</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Drafting</source>
   <translation>Entwerfen</translation>
  </message>
  <message>
   <source>Language</source>
   <translation>Sprache</translation>
  </message>
  <message>
   <source>Pages</source>
   <translation>Seiten</translation>
  </message>
  <message>
   <source>Preferences</source>
   <translation>Einstellungen</translation>
  </message>
  <message>
   <source>Shortcuts</source>
   <translation>Tastenkürzel</translation>
  </message>
  <message>
   <source>Writing</source>
   <translation>Schreiben</translation>
  </message>
 </context>
 <context>
  <name>PreflightPanel</name>
  <message>
   <source> words on</source>
   <translation> Wörtern</translation>
  </message>
  <message>
   <source>Before you start</source>
   <translation>Vor dem Start</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Show this from</source>
   <translation>Dies zeigen ab</translation>
  </message>
  <message>
   <source>Show this panel from so many words on</source>
   <translation>Diese Übersicht ab so vielen Wörtern zeigen</translation>
  </message>
  <message>
   <source>Start</source>
   <translation>Starten</translation>
  </message>
 </context>
 <context>
  <name>PreflightTexts</name>
  <message>
   <source>About {0} min</source>
   <translation>Etwa {0} Min.</translation>
  </message>
  <message>
   <source>About {0} to {1} h</source>
   <translation>Etwa {0} bis {1} Std.</translation>
  </message>
  <message>
   <source>About {0} to {1} min</source>
   <translation>Etwa {0} bis {1} Min.</translation>
  </message>
  <message>
   <source>About {0} tokens</source>
   <translation>Etwa {0} Token</translation>
  </message>
  <message>
   <source>About {0} {1} needed, {2} free</source>
   <translation>Etwa {0} {1} nötig, {2} frei</translation>
  </message>
  <message>
   <source>About {0} {1} needed, {2} free: choose a smaller goal or model</source>
   <translation>Etwa {0} {1} nötig, {2} frei: Wählen Sie ein kleineres Ziel oder Modell</translation>
  </message>
  <message>
   <source>About {0} {1} needed, {2} free: close other programs</source>
   <translation>Etwa {0} {1} nötig, {2} frei: Schließen Sie andere Programme</translation>
  </message>
  <message>
   <source>About {0} {1} needed; what is free is not known</source>
   <translation>Etwa {0} {1} nötig; wie viel frei ist, ist nicht bekannt</translation>
  </message>
  <message>
   <source>Fits: about {0} of {1} tokens at the goal</source>
   <translation>Passt: am Ziel etwa {0} von {1} Token</translation>
  </message>
  <message>
   <source>Goal</source>
   <translation>Ziel</translation>
  </message>
  <message>
   <source>Goes to</source>
   <translation>Kommt</translation>
  </message>
  <message>
   <source>Loading the model …</source>
   <translation>Das Modell wird geladen …</translation>
  </message>
  <message>
   <source>Memory</source>
   <translation>Speicher</translation>
  </message>
  <message>
   <source>More than the model can look back over (about {0} of {1} tokens): it will forget the oldest part on the way</source>
   <translation>Mehr, als das Modell überblicken kann (etwa {0} von {1} Token): Den ältesten Teil vergisst es unterwegs</translation>
  </message>
  <message>
   <source>None is needed: the draft goes on from where it stopped</source>
   <translation>Keiner nötig: Der Entwurf geht dort weiter, wo er anhielt</translation>
  </message>
  <message>
   <source>Not known yet</source>
   <translation>Noch nicht bekannt</translation>
  </message>
  <message>
   <source>Not known yet: this model has not drafted here. Tools &gt; Calibrate Pace tells</source>
   <translation>Noch nicht bekannt: Dieses Modell hat hier noch nicht entworfen. Extras &gt; Tempo messen sagt es</translation>
  </message>
  <message>
   <source>Nothing: the model has the text</source>
   <translation>Nichts: Das Modell hat den Text</translation>
  </message>
  <message>
   <source>Reads first</source>
   <translation>Liest zuerst</translation>
  </message>
  <message>
   <source>Snapshot</source>
   <translation>Schnappschuss</translation>
  </message>
  <message>
   <source>Space</source>
   <translation>Platz</translation>
  </message>
  <message>
   <source>Time</source>
   <translation>Dauer</translation>
  </message>
  <message>
   <source>To a phrase</source>
   <translation>Bis zu einer Wendung</translation>
  </message>
  <message>
   <source>To the end of the chapter, {0} words at most</source>
   <translation>Bis zum Ende des Kapitels, höchstens {0} Wörter</translation>
  </message>
  <message>
   <source>Under a minute</source>
   <translation>Weniger als eine Minute</translation>
  </message>
  <message>
   <source>of memory</source>
   <translation>Arbeitsspeicher</translation>
  </message>
  <message>
   <source>on the GPU</source>
   <translation>auf der GPU</translation>
  </message>
  <message>
   <source>{0} at the longest</source>
   <translation>{0}, höchstens</translation>
  </message>
  <message>
   <source>{0} min at most</source>
   <translation>Höchstens {0} Min.</translation>
  </message>
  <message>
   <source>{0} minutes, reading included</source>
   <translation>{0} Minuten, das Lesen mitgezählt</translation>
  </message>
  <message>
   <source>{0} words, to the end of a sentence</source>
   <translation>{0} Wörter, bis zum Ende eines Satzes</translation>
  </message>
  <message>
   <source>{0}, by earlier drafts of this model</source>
   <translation>{0}, nach früheren Entwürfen dieses Modells</translation>
  </message>
  <message>
   <source>{0}, by the calibration of this computer</source>
   <translation>{0}, nach der Messung dieses Computers</translation>
  </message>
  <message>
   <source>{0}, {1}</source>
   <translation>{0}, {1}</translation>
  </message>
  <message>
   <source>{0}; or “{1}”</source>
   <translation>{0}; oder „{1}“</translation>
  </message>
  <message>
   <source>“{0}”, in the Snapshots panel</source>
   <translation>„{0}“, im Bereich Schnappschüsse</translation>
  </message>
 </context>
 <context>
  <name>PrepareDialog</name>
  <message>
   <source>A quick guesser learns how this model writes, so that drafts come faster. It never changes what the model writes. This takes minutes for a small model and hours for a large one; it can be stopped and goes on later. The more text it learns from, the better: a novel or more.</source>
   <translation>Eine Schnellvorhersage lernt, wie dieses Modell schreibt, damit Entwürfe schneller entstehen. Sie ändert nie, was das Modell schreibt. Bei einem kleinen Modell dauert das Minuten, bei einem großen Stunden; es lässt sich anhalten und geht später weiter. Je mehr Text sie zum Lernen hat, desto besser: ein Roman oder mehr.</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Choose Text Files...</source>
   <translation>Textdateien wählen...</translation>
  </message>
  <message>
   <source>Choose texts in UTF-8</source>
   <translation>Texte in UTF-8 wählen</translation>
  </message>
  <message>
   <source>Go On</source>
   <translation>Weitermachen</translation>
  </message>
  <message>
   <source>It was stopped before, and goes on with the same texts where it was.</source>
   <translation>Es wurde schon einmal angehalten und geht mit denselben Texten dort weiter, wo es war.</translation>
  </message>
  <message>
   <source>Learn from the open book</source>
   <translation>Aus dem geöffneten Buch lernen</translation>
  </message>
  <message>
   <source>No files chosen</source>
   <translation>Keine Dateien gewählt</translation>
  </message>
  <message>
   <source>Prepare</source>
   <translation>Vorbereiten</translation>
  </message>
  <message>
   <source>Prepare {0}</source>
   <translation>{0} vorbereiten</translation>
  </message>
  <message>
   <source>Texts (*.txt *.md)</source>
   <translation>Texte (*.txt *.md)</translation>
  </message>
 </context>
 <context>
  <name>PresetBox</name>
  <message>
   <source>Edit Presets...</source>
   <translation>Voreinstellungen bearbeiten...</translation>
  </message>
  <message>
   <source>How freely the model chooses its words; from the next run on.</source>
   <translation>Wie frei das Modell seine Wörter wählt; gilt ab dem nächsten Lauf.</translation>
  </message>
  <message>
   <source>Preset</source>
   <translation>Voreinstellung</translation>
  </message>
  <message>
   <source>{0}. It takes effect with the next run.</source>
   <translation>{0}. Gilt ab dem nächsten Lauf.</translation>
  </message>
 </context>
 <context>
  <name>PresetDialog</name>
  <message>
   <source>All files (*)</source>
   <translation>Alle Dateien (*)</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Delete</source>
   <translation>Löschen</translation>
  </message>
  <message>
   <source>Export {0}</source>
   <translation>{0} exportieren</translation>
  </message>
  <message>
   <source>Export...</source>
   <translation>Exportieren...</translation>
  </message>
  <message>
   <source>Import presets</source>
   <translation>Voreinstellungen importieren</translation>
  </message>
  <message>
   <source>Import...</source>
   <translation>Importieren...</translation>
  </message>
  <message>
   <source>Name of the preset</source>
   <translation>Name der Voreinstellung</translation>
  </message>
  <message>
   <source>Presets</source>
   <translation>Voreinstellungen</translation>
  </message>
  <message>
   <source>Presets ({0})</source>
   <translation>Voreinstellungen ({0})</translation>
  </message>
  <message>
   <source>Save</source>
   <translation>Speichern</translation>
  </message>
  <message>
   <source>Save As New</source>
   <translation>Als neue speichern</translation>
  </message>
  <message>
   <source>Save to keep your changes to {0}, or give it another name.</source>
   <translation>Speichern Sie, um Ihre Änderungen an {0} zu behalten, oder geben Sie einen anderen Namen.</translation>
  </message>
  <message>
   <source>Use This One</source>
   <translation>Diese verwenden</translation>
  </message>
  <message>
   <source>{0} (in use)</source>
   <translation>{0} (in Gebrauch)</translation>
  </message>
  <message>
   <source>{0} comes with Quire. Give it another name to keep your changes.</source>
   <translation>{0} gehört zu Quire. Geben Sie einen anderen Namen, um Ihre Änderungen zu behalten.</translation>
  </message>
 </context>
 <context>
  <name>PresetForm</name>
  <message>
   <source>Against repetition (penalty)</source>
   <translation>Gegen Wiederholung (Strafe)</translation>
  </message>
  <message>
   <source>Always take the likeliest word (greedy)</source>
   <translation>Immer das wahrscheinlichste Wort nehmen (greedy)</translation>
  </message>
  <message>
   <source>Boldness (temperature)</source>
   <translation>Kühnheit (Temperatur)</translation>
  </message>
  <message>
   <source>Cut off by surprise (eta)</source>
   <translation>Nach Überraschung abschneiden (eta)</translation>
  </message>
  <message>
   <source>Cut off the unlikely (min-p)</source>
   <translation>Unwahrscheinliches abschneiden (min-p)</translation>
  </message>
  <message>
   <source>Cuts more where the model is sure, less where it is not. 0 switches it off.</source>
   <translation>Schneidet mehr ab, wo das Modell sicher ist, weniger, wo nicht. 0 schaltet es aus.</translation>
  </message>
  <message>
   <source>Drops words that are less likely than this share of the likeliest. 0 drops none.</source>
   <translation>Lässt Wörter weg, die weniger wahrscheinlich sind als dieser Anteil des wahrscheinlichsten. 0 lässt keine weg.</translation>
  </message>
  <message>
   <source>How far back it looks</source>
   <translation>Wie weit zurück es schaut</translation>
  </message>
  <message>
   <source>Keeps the likeliest words that make up this share of the chances. 1 keeps all.</source>
   <translation>Behält die wahrscheinlichsten Wörter, die zusammen diesen Anteil ausmachen. 1 behält alle.</translation>
  </message>
  <message>
   <source>Keeps this many of the likeliest words. 0 keeps all.</source>
   <translation>Behält so viele der wahrscheinlichsten Wörter. 0 behält alle.</translation>
  </message>
  <message>
   <source>Lower keeps to likely words; higher lets unlikely ones in.</source>
   <translation>Niedriger bleibt bei wahrscheinlichen Wörtern; höher lässt unwahrscheinliche zu.</translation>
  </message>
  <message>
   <source>No chance at all. Long drafts soon go in circles this way.</source>
   <translation>Kein Zufall. Lange Entwürfe drehen sich so bald im Kreis.</translation>
  </message>
  <message>
   <source>Only so many words (top-k)</source>
   <translation>Nur so viele Wörter (top-k)</translation>
  </message>
  <message>
   <source>Only the likeliest together (top-p)</source>
   <translation>Nur die zusammen wahrscheinlichsten (top-p)</translation>
  </message>
  <message>
   <source>What was written lately comes again less easily. 1 changes nothing.</source>
   <translation>Was eben erst geschrieben wurde, kommt schwerer wieder. 1 ändert nichts.</translation>
  </message>
  <message>
   <source>Word pieces, about three quarters of a word each.</source>
   <translation>Wortstücke, je etwa drei Viertel eines Wortes.</translation>
  </message>
 </context>
 <context>
  <name>PrintDialog</name>
  <message>
   <source>Chapters to print</source>
   <translation>Kapitel zum Drucken</translation>
  </message>
  <message>
   <source>Laying out the pages</source>
   <translation>Die Seiten werden gesetzt</translation>
  </message>
  <message>
   <source>Preview</source>
   <translation>Vorschau</translation>
  </message>
  <message>
   <source>Print</source>
   <translation>Drucken</translation>
  </message>
 </context>
 <context>
  <name>ProgressLine</name>
  <message>
   <source>Words towards the goal</source>
   <translation>Wörter bis zum Ziel</translation>
  </message>
 </context>
 <context>
  <name>ProjectFileDialog</name>
  <message>
   <source>All files (*)</source>
   <translation>Alle Dateien (*)</translation>
  </message>
  <message>
   <source>Open a project</source>
   <translation>Ein Projekt öffnen</translation>
  </message>
  <message>
   <source>Quire projects (*{0})</source>
   <translation>Quire-Projekte (*{0})</translation>
  </message>
 </context>
 <context>
  <name>QueryField</name>
  <message>
   <source>Match case and quotation marks</source>
   <translation>Groß- und Kleinschreibung und Anführungszeichen beachten</translation>
  </message>
  <message>
   <source>Regular expression</source>
   <translation>Regulärer Ausdruck</translation>
  </message>
  <message>
   <source>Whole words only</source>
   <translation>Nur ganze Wörter</translation>
  </message>
  <message>
   <source>Word</source>
   <translation>Wort</translation>
  </message>
 </context>
 <context>
  <name>QueueDialog</name>
  <message>
   <source>A text that is not there any more</source>
   <translation>Ein Text, den es nicht mehr gibt</translation>
  </message>
  <message>
   <source>Add One for Each Beat</source>
   <translation>Für jeden Beat einen hinzufügen</translation>
  </message>
  <message>
   <source>Add What Is Chosen Now</source>
   <translation>Das jetzt Gewählte hinzufügen</translation>
  </message>
  <message>
   <source>Clear Done</source>
   <translation>Erledigte entfernen</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Down</source>
   <translation>Nach unten</translation>
  </message>
  <message>
   <source>Drafts to be written, in order</source>
   <translation>Entwürfe, die geschrieben werden, der Reihe nach</translation>
  </message>
  <message>
   <source>Each draft is written at the end of its text. Nothing starts before you start it.</source>
   <translation>Jeder Entwurf wird ans Ende seines Textes geschrieben. Nichts beginnt, bevor Sie es beginnen.</translation>
  </message>
  <message>
   <source>Queue of Drafts</source>
   <translation>Warteschlange der Entwürfe</translation>
  </message>
  <message>
   <source>Remove</source>
   <translation>Entfernen</translation>
  </message>
  <message>
   <source>Stage direction: {0}</source>
   <translation>Regieanweisung: {0}</translation>
  </message>
  <message>
   <source>Start the Queue</source>
   <translation>Warteschlange starten</translation>
  </message>
  <message>
   <source>Stop After This One</source>
   <translation>Nach diesem anhalten</translation>
  </message>
  <message>
   <source>The open chapter with the goal, preset and stage direction of now</source>
   <translation>Das geöffnete Kapitel mit Ziel, Voreinstellung und Regieanweisung von jetzt</translation>
  </message>
  <message>
   <source>Up</source>
   <translation>Nach oben</translation>
  </message>
  <message>
   <source>being drafted</source>
   <translation>wird entworfen</translation>
  </message>
  <message>
   <source>stopped</source>
   <translation>gestoppt</translation>
  </message>
  <message>
   <source>waiting</source>
   <translation>wartet</translation>
  </message>
  <message>
   <source>{0} words</source>
   <translation>{0} Wörter</translation>
  </message>
  <message>
   <source>✓ done</source>
   <translation>✓ fertig</translation>
  </message>
 </context>
 <context>
  <name>ReadingActions</name>
  <message>
   <source>&amp;Keep Text Files Up to Date</source>
   <translation>Textdateien &amp;aktuell halten</translation>
  </message>
  <message>
   <source>&amp;Print...</source>
   <translation>&amp;Drucken...</translation>
  </message>
  <message>
   <source>&amp;Reading View</source>
   <translation>&amp;Leseansicht</translation>
  </message>
  <message>
   <source>&amp;Text Files</source>
   <translation>&amp;Textdateien</translation>
  </message>
  <message>
   <source>F&amp;ocus Mode</source>
   <translation>&amp;Konzentration</translation>
  </message>
  <message>
   <source>Out&amp;line</source>
   <translation>&amp;Gliederung</translation>
  </message>
  <message>
   <source>Write Text Files &amp;Now</source>
   <translation>Textdateien &amp;jetzt schreiben</translation>
  </message>
 </context>
 <context>
  <name>ReadingDialog</name>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Go on without reading again</source>
   <translation>Weitermachen, ohne neu zu lesen</translation>
  </message>
  <message>
   <source>It can be changed in the preferences</source>
   <translation>Es lässt sich in den Einstellungen ändern</translation>
  </message>
  <message>
   <source>Read Again?</source>
   <translation>Neu lesen?</translation>
  </message>
  <message>
   <source>Read again ({0})</source>
   <translation>Neu lesen ({0})</translation>
  </message>
  <message>
   <source>Read again from {0} ({1})</source>
   <translation>Neu lesen ab {0} ({1})</translation>
  </message>
  <message>
   <source>Remember my answer</source>
   <translation>Meine Antwort merken</translation>
  </message>
  <message>
   <source>The model has read another wording</source>
   <translation>Das Modell hat einen anderen Wortlaut gelesen</translation>
  </message>
  <message>
   <source>You changed the text where the model had read it. Read again, and it writes on from your new words. Without reading again it goes on at once, but remembers the old ones.</source>
   <translation>Sie haben den Text dort geändert, wo das Modell ihn schon gelesen hatte. Liest es neu, schreibt es von Ihren neuen Wörtern aus weiter. Ohne neu zu lesen macht es sofort weiter, erinnert sich aber an die alten.</translation>
  </message>
  <message>
   <source>{0} tokens</source>
   <translation>{0} Token</translation>
  </message>
  <message>
   <source>{0}, {1}</source>
   <translation>{0}, {1}</translation>
  </message>
 </context>
 <context>
  <name>ReadingPage</name>
  <message>
   <source>Back to Writing</source>
   <translation>Zurück zum Schreiben</translation>
  </message>
  <message>
   <source>Esc</source>
   <translation>Esc</translation>
  </message>
  <message>
   <source>Find in the book</source>
   <translation>Im Buch suchen</translation>
  </message>
  <message>
   <source>Go to a chapter</source>
   <translation>Zu einem Kapitel gehen</translation>
  </message>
  <message>
   <source>Not in the book</source>
   <translation>Nicht im Buch</translation>
  </message>
 </context>
 <context>
  <name>ReadingView</name>
  <message>
   <source>The book, to be read</source>
   <translation>Das Buch, zum Lesen</translation>
  </message>
 </context>
 <context>
  <name>RecentList</name>
  <message>
   <source>1 word</source>
   <translation>1 Wort</translation>
  </message>
  <message>
   <source>Remove</source>
   <translation>Entfernen</translation>
  </message>
  <message>
   <source>Remove {0} from the list</source>
   <translation>{0} aus der Liste entfernen</translation>
  </message>
  <message>
   <source>not found</source>
   <translation>nicht gefunden</translation>
  </message>
  <message>
   <source>opened before</source>
   <translation>schon geöffnet</translation>
  </message>
  <message>
   <source>today</source>
   <translation>heute</translation>
  </message>
  <message>
   <source>yesterday</source>
   <translation>gestern</translation>
  </message>
  <message>
   <source>{0} words</source>
   <translation>{0} Wörter</translation>
  </message>
 </context>
 <context>
  <name>ReportDialog</name>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Copied.</source>
   <translation>Kopiert.</translation>
  </message>
  <message>
   <source>Copy</source>
   <translation>Kopieren</translation>
  </message>
  <message>
   <source>It could not be saved there ({0}). Choose another folder.</source>
   <translation>Es ließ sich dort nicht speichern ({0}). Wählen Sie einen anderen Ordner.</translation>
  </message>
  <message>
   <source>It holds versions, places in the program and kinds of errors: no text of your book, no names of files. Quire sends nothing by itself. Copy it into a mail or an issue, and say in a sentence what you were doing.</source>
   <translation>Darin stehen Versionen, Stellen im Programm und Arten von Fehlern: kein Text Ihres Buches, keine Dateinamen. Quire sendet nichts von selbst. Kopieren Sie es in eine E-Mail oder Meldung, und sagen Sie in einem Satz, was Sie gerade getan haben.</translation>
  </message>
  <message>
   <source>Report a Problem</source>
   <translation>Ein Problem melden</translation>
  </message>
  <message>
   <source>Save...</source>
   <translation>Speichern...</translation>
  </message>
  <message>
   <source>Saved.</source>
   <translation>Gespeichert.</translation>
  </message>
  <message>
   <source>The report</source>
   <translation>Der Bericht</translation>
  </message>
  <message>
   <source>What Quire knows about the problem</source>
   <translation>Was Quire über das Problem weiß</translation>
  </message>
 </context>
 <context>
  <name>ReportFileDialog</name>
  <message>
   <source>All files (*)</source>
   <translation>Alle Dateien (*)</translation>
  </message>
  <message>
   <source>Save the report</source>
   <translation>Den Bericht speichern</translation>
  </message>
  <message>
   <source>Texts (*.txt)</source>
   <translation>Texte (*.txt)</translation>
  </message>
 </context>
 <context>
  <name>LowMemoryController</name>
  <message>
   <source>There is not enough memory to go on. The draft is paused, and every word is kept.</source>
   <translation>Der Speicher reicht nicht, um weiterzuschreiben. Der Entwurf ist angehalten, und jedes Wort ist erhalten.</translation>
  </message>
 </context>
 <context>
  <name>RightPanel</name>
  <message>
   <source>Notes</source>
   <translation>Notizen</translation>
  </message>
  <message>
   <source>Panels on the right</source>
   <translation>Bereiche rechts</translation>
  </message>
  <message>
   <source>Steer</source>
   <translation>Steuern</translation>
  </message>
 </context>
 <context>
  <name>Rule</name>
  <message>
   <source>Against repetition (penalty)</source>
   <translation>Gegen Wiederholung (Strafe)</translation>
  </message>
  <message>
   <source>Boldness (temperature)</source>
   <translation>Kühnheit (Temperatur)</translation>
  </message>
  <message>
   <source>Cut off by surprise (eta)</source>
   <translation>Nach Überraschung abschneiden (eta)</translation>
  </message>
  <message>
   <source>Cut off the unlikely (min-p)</source>
   <translation>Unwahrscheinliches abschneiden (min-p)</translation>
  </message>
  <message>
   <source>Cuts more where the model is sure, less where it is not. 0 switches it off.</source>
   <translation>Schneidet mehr ab, wo das Modell sicher ist, weniger, wo nicht. 0 schaltet es aus.</translation>
  </message>
  <message>
   <source>Drops words that are less likely than this share of the likeliest. 0 drops none.</source>
   <translation>Lässt Wörter weg, die weniger wahrscheinlich sind als dieser Anteil des wahrscheinlichsten. 0 lässt keine weg.</translation>
  </message>
  <message>
   <source>How far back it looks</source>
   <translation>Wie weit zurück es schaut</translation>
  </message>
  <message>
   <source>Keeps the likeliest words that make up this share of the chances. 1 keeps all.</source>
   <translation>Behält die wahrscheinlichsten Wörter, die zusammen diesen Anteil ausmachen. 1 behält alle.</translation>
  </message>
  <message>
   <source>Keeps this many of the likeliest words. 0 keeps all.</source>
   <translation>Behält so viele der wahrscheinlichsten Wörter. 0 behält alle.</translation>
  </message>
  <message>
   <source>Lower keeps to likely words; higher lets unlikely ones in.</source>
   <translation>Niedriger bleibt bei wahrscheinlichen Wörtern; höher lässt unwahrscheinliche zu.</translation>
  </message>
  <message>
   <source>Only so many words (top-k)</source>
   <translation>Nur so viele Wörter (top-k)</translation>
  </message>
  <message>
   <source>Only the likeliest together (top-p)</source>
   <translation>Nur die zusammen wahrscheinlichsten (top-p)</translation>
  </message>
  <message>
   <source>What was written lately comes again less easily. 1 changes nothing.</source>
   <translation>Was eben erst geschrieben wurde, kommt schwerer wieder. 1 ändert nichts.</translation>
  </message>
  <message>
   <source>Word pieces, about three quarters of a word each.</source>
   <translation>Wortstücke, je etwa drei Viertel eines Wortes.</translation>
  </message>
 </context>
 <context>
  <name>RunActions</name>
  <message>
   <source>Be&amp;fore You Start...</source>
   <translation>Vor dem Sta&amp;rt...</translation>
  </message>
  <message>
   <source>Calibrate &amp;Pace...</source>
   <translation>&amp;Tempo messen...</translation>
  </message>
  <message>
   <source>Self-Check: P&amp;lain and Accelerated...</source>
   <translation>Selbstprüfung: Einfach &amp;und beschleunigt...</translation>
  </message>
 </context>
 <context>
  <name>PreflightController</name>
  <message>
   <source>The end of “{0}”</source>
   <translation>Ans Ende von „{0}“</translation>
  </message>
 </context>
 <context>
  <name>RunDataDialog</name>
  <message>
   <source>A table of all steps (*.csv)</source>
   <translation>Eine Tabelle aller Schritte (*.csv)</translation>
  </message>
  <message>
   <source>Export run data</source>
   <translation>Laufdaten exportieren</translation>
  </message>
  <message>
   <source>JSON, a line a run (*.json)</source>
   <translation>JSON, eine Zeile je Lauf (*.json)</translation>
  </message>
 </context>
 <context>
  <name>RunStrip</name>
  <message>
   <source>Boost {0}</source>
   <translation>Schub {0}</translation>
  </message>
  <message>
   <source>Continue drafts on from the end of your text</source>
   <translation>Fortsetzen entwirft vom Ende Ihres Textes an weiter</translation>
  </message>
  <message>
   <source>Drafting</source>
   <translation>Entwerfen</translation>
  </message>
  <message>
   <source>Finished</source>
   <translation>Fertig</translation>
  </message>
  <message>
   <source>Goal reached</source>
   <translation>Ziel erreicht</translation>
  </message>
  <message>
   <source>How many times faster than without acceleration at this length, by the last 60 seconds of drafting and what was measured on this computer on {0}</source>
   <translation>Wie viel Mal schneller als ohne Beschleunigung bei dieser Länge, nach den letzten 60 Sekunden des Entwurfs und dem, was auf diesem Computer gemessen wurde ({0})</translation>
  </message>
  <message>
   <source>How many times faster than without acceleration; to know it, measure this computer once: Tools &gt; Calibrate Pace</source>
   <translation>Wie viel Mal schneller als ohne Beschleunigung; um es zu wissen, messen Sie diesen Computer einmal: Extras &gt; Tempo messen</translation>
  </message>
  <message>
   <source>Loading the model</source>
   <translation>Das Modell wird geladen</translation>
  </message>
  <message>
   <source>No model</source>
   <translation>Kein Modell</translation>
  </message>
  <message>
   <source>Opening the project</source>
   <translation>Das Projekt wird geöffnet</translation>
  </message>
  <message>
   <source>Pace {0}</source>
   <translation>Tempo {0}</translation>
  </message>
  <message>
   <source>Paused</source>
   <translation>Angehalten</translation>
  </message>
  <message>
   <source>Pausing</source>
   <translation>Hält an</translation>
  </message>
  <message>
   <source>Reading the manuscript</source>
   <translation>Das Manuskript wird gelesen</translation>
  </message>
  <message>
   <source>Reading the manuscript {0}%</source>
   <translation>Das Manuskript wird gelesen, {0} %</translation>
  </message>
  <message>
   <source>Ready</source>
   <translation>Bereit</translation>
  </message>
  <message>
   <source>Run strip</source>
   <translation>Anzeige des Laufs</translation>
  </message>
  <message>
   <source>Stopped</source>
   <translation>Gestoppt</translation>
  </message>
  <message>
   <source>Storing everything</source>
   <translation>Alles wird gespeichert</translation>
  </message>
  <message>
   <source>To be read only</source>
   <translation>Nur zum Lesen</translation>
  </message>
  <message>
   <source>Words per minute over the last 60 seconds of drafting</source>
   <translation>Wörter pro Minute in den letzten 60 Sekunden des Entwurfs</translation>
  </message>
  <message>
   <source>about {0} h left</source>
   <translation>noch etwa {0} Std.</translation>
  </message>
  <message>
   <source>about {0} min left</source>
   <translation>noch etwa {0} Min.</translation>
  </message>
  <message>
   <source>about {0} s left</source>
   <translation>noch etwa {0} Sek.</translation>
  </message>
  <message>
   <source>about {0} to {1} h left</source>
   <translation>noch etwa {0} bis {1} Std.</translation>
  </message>
  <message>
   <source>about {0} to {1} min left</source>
   <translation>noch etwa {0} bis {1} Min.</translation>
  </message>
  <message>
   <source>edit, or continue for more</source>
   <translation>bearbeiten Sie, oder setzen Sie fort für mehr</translation>
  </message>
  <message>
   <source>edit, or continue where it stopped</source>
   <translation>bearbeiten Sie, oder setzen Sie fort, wo es anhielt</translation>
  </message>
  <message>
   <source>everything written so far is kept</source>
   <translation>alles bisher Geschriebene bleibt erhalten</translation>
  </message>
  <message>
   <source>finished paragraphs can be edited</source>
   <translation>fertige Absätze lassen sich bearbeiten</translation>
  </message>
  <message>
   <source>finishing the last word</source>
   <translation>das letzte Wort wird beendet</translation>
  </message>
  <message>
   <source>to the end of the chapter</source>
   <translation>bis zum Ende des Kapitels</translation>
  </message>
  <message>
   <source>to the phrase</source>
   <translation>bis zur Wendung</translation>
  </message>
  <message>
   <source>under a minute left</source>
   <translation>noch weniger als eine Minute</translation>
  </message>
  <message>
   <source>up to {0} min left</source>
   <translation>noch bis zu {0} Min.</translation>
  </message>
  <message>
   <source>you can write; choose a model to draft</source>
   <translation>Sie können schreiben; wählen Sie zum Entwerfen ein Modell</translation>
  </message>
  <message>
   <source>{0} / {1} words</source>
   <translation>{0} / {1} Wörter</translation>
  </message>
  <message>
   <source>{0} w/min</source>
   <translation>{0} W/Min.</translation>
  </message>
  <message>
   <source>{0} words</source>
   <translation>{0} Wörter</translation>
  </message>
 </context>
 <context>
  <name>ChartMaker</name>
  <message>
   <source>A step takes {0} ms: {3} in the full model, {2} for guessing, {1} for the rest.</source>
   <translation>Ein Schritt dauert {0} ms: {3} im vollen Modell, {2} für die Vorhersagen, {1} für den Rest.</translation>
  </message>
  <message>
   <source>Alarm</source>
   <translation>Alarm</translation>
  </message>
  <message>
   <source>Any passage of published novels</source>
   <translation>Jede Stelle veröffentlichter Romane</translation>
  </message>
  <message>
   <source>Average</source>
   <translation>Durchschnitt</translation>
  </message>
  <message>
   <source>Averages of published novels</source>
   <translation>Durchschnitte veröffentlichter Romane</translation>
  </message>
  <message>
   <source>Choosing how far to guess, and learning from what was kept</source>
   <translation>Wählen, wie weit vorhergesagt wird, und Lernen aus dem Übernommenen</translation>
  </message>
  <message>
   <source>Distinct-{0}</source>
   <translation>Distinct-{0}</translation>
  </message>
  <message>
   <source>Drafting time</source>
   <translation>Entwurfszeit</translation>
  </message>
  <message>
   <source>Full model</source>
   <translation>Volles Modell</translation>
  </message>
  <message>
   <source>Guess number</source>
   <translation>Nummer der Vorhersage</translation>
  </message>
  <message>
   <source>Guesses kept</source>
   <translation>Übernommene Vorhersagen</translation>
  </message>
  <message>
   <source>Guesses kept in a row</source>
   <translation>Hintereinander übernommene Vorhersagen</translation>
  </message>
  <message>
   <source>Guessing</source>
   <translation>Vorhersagen</translation>
  </message>
  <message>
   <source>How many guesses each step kept, as a share of all steps</source>
   <translation>Wie viele Vorhersagen jeder Schritt übernahm, als Anteil aller Schritte</translation>
  </message>
  <message>
   <source>How often so many guesses in a row were right, where so many were made</source>
   <translation>Wie oft so viele Vorhersagen hintereinander zutrafen, wo so viele gemacht wurden</translation>
  </message>
  <message>
   <source>How often the quick guesses were right. Says nothing about quality</source>
   <translation>Wie oft die schnellen Vorhersagen zutrafen. Sagt nichts über die Güte</translation>
  </message>
  <message>
   <source>Kept</source>
   <translation>Übernommen</translation>
  </message>
  <message>
   <source>Kept by depth</source>
   <translation>Übernommen nach Tiefe</translation>
  </message>
  <message>
   <source>Kept guesses of the trained part that proposes words; it never changes the text</source>
   <translation>Übernommene Vorhersagen des trainierten Teils, der Wörter vorschlägt; er ändert nie den Text</translation>
  </message>
  <message>
   <source>Kept guesses that came from phrases already in the manuscript</source>
   <translation>Übernommene Vorhersagen aus Wendungen, die schon im Manuskript stehen</translation>
  </message>
  <message>
   <source>Kept in one step</source>
   <translation>In einem Schritt übernommen</translation>
  </message>
  <message>
   <source>Mean of the last 256 steps; it grows with the length of the text</source>
   <translation>Mittel der letzten 256 Schritte; es wächst mit der Länge des Textes</translation>
  </message>
  <message>
   <source>Nothing has been drafted yet.</source>
   <translation>Noch wurde nichts entworfen.</translation>
  </message>
  <message>
   <source>Nothing has been guessed yet.</source>
   <translation>Noch wurde nichts vorhergesagt.</translation>
  </message>
  <message>
   <source>Other</source>
   <translation>Übriges</translation>
  </message>
  <message>
   <source>Pace</source>
   <translation>Tempo</translation>
  </message>
  <message>
   <source>Paused</source>
   <translation>Angehalten</translation>
  </message>
  <message>
   <source>Phrase reuse</source>
   <translation>Wiederverwendete Wendungen</translation>
  </message>
  <message>
   <source>Published novels</source>
   <translation>Veröffentlichte Romane</translation>
  </message>
  <message>
   <source>Quick guesser</source>
   <translation>Schnellvorhersage</translation>
  </message>
  <message>
   <source>Share of different ones in all of the text so far; it falls in good prose, too</source>
   <translation>Anteil der verschiedenen im ganzen bisherigen Text; er sinkt auch in guter Prosa</translation>
  </message>
  <message>
   <source>Share of different ones in the last 2,000 words. Band: published novels</source>
   <translation>Anteil der verschiedenen in den letzten 2.000 Wörtern. Band: veröffentlichte Romane</translation>
  </message>
  <message>
   <source>Steps</source>
   <translation>Schritte</translation>
  </message>
  <message>
   <source>The first guess was right in {0} of the steps, {1} in a row in {2}.</source>
   <translation>Die erste Vorhersage traf in {0} der Schritte zu, {1} hintereinander in {2}.</translation>
  </message>
  <message>
   <source>The first guess was right in {0} of the steps.</source>
   <translation>Die erste Vorhersage traf in {0} der Schritte zu.</translation>
  </message>
  <message>
   <source>The full model's pass, which chooses the words and checks the guesses</source>
   <translation>Der Durchlauf des vollen Modells, der die Wörter wählt und die Vorhersagen prüft</translation>
  </message>
  <message>
   <source>The same average at the same length, the median of 171 published novels</source>
   <translation>Derselbe Durchschnitt bei gleicher Länge, der Median von 171 veröffentlichten Romanen</translation>
  </message>
  <message>
   <source>The text is scattered.</source>
   <translation>Der Text ist zerstreut.</translation>
  </message>
  <message>
   <source>There is no pace yet.</source>
   <translation>Es gibt noch kein Tempo.</translation>
  </message>
  <message>
   <source>Thin line: expected at this length</source>
   <translation>Dünne Linie: bei dieser Länge zu erwarten</translation>
  </message>
  <message>
   <source>Time per step</source>
   <translation>Zeit je Schritt</translation>
  </message>
  <message>
   <source>Tokens at a time</source>
   <translation>Token auf einmal</translation>
  </message>
  <message>
   <source>Trend</source>
   <translation>Trend</translation>
  </message>
  <message>
   <source>Variety</source>
   <translation>Vielfalt</translation>
  </message>
  <message>
   <source>Variety from the beginning</source>
   <translation>Vielfalt von Anfang an</translation>
  </message>
  <message>
   <source>Variety from the beginning is {0} on average</source>
   <translation>Die Vielfalt von Anfang an ist im Durchschnitt {0}</translation>
  </message>
  <message>
   <source>Variety from the beginning shows once 250 words are there.</source>
   <translation>Die Vielfalt von Anfang an zeigt sich ab 250 Wörtern.</translation>
  </message>
  <message>
   <source>Variety is low.</source>
   <translation>Die Vielfalt ist gering.</translation>
  </message>
  <message>
   <source>Variety is usual.</source>
   <translation>Die Vielfalt ist üblich.</translation>
  </message>
  <message>
   <source>Variety of word triples</source>
   <translation>Vielfalt der Worttripel</translation>
  </message>
  <message>
   <source>Variety shows once 2,000 words are there.</source>
   <translation>Die Vielfalt zeigt sich ab 2.000 Wörtern.</translation>
  </message>
  <message>
   <source>What makes the guesses; it pays off while it saves passes of the full model</source>
   <translation>Was vorhersagt; es lohnt sich, solange es Durchläufe des vollen Modells spart</translation>
  </message>
  <message>
   <source>Word pairs</source>
   <translation>Wortpaare</translation>
  </message>
  <message>
   <source>Word pieces that the full model chose without a guess</source>
   <translation>Wortstücke, die das volle Modell ohne Vorhersage gewählt hat</translation>
  </message>
  <message>
   <source>Word pieces written in each step of the full model, over the last 256 steps</source>
   <translation>Wortstücke in jedem Schritt des vollen Modells, über die letzten 256 Schritte</translation>
  </message>
  <message>
   <source>Word triples</source>
   <translation>Worttripel</translation>
  </message>
  <message>
   <source>Words per minute over the last 60 seconds of drafting</source>
   <translation>Wörter pro Minute in den letzten 60 Sekunden des Entwurfs</translation>
  </message>
  <message>
   <source>Words so far</source>
   <translation>Wörter bisher</translation>
  </message>
  <message>
   <source>ms</source>
   <translation>ms</translation>
  </message>
  <message>
   <source>w/min</source>
   <translation>W/Min.</translation>
  </message>
  <message>
   <source>word pairs</source>
   <translation>Wortpaare</translation>
  </message>
  <message>
   <source>word triples</source>
   <translation>Worttripel</translation>
  </message>
  <message>
   <source>words</source>
   <translation>Wörter</translation>
  </message>
  <message>
   <source>{0} guesses kept is the most frequent outcome, in {1} of {2} steps.</source>
   <translation>{0} übernommene Vorhersagen sind am häufigsten, in {1} von {2} Schritten.</translation>
  </message>
  <message>
   <source>{0} tokens at a time: {1} by the full model, {2} by the quick guesser, {3} from phrases; {4} of the guesses kept.</source>
   <translation>{0} Token auf einmal: {1} vom vollen Modell, {2} von der Schnellvorhersage, {3} aus Wendungen; {4} der Vorhersagen übernommen.</translation>
  </message>
  <message>
   <source>{0} words a minute now, {1} on average over {2} words, with one pause.</source>
   <translation>Jetzt {0} Wörter pro Minute, {1} im Durchschnitt über {2} Wörter, mit einer Pause.</translation>
  </message>
  <message>
   <source>{0} words a minute now, {1} on average over {2} words, with {3} pauses.</source>
   <translation>Jetzt {0} Wörter pro Minute, {1} im Durchschnitt über {2} Wörter, mit {3} Pausen.</translation>
  </message>
  <message>
   <source>{0} words a minute now, {1} on average over {2} words.</source>
   <translation>Jetzt {0} Wörter pro Minute, {1} im Durchschnitt über {2} Wörter.</translation>
  </message>
  <message>
   <source>{0}.</source>
   <translation>{0}.</translation>
  </message>
  <message>
   <source>{0}; published novels of this length have {1}.</source>
   <translation>{0}; veröffentlichte Romane dieser Länge haben {1}.</translation>
  </message>
  <message>
   <source>{1} of the {0} in the last 2,000 words differ; in published novels {2} to {3}.</source>
   <translation>{1} der {0} in den letzten 2.000 Wörtern sind verschieden; in veröffentlichten Romanen {2} bis {3}.</translation>
  </message>
 </context>
 <context>
  <name>SearchPanel</name>
  <message>
   <source>1 match</source>
   <translation>1 Treffer</translation>
  </message>
  <message>
   <source>1 replaced.</source>
   <translation>1 ersetzt.</translation>
  </message>
  <message>
   <source>Find</source>
   <translation>Suchen</translation>
  </message>
  <message>
   <source>Find in the book</source>
   <translation>Im Buch suchen</translation>
  </message>
  <message>
   <source>Matches</source>
   <translation>Treffer</translation>
  </message>
  <message>
   <source>Nothing found</source>
   <translation>Nichts gefunden</translation>
  </message>
  <message>
   <source>Replace</source>
   <translation>Ersetzen</translation>
  </message>
  <message>
   <source>Replace what is ticked</source>
   <translation>Angekreuztes ersetzen</translation>
  </message>
  <message>
   <source>Replace with</source>
   <translation>Ersetzen durch</translation>
  </message>
  <message>
   <source>Replace {0}</source>
   <translation>{0} ersetzen</translation>
  </message>
  <message>
   <source>Searching {0} of {1}</source>
   <translation>{0} von {1} wird durchsucht</translation>
  </message>
  <message>
   <source>Stop</source>
   <translation>Stopp</translation>
  </message>
  <message>
   <source>Stopped</source>
   <translation>Gestoppt</translation>
  </message>
  <message>
   <source>The book as it was is kept in the snapshot “{0}”.</source>
   <translation>Das Buch, wie es war, liegt im Schnappschuss „{0}“.</translation>
  </message>
  <message>
   <source>The first {0}; there are more</source>
   <translation>Die ersten {0}; es gibt mehr</translation>
  </message>
  <message>
   <source>The list is of another search. Press Find first.</source>
   <translation>Die Liste gehört zu einer anderen Suche. Drücken Sie erst Suchen.</translation>
  </message>
  <message>
   <source>The text is locked. Pause the draft to replace.</source>
   <translation>Der Text ist gesperrt. Halten Sie den Entwurf an, um zu ersetzen.</translation>
  </message>
  <message>
   <source>Untitled</source>
   <translation>Ohne Titel</translation>
  </message>
  <message>
   <source>{0}  ({1})</source>
   <translation>{0}  ({1})</translation>
  </message>
  <message>
   <source>{0} in {1} texts</source>
   <translation>{0} in {1} Texten</translation>
  </message>
  <message>
   <source>{0} matches</source>
   <translation>{0} Treffer</translation>
  </message>
  <message>
   <source>{0} replaced.</source>
   <translation>{0} ersetzt.</translation>
  </message>
 </context>
 <context>
  <name>Section</name>
  <message>
   <source>folded</source>
   <translation>zugeklappt</translation>
  </message>
  <message>
   <source>shown</source>
   <translation>aufgeklappt</translation>
  </message>
  <message>
   <source>t: word pieces, as the model counts; ~ until it has counted</source>
   <translation>t: Wortstücke, wie das Modell zählt; ~ bis es gezählt hat</translation>
  </message>
  <message>
   <source>{0}, {1}</source>
   <translation>{0}, {1}</translation>
  </message>
 </context>
 <context>
  <name>SessionTable</name>
  <message>
   <source>At work</source>
   <translation>Bei der Arbeit</translation>
  </message>
  <message>
   <source>Day</source>
   <translation>Tag</translation>
  </message>
  <message>
   <source>From – to</source>
   <translation>Von – bis</translation>
  </message>
  <message>
   <source>Words drafted</source>
   <translation>Entworfene Wörter</translation>
  </message>
  <message>
   <source>Words written</source>
   <translation>Geschriebene Wörter</translation>
  </message>
 </context>
 <context>
  <name>SessionsFileDialog</name>
  <message>
   <source>A table for spreadsheets (*.csv)</source>
   <translation>Eine Tabelle für die Tabellenkalkulation (*.csv)</translation>
  </message>
  <message>
   <source>Export writing sessions</source>
   <translation>Schreibsitzungen exportieren</translation>
  </message>
 </context>
 <context>
  <name>ShortcutsDialog</name>
  <message>
   <source>Action</source>
   <translation>Aktion</translation>
  </message>
  <message>
   <source>Actions and their keys</source>
   <translation>Aktionen und ihre Tasten</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Keys</source>
   <translation>Tasten</translation>
  </message>
  <message>
   <source>No action has such a name or key.</source>
   <translation>Keine Aktion heißt so oder hat eine solche Taste.</translation>
  </message>
  <message>
   <source>Search by name or key</source>
   <translation>Nach Name oder Taste suchen</translation>
  </message>
  <message>
   <source>Search the shortcuts</source>
   <translation>In den Tastenkürzeln suchen</translation>
  </message>
  <message>
   <source>Shortcuts</source>
   <translation>Tastenkürzel</translation>
  </message>
 </context>
 <context>
  <name>ShortcutsPage</name>
  <message>
   <source>&amp;All Usual</source>
   <translation>&amp;Alle zurücksetzen</translation>
  </message>
  <message>
   <source>&amp;No Key</source>
   <translation>&amp;Keine Taste</translation>
  </message>
  <message>
   <source>&amp;Take It</source>
   <translation>&amp;Wegnehmen</translation>
  </message>
  <message>
   <source>&amp;Usual Keys</source>
   <translation>&amp;Zurücksetzen</translation>
  </message>
  <message>
   <source>Action</source>
   <translation>Aktion</translation>
  </message>
  <message>
   <source>Actions and their keys</source>
   <translation>Aktionen und ihre Tasten</translation>
  </message>
  <message>
   <source>Keys</source>
   <translation>Tasten</translation>
  </message>
  <message>
   <source>New keys</source>
   <translation>Neue Tasten</translation>
  </message>
  <message>
   <source>Press the new keys</source>
   <translation>Drücken Sie die neuen Tasten</translation>
  </message>
  <message>
   <source>Search by name or key</source>
   <translation>Nach Name oder Taste suchen</translation>
  </message>
  <message>
   <source>Search the actions</source>
   <translation>In den Aktionen suchen</translation>
  </message>
  <message>
   <source>{0} belongs to writing. Hold Ctrl or Alt with it, or take a function key.</source>
   <translation>{0} gehört zum Schreiben. Halten Sie Strg oder Alt dazu, oder nehmen Sie eine Funktionstaste.</translation>
  </message>
  <message>
   <source>{0} belongs to “{1}”. Take it, and “{1}” loses it.</source>
   <translation>{0} gehört zu „{1}“. Nehmen Sie es weg, dann verliert „{1}“ es.</translation>
  </message>
  <message>
   <source>{0} is now “{1}”.</source>
   <translation>{0} ist jetzt „{1}“.</translation>
  </message>
  <message>
   <source>{0} opens a menu. Choose other keys.</source>
   <translation>{0} öffnet ein Menü. Wählen Sie andere Tasten.</translation>
  </message>
  <message>
   <source>{0}, changed</source>
   <translation>{0}, geändert</translation>
  </message>
 </context>
 <context>
  <name>SidePanel</name>
  <message>
   <source>Panels</source>
   <translation>Bereiche</translation>
  </message>
 </context>
 <context>
  <name>SnapshotsPanel</name>
  <message>
   <source>Before an import</source>
   <translation>Vor einem Import</translation>
  </message>
  <message>
   <source>Before drafting</source>
   <translation>Vor dem Entwerfen</translation>
  </message>
  <message>
   <source>Before restoring</source>
   <translation>Vor dem Wiederherstellen</translation>
  </message>
  <message>
   <source>Compare</source>
   <translation>Vergleichen</translation>
  </message>
  <message>
   <source>No snapshots yet. Quire takes one before every draft.</source>
   <translation>Noch keine Schnappschüsse. Quire macht vor jedem Entwurf einen.</translation>
  </message>
  <message>
   <source>Restore This Text</source>
   <translation>Diesen Text wiederherstellen</translation>
  </message>
  <message>
   <source>Snapshot</source>
   <translation>Schnappschuss</translation>
  </message>
  <message>
   <source>Snapshots</source>
   <translation>Schnappschüsse</translation>
  </message>
  <message>
   <source>Take Snapshot</source>
   <translation>Schnappschuss machen</translation>
  </message>
  <message>
   <source>{0}, {1}</source>
   <translation>{0}, {1}</translation>
  </message>
 </context>
 <context>
  <name>SpaceBar</name>
  <message>
   <source>How much space is used is not known yet</source>
   <translation>Wie viel Platz belegt ist, ist noch nicht bekannt</translation>
  </message>
  <message>
   <source>Room to write in</source>
   <translation>Platz zum Schreiben</translation>
  </message>
  <message>
   <source>Space used</source>
   <translation>Belegter Platz</translation>
  </message>
  <message>
   <source>Space used: {0}{1} of {2} word pieces</source>
   <translation>Belegter Platz: {0}{1} von {2} Wortstücken</translation>
  </message>
  <message>
   <source>about </source>
   <translation>etwa </translation>
  </message>
  <message>
   <source>room to write in {0}</source>
   <translation>Platz zum Schreiben in {0}</translation>
  </message>
  <message>
   <source>{0} words, {1}{2} word pieces</source>
   <translation>{0} Wörter, {1}{2} Wortstücke</translation>
  </message>
  <message>
   <source>{0}{1} of {2}</source>
   <translation>{0}{1} von {2}</translation>
  </message>
 </context>
 <context>
  <name>SpellingActions</name>
  <message>
   <source>&amp;Add a Dictionary...</source>
   <translation>Wörterbuch &amp;hinzufügen...</translation>
  </message>
  <message>
   <source>&amp;Check Spelling</source>
   <translation>&amp;Rechtschreibung prüfen</translation>
  </message>
  <message>
   <source>&amp;Language</source>
   <translation>&amp;Sprache</translation>
  </message>
  <message>
   <source>&amp;Next Word in Doubt</source>
   <translation>&amp;Nächstes fragliches Wort</translation>
  </message>
  <message>
   <source>&amp;Spelling</source>
   <translation>&amp;Rechtschreibung</translation>
  </message>
  <message>
   <source>&amp;Word List...</source>
   <translation>&amp;Wortliste...</translation>
  </message>
 </context>
 <context>
  <name>SpellingController</name>
  <message>
   <source>No dictionary for {0}</source>
   <translation>Kein Wörterbuch für {0}</translation>
  </message>
  <message>
   <source>No word of this text is in doubt.</source>
   <translation>Kein Wort dieses Textes ist fraglich.</translation>
  </message>
  <message>
   <source>Spelling off</source>
   <translation>Rechtschreibung aus</translation>
  </message>
  <message>
   <source>The dictionary for {0} was added, and is used for this book.</source>
   <translation>Das Wörterbuch für {0} wurde hinzugefügt und gilt für dieses Buch.</translation>
  </message>
  <message>
   <source>There is no dictionary for {0}, so its spelling is not checked. Add one, or choose another language, under Edit &gt; Spelling.</source>
   <translation>Für {0} gibt es kein Wörterbuch, also wird die Rechtschreibung nicht geprüft. Fügen Sie eines hinzu, oder wählen Sie eine andere Sprache, unter Bearbeiten &gt; Rechtschreibung.</translation>
  </message>
 </context>
 <context>
  <name>WordListController</name>
  <message>
   <source>1 word is new.</source>
   <translation>1 Wort ist neu.</translation>
  </message>
  <message>
   <source>The words were written to {0}.</source>
   <translation>Die Wörter wurden nach {0} geschrieben.</translation>
  </message>
  <message>
   <source>This project can only be read: what you add is forgotten when it is closed.</source>
   <translation>Dieses Projekt kann nur gelesen werden: Was Sie hinzufügen, ist vergessen, wenn es geschlossen wird.</translation>
  </message>
  <message>
   <source>{0} words are new.</source>
   <translation>{0} Wörter sind neu.</translation>
  </message>
 </context>
 <context>
  <name>StatusBox</name>
  <message>
   <source>Status</source>
   <translation>Status</translation>
  </message>
 </context>
 <context>
  <name>StatusLine</name>
  <message>
   <source>1 word</source>
   <translation>1 Wort</translation>
  </message>
  <message>
   <source>Not saved</source>
   <translation>Nicht gespeichert</translation>
  </message>
  <message>
   <source>Saved</source>
   <translation>Gespeichert</translation>
  </message>
  <message>
   <source>Saving...</source>
   <translation>Wird gespeichert...</translation>
  </message>
  <message>
   <source>The language of the spelling; more in Edit &gt; Spelling</source>
   <translation>Die Sprache der Rechtschreibung; mehr unter Bearbeiten &gt; Rechtschreibung</translation>
  </message>
  <message>
   <source>The precision the model computes in</source>
   <translation>Die Genauigkeit, mit der das Modell rechnet</translation>
  </message>
  <message>
   <source>Today: {0} written, {1} drafted</source>
   <translation>Heute: {0} geschrieben, {1} entworfen</translation>
  </message>
  <message>
   <source>Your words and the model's; more in Tools &gt; Writing Statistics</source>
   <translation>Ihre Wörter und die des Modells; mehr unter Extras &gt; Schreibstatistik</translation>
  </message>
  <message>
   <source>{0} in the manuscript</source>
   <translation>{0} im Manuskript</translation>
  </message>
  <message>
   <source>{0} in this text</source>
   <translation>{0} in diesem Text</translation>
  </message>
  <message>
   <source>{0} words</source>
   <translation>{0} Wörter</translation>
  </message>
 </context>
 <context>
  <name>SteerPanel</name>
  <message>
   <source>+ Add</source>
   <translation>+ Hinzufügen</translation>
  </message>
  <message>
   <source>1 entry</source>
   <translation>1 Eintrag</translation>
  </message>
  <message>
   <source>A new entry, or a note of your project</source>
   <translation>Ein neuer Eintrag oder eine Notiz Ihres Projekts</translation>
  </message>
  <message>
   <source>A page in the voice that the book shall have; it stands before the story</source>
   <translation>Eine Seite in dem Ton, den das Buch haben soll; sie steht vor der Geschichte</translation>
  </message>
  <message>
   <source>Add to the Lorebook</source>
   <translation>Ins Lexikon aufnehmen</translation>
  </message>
  <message>
   <source>All of the text that the next start reads (Ctrl+Shift+M)</source>
   <translation>Der ganze Text, den der nächste Start liest (Strg+Umschalt+M)</translation>
  </message>
  <message>
   <source>All of them were told.</source>
   <translation>Alle davon wurden gesagt.</translation>
  </message>
  <message>
   <source>Ask in chat form</source>
   <translation>In Chatform fragen</translation>
  </message>
  <message>
   <source>Beats</source>
   <translation>Beats</translation>
  </message>
  <message>
   <source>Beats of {0}</source>
   <translation>Beats von {0}</translation>
  </message>
  <message>
   <source>Earlier versions</source>
   <translation>Frühere Stände</translation>
  </message>
  <message>
   <source>From your notes</source>
   <translation>Aus Ihren Notizen</translation>
  </message>
  <message>
   <source>Lorebook</source>
   <translation>Lexikon</translation>
  </message>
  <message>
   <source>Mara misses the last ferry
She finds the letter</source>
   <translation>Mara verpasst die letzte Fähre
Sie findet den Brief</translation>
  </message>
  <message>
   <source>Memory</source>
   <translation>Gedächtnis</translation>
  </message>
  <message>
   <source>New Entry...</source>
   <translation>Neuer Eintrag...</translation>
  </message>
  <message>
   <source>One line for each thing that happens; each run is told the next one.</source>
   <translation>Eine Zeile für alles, was geschieht; jeder Lauf erfährt die nächste.</translation>
  </message>
  <message>
   <source>Opening</source>
   <translation>Anfang</translation>
  </message>
  <message>
   <source>Opening or style sample</source>
   <translation>Anfang oder Stilprobe</translation>
  </message>
  <message>
   <source>Run {0} was told: {1}</source>
   <translation>Lauf {0} erfuhr: {1}</translation>
  </message>
  <message>
   <source>Stage direction</source>
   <translation>Regieanweisung</translation>
  </message>
  <message>
   <source>Stage direction for the next start</source>
   <translation>Regieanweisung für den nächsten Start</translation>
  </message>
  <message>
   <source>Steering</source>
   <translation>Steuerung</translation>
  </message>
  <message>
   <source>The model does not write these, from the next run on. Spelled another way, or put together from other word pieces, they can still occur; longer words that begin alike may be avoided too.</source>
   <translation>Das Modell schreibt sie nicht, vom nächsten Lauf an. Anders geschrieben oder aus anderen Wortstücken zusammengesetzt können sie noch vorkommen; auch längere Wörter, die gleich beginnen, werden vielleicht vermieden.</translation>
  </message>
  <message>
   <source>The next run is told: {0}</source>
   <translation>Der nächste Lauf erfährt: {0}</translation>
  </message>
  <message>
   <source>This model is tuned for chats: Memory is put to it as what is asked, the story as its answer</source>
   <translation>Dieses Modell ist auf Gespräche abgestimmt: Das Gedächtnis wird ihm als Frage gestellt, die Geschichte als seine Antwort</translation>
  </message>
  <message>
   <source>Untitled</source>
   <translation>Ohne Titel</translation>
  </message>
  <message>
   <source>Use again</source>
   <translation>Noch einmal verwenden</translation>
  </message>
  <message>
   <source>What comes next, for the next start only: Keep the storm outside</source>
   <translation>Was als Nächstes kommt, nur für den nächsten Start: Lass den Sturm draußen</translation>
  </message>
  <message>
   <source>What the Model Sees</source>
   <translation>Was das Modell sieht</translation>
  </message>
  <message>
   <source>What the model must never forget: who, where, when, and what happened so far</source>
   <translation>Was das Modell nie vergessen darf: wer, wo, wann, und was bisher geschah</translation>
  </message>
  <message>
   <source>Words and phrases to avoid, one per line</source>
   <translation>Zu vermeidende Wörter und Wendungen, je eine Zeile</translation>
  </message>
  <message>
   <source>Words to avoid</source>
   <translation>Zu vermeidende Wörter</translation>
  </message>
  <message>
   <source>a testament to
couldn't help but</source>
   <translation>ein Zeugnis von
konnte nicht umhin</translation>
  </message>
  <message>
   <source>{0} entries</source>
   <translation>{0} Einträge</translation>
  </message>
  <message>
   <source>{0} of the lines are not used: at most {1}, of {2} characters each, can be.</source>
   <translation>{0} der Zeilen gelten nicht: Es können höchstens {1} sein, mit je höchstens {2} Zeichen.</translation>
  </message>
  <message>
   <source>{0} of {1} told</source>
   <translation>{0} von {1} gesagt</translation>
  </message>
  <message>
   <source>{0} told</source>
   <translation>{0} gesagt</translation>
  </message>
 </context>
 <context>
  <name>Steering</name>
  <message>
   <source>Beat</source>
   <translation>Beat</translation>
  </message>
  <message>
   <source>Lorebook</source>
   <translation>Lexikon</translation>
  </message>
  <message>
   <source>Manuscript</source>
   <translation>Manuskript</translation>
  </message>
  <message>
   <source>Memory</source>
   <translation>Gedächtnis</translation>
  </message>
  <message>
   <source>Opening</source>
   <translation>Anfang</translation>
  </message>
  <message>
   <source>Stage direction</source>
   <translation>Regieanweisung</translation>
  </message>
  <message>
   <source>no room left in front of the story</source>
   <translation>vor der Geschichte ist kein Platz mehr</translation>
  </message>
  <message>
   <source>none of its keys stands in the newest pages</source>
   <translation>keines der Schlüsselwörter steht auf den neuesten Seiten</translation>
  </message>
  <message>
   <source>switched off</source>
   <translation>ausgeschaltet</translation>
  </message>
  <message>
   <source>the story is longer than the model can hold</source>
   <translation>die Geschichte ist länger, als das Modell fassen kann</translation>
  </message>
  <message>
   <source>too long, its end is left out</source>
   <translation>zu lang, das Ende ist weggelassen</translation>
  </message>
 </context>
 <context>
  <name>SteeringActions</name>
  <message>
   <source>&amp;Beats of This Chapter</source>
   <translation>&amp;Beats dieses Kapitels</translation>
  </message>
  <message>
   <source>&amp;Lorebook</source>
   <translation>&amp;Lexikon</translation>
  </message>
  <message>
   <source>&amp;Memory</source>
   <translation>&amp;Gedächtnis</translation>
  </message>
  <message>
   <source>&amp;Opening and Style Sample</source>
   <translation>&amp;Anfang und Stilprobe</translation>
  </message>
  <message>
   <source>&amp;Presets...</source>
   <translation>&amp;Voreinstellungen...</translation>
  </message>
  <message>
   <source>&amp;Queue...</source>
   <translation>Warte&amp;schlange...</translation>
  </message>
  <message>
   <source>&amp;Right Panel</source>
   <translation>&amp;Rechter Bereich</translation>
  </message>
  <message>
   <source>&amp;What the Model Sees...</source>
   <translation>&amp;Was das Modell sieht...</translation>
  </message>
  <message>
   <source>Stage &amp;Direction (author's note)</source>
   <translation>Regieanweisung (&amp;Anmerkung des Autors)</translation>
  </message>
  <message>
   <source>Words to &amp;Avoid</source>
   <translation>&amp;Zu vermeidende Wörter</translation>
  </message>
 </context>
 <context>
  <name>SynopsisDelegate</name>
  <message>
   <source>What happens</source>
   <translation>Was geschieht</translation>
  </message>
 </context>
 <context>
  <name>TakeActions</name>
  <message>
   <source>&amp;Compare</source>
   <translation>&amp;Vergleichen</translation>
  </message>
  <message>
   <source>&amp;Delete for Good...</source>
   <translation>&amp;Endgültig löschen...</translation>
  </message>
  <message>
   <source>&amp;Empty the Trash...</source>
   <translation>Papierkorb &amp;leeren...</translation>
  </message>
  <message>
   <source>&amp;Make This Take Again</source>
   <translation>Diese Fassung &amp;noch einmal machen</translation>
  </message>
  <message>
   <source>&amp;Rename...</source>
   <translation>&amp;Umbenennen...</translation>
  </message>
  <message>
   <source>Drafts it once more with its own seed and settings</source>
   <translation>Entwirft sie noch einmal mit ihrem eigenen Startwert und ihren Einstellungen</translation>
  </message>
  <message>
   <source>It is deleted after 30 days</source>
   <translation>Sie wird nach 30 Tagen gelöscht</translation>
  </message>
  <message>
   <source>Lay Over the C&amp;harts</source>
   <translation>Über die &amp;Diagramme legen</translation>
  </message>
  <message>
   <source>Put in the &amp;Text</source>
   <translation>In den &amp;Text übernehmen</translation>
  </message>
  <message>
   <source>Put into the T&amp;rash</source>
   <translation>In den &amp;Papierkorb</translation>
  </message>
  <message>
   <source>Take &amp;Back from the Trash</source>
   <translation>Aus dem Papierkorb &amp;zurückholen</translation>
  </message>
 </context>
 <context>
  <name>TakeTexts</name>
  <message>
   <source>1 day left</source>
   <translation>Noch 1 Tag</translation>
  </message>
  <message>
   <source>1 word</source>
   <translation>1 Wort</translation>
  </message>
  <message>
   <source>1 word differs.</source>
   <translation>1 Wort ist verschieden.</translation>
  </message>
  <message>
   <source>After … {0}</source>
   <translation>Nach … {0}</translation>
  </message>
  <message>
   <source>All words of the take, drafted and written</source>
   <translation>Alle Wörter der Fassung, entworfene und geschriebene</translation>
  </message>
  <message>
   <source>Before an import</source>
   <translation>Vor einem Import</translation>
  </message>
  <message>
   <source>Before drafting</source>
   <translation>Vor dem Entwerfen</translation>
  </message>
  <message>
   <source>Before restoring</source>
   <translation>Vor dem Wiederherstellen</translation>
  </message>
  <message>
   <source>Drafted</source>
   <translation>Entworfen</translation>
  </message>
  <message>
   <source>Echoes</source>
   <translation>Echos</translation>
  </message>
  <message>
   <source>From the beginning</source>
   <translation>Von Anfang an</translation>
  </message>
  <message>
   <source>Guesses kept</source>
   <translation>Übernommene Vorhersagen</translation>
  </message>
  <message>
   <source>How freely the model chose its words</source>
   <translation>Wie frei das Modell seine Wörter gewählt hat</translation>
  </message>
  <message>
   <source>How often the quick guesses were right. Says nothing about quality</source>
   <translation>Wie oft die schnellen Vorhersagen zutrafen. Sagt nichts über die Güte</translation>
  </message>
  <message>
   <source>Model</source>
   <translation>Modell</translation>
  </message>
  <message>
   <source>No word differs.</source>
   <translation>Kein Wort ist verschieden.</translation>
  </message>
  <message>
   <source>Preset</source>
   <translation>Voreinstellung</translation>
  </message>
  <message>
   <source>Seed</source>
   <translation>Startwert</translation>
  </message>
  <message>
   <source>Share of different word pairs in 2,000 words, those before the take among them. Published novels: 0.59 to 0.90. It needs 2,000 words</source>
   <translation>Anteil der verschiedenen Wortpaare in 2.000 Wörtern, die vor der Fassung mitgezählt. Veröffentlichte Romane: 0,59 bis 0,90. Dafür braucht es 2.000 Wörter</translation>
  </message>
  <message>
   <source>Snapshot</source>
   <translation>Schnappschuss</translation>
  </message>
  <message>
   <source>Take {0}</source>
   <translation>Fassung {0}</translation>
  </message>
  <message>
   <source>Text that repeats itself within 2,000 words</source>
   <translation>Text, der sich innerhalb von 2.000 Wörtern wiederholt</translation>
  </message>
  <message>
   <source>The same seed and settings give the same take</source>
   <translation>Gleicher Startwert und gleiche Einstellungen ergeben die gleiche Fassung</translation>
  </message>
  <message>
   <source>Time drafted</source>
   <translation>Entwurfszeit</translation>
  </message>
  <message>
   <source>Tokens at a time</source>
   <translation>Token auf einmal</translation>
  </message>
  <message>
   <source>Variety</source>
   <translation>Vielfalt</translation>
  </message>
  <message>
   <source>What drafted it</source>
   <translation>Was sie entworfen hat</translation>
  </message>
  <message>
   <source>When a draft last wrote in it</source>
   <translation>Wann zuletzt ein Entwurf darin geschrieben hat</translation>
  </message>
  <message>
   <source>While it was drafted</source>
   <translation>Während sie entworfen wurde</translation>
  </message>
  <message>
   <source>Without reading and pauses</source>
   <translation>Ohne Lesen und Pausen</translation>
  </message>
  <message>
   <source>Word pieces written in each step of the full model</source>
   <translation>Wortstücke in jedem Schritt des vollen Modells</translation>
  </message>
  <message>
   <source>Words</source>
   <translation>Wörter</translation>
  </message>
  <message>
   <source>Words a minute</source>
   <translation>Wörter pro Minute</translation>
  </message>
  <message>
   <source>own settings</source>
   <translation>eigene Einstellungen</translation>
  </message>
  <message>
   <source>{0} days left</source>
   <translation>Noch {0} Tage</translation>
  </message>
  <message>
   <source>{0} h {1} min</source>
   <translation>{0} Std. {1} Min.</translation>
  </message>
  <message>
   <source>{0} min {1} s</source>
   <translation>{0} Min. {1} Sek.</translation>
  </message>
  <message>
   <source>{0} s</source>
   <translation>{0} Sek.</translation>
  </message>
  <message>
   <source>{0} words</source>
   <translation>{0} Wörter</translation>
  </message>
  <message>
   <source>{0} words differ.</source>
   <translation>{0} Wörter sind verschieden.</translation>
  </message>
  <message>
   <source>{0} · in the text</source>
   <translation>{0} · im Text</translation>
  </message>
  <message>
   <source>{0} · in the trash</source>
   <translation>{0} · im Papierkorb</translation>
  </message>
  <message>
   <source>{0} · {1}</source>
   <translation>{0} · {1}</translation>
  </message>
  <message>
   <source>{0}, {1}</source>
   <translation>{0}, {1}</translation>
  </message>
 </context>
 <context>
  <name>TakesPanel</name>
  <message>
   <source>Compare</source>
   <translation>Vergleichen</translation>
  </message>
  <message>
   <source>Delete every take in the trash of this text for good?</source>
   <translation>Alle Fassungen im Papierkorb dieses Textes endgültig löschen?</translation>
  </message>
  <message>
   <source>Delete for Good</source>
   <translation>Endgültig löschen</translation>
  </message>
  <message>
   <source>Delete {0} for good?</source>
   <translation>{0} endgültig löschen?</translation>
  </message>
  <message>
   <source>In the trash</source>
   <translation>Im Papierkorb</translation>
  </message>
  <message>
   <source>Keep</source>
   <translation>Behalten</translation>
  </message>
  <message>
   <source>Name (empty: its number)</source>
   <translation>Name (leer: ihre Nummer)</translation>
  </message>
  <message>
   <source>No takes yet. Retry or Redraft From Here begins one.</source>
   <translation>Noch keine Fassungen. Noch einmal oder Ab hier neu entwerfen beginnt eine.</translation>
  </message>
  <message>
   <source>Put in the Text</source>
   <translation>In den Text übernehmen</translation>
  </message>
  <message>
   <source>Rename the Take</source>
   <translation>Die Fassung umbenennen</translation>
  </message>
  <message>
   <source>Takes</source>
   <translation>Fassungen</translation>
  </message>
  <message>
   <source>Takes that begin in it and what is known about its drafts go with it. Snapshots stay.</source>
   <translation>Fassungen, die darin beginnen, und was über ihre Entwürfe bekannt ist, gehen mit. Schnappschüsse bleiben.</translation>
  </message>
  <message>
   <source>Trash</source>
   <translation>Papierkorb</translation>
  </message>
  <message>
   <source>What lies here is deleted 30 days after it was put away.</source>
   <translation>Was hier liegt, wird 30 Tage, nachdem es weggelegt wurde, gelöscht.</translation>
  </message>
  <message>
   <source>{0} (inside another take)</source>
   <translation>{0} (in einer anderen Fassung)</translation>
  </message>
 </context>
 <context>
  <name>TallyCard</name>
  <message>
   <source>{0} drafted</source>
   <translation>{0} entworfen</translation>
  </message>
  <message>
   <source>{0} hours at work</source>
   <translation>{0} Stunden bei der Arbeit</translation>
  </message>
  <message>
   <source>{0} written</source>
   <translation>{0} geschrieben</translation>
  </message>
 </context>
 <context>
  <name>TextActions</name>
  <message>
   <source>&amp;Bold</source>
   <translation>&amp;Fett</translation>
  </message>
  <message>
   <source>&amp;Italic</source>
   <translation>&amp;Kursiv</translation>
  </message>
  <message>
   <source>&amp;Paragraph</source>
   <translation>&amp;Absatz</translation>
  </message>
  <message>
   <source>F&amp;ormat</source>
   <translation>F&amp;ormat</translation>
  </message>
  <message>
   <source>Heading &amp;{0}</source>
   <translation>Überschrift &amp;{0}</translation>
  </message>
  <message>
   <source>Insert &amp;Scene Break</source>
   <translation>S&amp;zenentrenner einfügen</translation>
  </message>
  <message>
   <source>T&amp;ypewriter</source>
   <translation>Schreib&amp;maschine</translation>
  </message>
 </context>
 <context>
  <name>TextFileDialog</name>
  <message>
   <source>All files (*)</source>
   <translation>Alle Dateien (*)</translation>
  </message>
  <message>
   <source>Import a manuscript</source>
   <translation>Ein Manuskript importieren</translation>
  </message>
  <message>
   <source>Manuscripts (*.txt *.md *.markdown *.docx *.odt *.epub)</source>
   <translation>Manuskripte (*.txt *.md *.markdown *.docx *.odt *.epub)</translation>
  </message>
 </context>
 <context>
  <name>TextSample</name>
  <message>
   <source>A paragraph as the manuscript shows it</source>
   <translation>Ein Absatz, wie das Manuskript ihn zeigt</translation>
  </message>
  <message>
   <source>The ferry left without him. He stood on the wet boards and counted the lamps along the other shore until the rain had put out all but one, and that one, he thought, might be hers. Nobody came. Behind him the harbour went on with its night: a chain, a dog, a laugh at some window.</source>
   <translation>Die Fähre fuhr ohne ihn ab. Er stand auf den nassen Planken und zählte die Lampen am anderen Ufer, bis der Regen alle bis auf eine gelöscht hatte, und die, dachte er, mochte ihre sein. Niemand kam. Hinter ihm ging der Hafen seiner Nacht nach: eine Kette, ein Hund, ein Lachen an einem Fenster.</translation>
  </message>
 </context>
 <context>
  <name>ThemeCards</name>
  <message>
   <source>As the system</source>
   <translation>Wie das System</translation>
  </message>
  <message>
   <source>Dark</source>
   <translation>Dunkel</translation>
  </message>
  <message>
   <source>High contrast</source>
   <translation>Hoher Kontrast</translation>
  </message>
  <message>
   <source>Light</source>
   <translation>Hell</translation>
  </message>
  <message>
   <source>Sepia</source>
   <translation>Sepia</translation>
  </message>
  <message>
   <source>Theme</source>
   <translation>Farben</translation>
  </message>
 </context>
 <context>
  <name>TreeDelegate</name>
  <message>
   <source>Title</source>
   <translation>Titel</translation>
  </message>
 </context>
 <context>
  <name>WelcomePage</name>
  <message>
   <source>A sample with the model that came with Quire: press Continue and watch it write.</source>
   <translation>Ein Beispiel mit dem Modell, das zu Quire gehört: Drücken Sie Fortsetzen und sehen Sie ihm beim Schreiben zu.</translation>
  </message>
  <message>
   <source>An empty page. No model is loaded until you ask for one.</source>
   <translation>Eine leere Seite. Kein Modell wird geladen, bevor Sie eines wollen.</translation>
  </message>
  <message>
   <source>Everything stays on this computer: no account, no telemetry, nothing is sent anywhere.</source>
   <translation>Alles bleibt auf diesem Computer: kein Konto, keine Telemetrie, nichts wird irgendwohin gesendet.</translation>
  </message>
  <message>
   <source>Import...</source>
   <translation>Importieren...</translation>
  </message>
  <message>
   <source>Just Write</source>
   <translation>Einfach schreiben</translation>
  </message>
  <message>
   <source>New Project...</source>
   <translation>Neues Projekt...</translation>
  </message>
  <message>
   <source>Open...</source>
   <translation>Öffnen...</translation>
  </message>
  <message>
   <source>Recent projects</source>
   <translation>Letzte Projekte</translation>
  </message>
  <message>
   <source>Set Up a Larger Model...</source>
   <translation>Ein größeres Modell einrichten...</translation>
  </message>
  <message>
   <source>The built-in model is small. A larger one on this computer writes better.</source>
   <translation>Das eingebaute Modell ist klein. Ein größeres auf diesem Computer schreibt besser.</translation>
  </message>
  <message>
   <source>Try It Now</source>
   <translation>Ausprobieren</translation>
  </message>
  <message>
   <source>Welcome to Quire</source>
   <translation>Willkommen bei Quire</translation>
  </message>
 </context>
 <context>
  <name>WindowActions</name>
  <message>
   <source>&amp;About Quire</source>
   <translation>Ü&amp;ber Quire</translation>
  </message>
  <message>
   <source>&amp;Back Up Now</source>
   <translation>Jetzt &amp;sichern</translation>
  </message>
  <message>
   <source>&amp;Charts</source>
   <translation>&amp;Diagramme</translation>
  </message>
  <message>
   <source>&amp;Continue</source>
   <translation>&amp;Fortsetzen</translation>
  </message>
  <message>
   <source>&amp;Copy</source>
   <translation>&amp;Kopieren</translation>
  </message>
  <message>
   <source>&amp;Dark</source>
   <translation>&amp;Dunkel</translation>
  </message>
  <message>
   <source>&amp;Draft</source>
   <translation>&amp;Entwurf</translation>
  </message>
  <message>
   <source>&amp;Edit</source>
   <translation>&amp;Bearbeiten</translation>
  </message>
  <message>
   <source>&amp;File</source>
   <translation>&amp;Datei</translation>
  </message>
  <message>
   <source>&amp;Find...</source>
   <translation>&amp;Suchen...</translation>
  </message>
  <message>
   <source>&amp;Follow the System</source>
   <translation>Wie das &amp;System</translation>
  </message>
  <message>
   <source>&amp;Full Screen</source>
   <translation>&amp;Vollbild</translation>
  </message>
  <message>
   <source>&amp;Help</source>
   <translation>&amp;Hilfe</translation>
  </message>
  <message>
   <source>&amp;High Contrast</source>
   <translation>Hoher &amp;Kontrast</translation>
  </message>
  <message>
   <source>&amp;Import...</source>
   <translation>&amp;Importieren...</translation>
  </message>
  <message>
   <source>&amp;Inspect</source>
   <translation>&amp;Untersuchen</translation>
  </message>
  <message>
   <source>&amp;Light</source>
   <translation>&amp;Hell</translation>
  </message>
  <message>
   <source>&amp;Manuscript</source>
   <translation>&amp;Manuskript</translation>
  </message>
  <message>
   <source>&amp;New Project...</source>
   <translation>&amp;Neues Projekt...</translation>
  </message>
  <message>
   <source>&amp;Next Take</source>
   <translation>&amp;Nächste Fassung</translation>
  </message>
  <message>
   <source>&amp;Open...</source>
   <translation>Ö&amp;ffnen...</translation>
  </message>
  <message>
   <source>&amp;Paste as Plain Text</source>
   <translation>Als reinen Text e&amp;infügen</translation>
  </message>
  <message>
   <source>&amp;Pause</source>
   <translation>&amp;Anhalten</translation>
  </message>
  <message>
   <source>&amp;Quit</source>
   <translation>&amp;Beenden</translation>
  </message>
  <message>
   <source>&amp;Redo</source>
   <translation>&amp;Wiederholen</translation>
  </message>
  <message>
   <source>&amp;Replace...</source>
   <translation>&amp;Ersetzen...</translation>
  </message>
  <message>
   <source>&amp;Retry</source>
   <translation>N&amp;och einmal</translation>
  </message>
  <message>
   <source>&amp;Sepia</source>
   <translation>S&amp;epia</translation>
  </message>
  <message>
   <source>&amp;Shortcuts</source>
   <translation>&amp;Tastenkürzel</translation>
  </message>
  <message>
   <source>&amp;Side Panel</source>
   <translation>&amp;Seitenleiste</translation>
  </message>
  <message>
   <source>&amp;Steering</source>
   <translation>&amp;Steuerung</translation>
  </message>
  <message>
   <source>&amp;Take Snapshot</source>
   <translation>&amp;Schnappschuss machen</translation>
  </message>
  <message>
   <source>&amp;Theme</source>
   <translation>&amp;Farben</translation>
  </message>
  <message>
   <source>&amp;Tools</source>
   <translation>E&amp;xtras</translation>
  </message>
  <message>
   <source>&amp;Undo</source>
   <translation>&amp;Rückgängig</translation>
  </message>
  <message>
   <source>&amp;Usual Size</source>
   <translation>&amp;Übliche Größe</translation>
  </message>
  <message>
   <source>&amp;View</source>
   <translation>&amp;Ansicht</translation>
  </message>
  <message>
   <source>Choose &amp;Model...</source>
   <translation>&amp;Modell wählen...</translation>
  </message>
  <message>
   <source>Cu&amp;t</source>
   <translation>&amp;Ausschneiden</translation>
  </message>
  <message>
   <source>E&amp;xport Manuscript...</source>
   <translation>Manuskript e&amp;xportieren...</translation>
  </message>
  <message>
   <source>Export &amp;Run Data...</source>
   <translation>&amp;Laufdaten exportieren...</translation>
  </message>
  <message>
   <source>Find in &amp;Book...</source>
   <translation>Im &amp;Buch suchen...</translation>
  </message>
  <message>
   <source>Go to the &amp;Draft Bar</source>
   <translation>Zur &amp;Entwurfsleiste</translation>
  </message>
  <message>
   <source>Go to the &amp;Manuscript</source>
   <translation>Zum &amp;Manuskript</translation>
  </message>
  <message>
   <source>Go to the &amp;Tree</source>
   <translation>Zum &amp;Baum</translation>
  </message>
  <message>
   <source>Keep a &amp;Fast Resume File</source>
   <translation>&amp;Datei für schnelles Fortsetzen behalten</translation>
  </message>
  <message>
   <source>Open &amp;Recent</source>
   <translation>&amp;Zuletzt geöffnet</translation>
  </message>
  <message>
   <source>Pause and &amp;Free the Memory</source>
   <translation>Anhalten und Speicher &amp;freigeben</translation>
  </message>
  <message>
   <source>Pre&amp;vious Take</source>
   <translation>&amp;Vorige Fassung</translation>
  </message>
  <message>
   <source>Re&amp;draft From Here</source>
   <translation>Ab hier neu &amp;entwerfen</translation>
  </message>
  <message>
   <source>Select &amp;All</source>
   <translation>&amp;Alles auswählen</translation>
  </message>
  <message>
   <source>Use the &amp;Built-in Model</source>
   <translation>Das ein&amp;gebaute Modell verwenden</translation>
  </message>
  <message>
   <source>Writing &amp;Statistics...</source>
   <translation>Schreib&amp;statistik...</translation>
  </message>
  <message>
   <source>Zoom &amp;In</source>
   <translation>Ver&amp;größern</translation>
  </message>
  <message>
   <source>Zoom &amp;Out</source>
   <translation>Ver&amp;kleinern</translation>
  </message>
 </context>
 <context>
  <name>WordFileDialog</name>
  <message>
   <source>All files (*)</source>
   <translation>Alle Dateien (*)</translation>
  </message>
  <message>
   <source>Export the word list</source>
   <translation>Die Wortliste exportieren</translation>
  </message>
  <message>
   <source>Import words</source>
   <translation>Wörter importieren</translation>
  </message>
  <message>
   <source>Lists of words (*.txt *.dic)</source>
   <translation>Wortlisten (*.txt *.dic)</translation>
  </message>
  <message>
   <source>words.txt</source>
   <translation>woerter.txt</translation>
  </message>
 </context>
 <context>
  <name>WordListDialog</name>
  <message>
   <source>&amp;Add</source>
   <translation>&amp;Hinzufügen</translation>
  </message>
  <message>
   <source>&amp;Export...</source>
   <translation>&amp;Exportieren...</translation>
  </message>
  <message>
   <source>&amp;Import...</source>
   <translation>&amp;Importieren...</translation>
  </message>
  <message>
   <source>&amp;Remove</source>
   <translation>&amp;Entfernen</translation>
  </message>
  <message>
   <source>1 word</source>
   <translation>1 Wort</translation>
  </message>
  <message>
   <source>A name or a word of your book</source>
   <translation>Ein Name oder ein Wort Ihres Buches</translation>
  </message>
  <message>
   <source>A word to add</source>
   <translation>Ein Wort zum Hinzufügen</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Names and words of this book that spelling leaves alone: {0}.</source>
   <translation>Namen und Wörter dieses Buches, die die Rechtschreibprüfung in Ruhe lässt: {0}.</translation>
  </message>
  <message>
   <source>Word List</source>
   <translation>Wortliste</translation>
  </message>
  <message>
   <source>Words that are right in this book</source>
   <translation>Wörter, die in diesem Buch richtig sind</translation>
  </message>
  <message>
   <source>{0} words</source>
   <translation>{0} Wörter</translation>
  </message>
 </context>
 <context>
  <name>WorkRow</name>
  <message>
   <source>Stop</source>
   <translation>Stopp</translation>
  </message>
  <message>
   <source>Stopping...</source>
   <translation>Hält an...</translation>
  </message>
 </context>
 <context>
  <name>WritingDialog</name>
  <message>
   <source>1 day</source>
   <translation>1 Tag</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Export CSV...</source>
   <translation>Als CSV exportieren...</translation>
  </message>
  <message>
   <source>Nothing has been written in this project yet.</source>
   <translation>In diesem Projekt wurde noch nichts geschrieben.</translation>
  </message>
  <message>
   <source>Sessions</source>
   <translation>Sitzungen</translation>
  </message>
  <message>
   <source>Streak</source>
   <translation>Serie</translation>
  </message>
  <message>
   <source>This week</source>
   <translation>Diese Woche</translation>
  </message>
  <message>
   <source>Today</source>
   <translation>Heute</translation>
  </message>
  <message>
   <source>Write today to begin one</source>
   <translation>Schreiben Sie heute, um eine zu beginnen</translation>
  </message>
  <message>
   <source>Writing Statistics</source>
   <translation>Schreibstatistik</translation>
  </message>
  <message>
   <source>Writing sessions, the newest first</source>
   <translation>Schreibsitzungen, die neueste zuerst</translation>
  </message>
  <message>
   <source>in a row with work on the book</source>
   <translation>hintereinander mit Arbeit am Buch</translation>
  </message>
  <message>
   <source>sessions</source>
   <translation>Sitzungen</translation>
  </message>
  <message>
   <source>{0} days</source>
   <translation>{0} Tage</translation>
  </message>
  <message>
   <source>{0} sessions</source>
   <translation>{0} Sitzungen</translation>
  </message>
 </context>
 <context>
  <name>WritingPage</name>
  <message>
   <source>&amp;Check the spelling</source>
   <translation>Rechtschreibung &amp;prüfen</translation>
  </message>
  <message>
   <source>&amp;Keep the line of the caret at one height</source>
   <translation>Die Zeile der Einfügemarke auf einer &amp;Höhe halten</translation>
  </message>
  <message>
   <source>&amp;Language of the text</source>
   <translation>&amp;Sprache des Textes</translation>
  </message>
  <message>
   <source>&amp;Typographic quotes, dashes and dots</source>
   <translation>&amp;Typografische Anführungszeichen, Striche und Punkte</translation>
  </message>
  <message>
   <source>As the system</source>
   <translation>Wie das System</translation>
  </message>
  <message>
   <source>Only what you type is changed, never what is pasted or drafted.</source>
   <translation>Nur was Sie tippen, wird geändert, nie was eingefügt oder entworfen wird.</translation>
  </message>
  <message>
   <source>Spelling</source>
   <translation>Rechtschreibung</translation>
  </message>
  <message>
   <source>Typing</source>
   <translation>Tippen</translation>
  </message>
 </context>
 <context>
  <name>self._window</name>
  <message>
   <source>The text as it is</source>
   <translation>Der Text, wie er ist</translation>
  </message>
 </context>
</TS>
