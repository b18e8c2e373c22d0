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
   <source>Draft novels with a language model on your own computer.</source>
   <translation>Romane entwerfen, mit einem Sprachmodell auf dem eigenen Computer.</translation>
  </message>
  <message>
   <source>MIT licence. Literata and Inter: SIL Open Font License.</source>
   <translation>MIT-Lizenz. Literata und Inter: SIL Open Font License.</translation>
  </message>
  <message>
   <source>No account, no telemetry. Nothing leaves this computer unless you ask for it.</source>
   <translation>Kein Konto, keine Telemetrie. Nichts verlässt diesen Computer, wenn Sie es nicht wollen.</translation>
  </message>
  <message>
   <source>The Quire icon: folded sheets</source>
   <translation>Das Quire-Symbol: gefaltete Bögen</translation>
  </message>
  <message>
   <source>Version {0}</source>
   <translation>Version {0}</translation>
  </message>
 </context>
 <context>
  <name>AccelerationDialog</name>
  <message>
   <source>&amp;Auto: draft ahead with whatever is fastest</source>
   <translation>&amp;Automatisch: vorausschreiben mit dem, was am schnellsten ist</translation>
  </message>
  <message>
   <source>&amp;Draft model</source>
   <translation>&amp;Entwurfsmodell</translation>
  </message>
  <message>
   <source>&amp;Off: draft one token at a time</source>
   <translation>A&amp;us: ein Token nach dem anderen</translation>
  </message>
  <message>
   <source>&amp;Phrase reuse</source>
   <translation>&amp;Wiederverwendete Wendungen</translation>
  </message>
  <message>
   <source>&amp;Speed Up This Model…</source>
   <translation>Dieses Modell &amp;beschleunigen…</translation>
  </message>
  <message>
   <source>A small trained model that predicts what this model writes next</source>
   <translation>Ein kleines trainiertes Modell, das vorhersagt, was dieses Modell als Nächstes schreibt</translation>
  </message>
  <message>
   <source>A smaller model, which drafts a few tokens ahead</source>
   <translation>Ein kleineres Modell, das einige Tokens vorausschreibt</translation>
  </message>
  <message>
   <source>A trained draft model makes drafts faster.</source>
   <translation>Ein trainiertes Entwurfsmodell macht Entwürfe schneller.</translation>
  </message>
  <message>
   <source>Acceleration</source>
   <translation>Beschleunigung</translation>
  </message>
  <message>
   <source>Applies when you next press Continue. Your draft gets the same words either way.</source>
   <translation>Gilt ab dem nächsten „Fortsetzen“. Der Entwurf bekommt in jedem Fall dieselben Wörter.</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Draft &amp;heads</source>
   <translation>Entwurfskö&amp;pfe</translation>
  </message>
  <message>
   <source>How much faster this makes your drafts shows after some seconds of drafting.</source>
   <translation>Wie viel schneller Entwürfe dadurch werden, zeigt sich nach einigen Sekunden.</translation>
  </message>
  <message>
   <source>Other</source>
   <translation>Übriges</translation>
  </message>
  <message>
   <source>Over the last minute, drafting was {0} times as fast as without.</source>
   <translation>In der letzten Minute ging es {0}-mal so schnell wie ohne.</translation>
  </message>
  <message>
   <source>Over the {0} words drafted in this book: {1} tokens per pass at first, {2} now.</source>
   <translation>Über die {0} in diesem Buch entworfenen Wörter: anfangs {1} Token pro Durchgang, jetzt {2}.</translation>
  </message>
  <message>
   <source>Part of the &amp;memory</source>
   <translation>Ein Teil des &amp;Kontexts</translation>
  </message>
  <message>
   <source>Phrases of your text, and phrases that this model often writes</source>
   <translation>Wendungen aus Ihrem Text und solche, die dieses Modell oft schreibt</translation>
  </message>
  <message>
   <source>Quire drafts one token at a time.</source>
   <translation>Quire schreibt ein Token nach dem anderen.</translation>
  </message>
  <message>
   <source>Small trained layers, each of which predicts one token further ahead</source>
   <translation>Kleine trainierte Schichten, von denen jede ein Token weiter vorausschaut</translation>
  </message>
  <message>
   <source>Smaller mod&amp;el</source>
   <translation>Kleineres &amp;Modell</translation>
  </message>
  <message>
   <source>So far, drafting ahead gains nothing with this model on this computer.</source>
   <translation>Bisher bringt das Vorausschreiben mit diesem Modell auf diesem Computer nichts.</translation>
  </message>
  <message>
   <source>The model itself, looking back over a part of the text only</source>
   <translation>Das Modell selbst, das nur auf einen Teil des Textes zurückblickt</translation>
  </message>
  <message>
   <source>This model runs on a server, which drafts ahead in its own way.</source>
   <translation>Dieses Modell läuft auf einem Server, der auf seine eigene Weise vorausschreibt.</translation>
  </message>
  <message>
   <source>none chosen for this model</source>
   <translation>für dieses Modell ist keines gewählt</translation>
  </message>
  <message>
   <source>not trained for this model</source>
   <translation>nicht für dieses Modell trainiert</translation>
  </message>
  <message>
   <source>nothing in this draft so far</source>
   <translation>in diesem Entwurf bisher nichts</translation>
  </message>
  <message>
   <source>{0} tokens of this draft ({1}%), since word {2}</source>
   <translation>{0} Token dieses Entwurfs ({1} %), seit Wort {2}</translation>
  </message>
 </context>
 <context>
  <name>Actions</name>
  <message>
   <source>&amp;About Quire</source>
   <translation>Über &amp;Quire</translation>
  </message>
  <message>
   <source>&amp;Acceleration…</source>
   <translation>B&amp;eschleunigung…</translation>
  </message>
  <message>
   <source>&amp;Add Dictionary…</source>
   <translation>Wörterbuch &amp;hinzufügen…</translation>
  </message>
  <message>
   <source>&amp;All Comments</source>
   <translation>&amp;Alle Kommentare</translation>
  </message>
  <message>
   <source>&amp;Back Up Now</source>
   <translation>Jetzt &amp;sichern</translation>
  </message>
  <message>
   <source>&amp;Beats of This Chapter</source>
   <translation>Handlungsschritte &amp;dieses Kapitels</translation>
  </message>
  <message>
   <source>&amp;Bold</source>
   <translation>&amp;Fett</translation>
  </message>
  <message>
   <source>&amp;Charts</source>
   <translation>&amp;Diagramme</translation>
  </message>
  <message>
   <source>&amp;Check Spelling</source>
   <translation>&amp;Rechtschreibung prüfen</translation>
  </message>
  <message>
   <source>&amp;Close Project</source>
   <translation>Projekt s&amp;chließen</translation>
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
   <source>&amp;Echo List…</source>
   <translation>&amp;Liste der Echos…</translation>
  </message>
  <message>
   <source>&amp;Edit</source>
   <translation>&amp;Bearbeiten</translation>
  </message>
  <message>
   <source>&amp;Empty Trash…</source>
   <translation>Pa&amp;pierkorb leeren…</translation>
  </message>
  <message>
   <source>&amp;File</source>
   <translation>&amp;Datei</translation>
  </message>
  <message>
   <source>&amp;Find…</source>
   <translation>&amp;Suchen…</translation>
  </message>
  <message>
   <source>&amp;Frequent Phrases…</source>
   <translation>&amp;Häufige Wendungen…</translation>
  </message>
  <message>
   <source>&amp;Full Screen</source>
   <translation>&amp;Vollbild</translation>
  </message>
  <message>
   <source>&amp;Go To</source>
   <translation>&amp;Gehe zu</translation>
  </message>
  <message>
   <source>&amp;Go to Second Text</source>
   <translation>Zum z&amp;weiten Text</translation>
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
   <source>&amp;Import…</source>
   <translation>&amp;Importieren…</translation>
  </message>
  <message>
   <source>&amp;Inspect</source>
   <translation>&amp;Untersuchen</translation>
  </message>
  <message>
   <source>&amp;Interface Text Size</source>
   <translation>Textgröße der &amp;Oberfläche</translation>
  </message>
  <message>
   <source>&amp;Italic</source>
   <translation>&amp;Kursiv</translation>
  </message>
  <message>
   <source>&amp;Language</source>
   <translation>&amp;Sprache</translation>
  </message>
  <message>
   <source>&amp;Larger</source>
   <translation>&amp;Größer</translation>
  </message>
  <message>
   <source>&amp;Light</source>
   <translation>&amp;Hell</translation>
  </message>
  <message>
   <source>&amp;Lorebook</source>
   <translation>&amp;Lexikon</translation>
  </message>
  <message>
   <source>&amp;Manual</source>
   <translation>&amp;Handbuch</translation>
  </message>
  <message>
   <source>&amp;Manuscript</source>
   <translation>&amp;Manuskript</translation>
  </message>
  <message>
   <source>&amp;Memory</source>
   <translation>&amp;Gedächtnis</translation>
  </message>
  <message>
   <source>&amp;Merge with Previous Text</source>
   <translation>Mit dem vorigen Text &amp;verbinden</translation>
  </message>
  <message>
   <source>&amp;Models…</source>
   <translation>&amp;Modelle…</translation>
  </message>
  <message>
   <source>&amp;New Project…</source>
   <translation>&amp;Neues Projekt…</translation>
  </message>
  <message>
   <source>&amp;Next Comment</source>
   <translation>&amp;Nächster Kommentar</translation>
  </message>
  <message>
   <source>&amp;Next Highlight</source>
   <translation>&amp;Nächste Hervorhebung</translation>
  </message>
  <message>
   <source>&amp;Next Misspelling</source>
   <translation>&amp;Nächster Rechtschreibfehler</translation>
  </message>
  <message>
   <source>&amp;Next Take</source>
   <translation>&amp;Nächste Fassung</translation>
  </message>
  <message>
   <source>&amp;Normal</source>
   <translation>&amp;Normal</translation>
  </message>
  <message>
   <source>&amp;Opening and Style Sample</source>
   <translation>&amp;Anfang und Stilprobe</translation>
  </message>
  <message>
   <source>&amp;Open…</source>
   <translation>Ö&amp;ffnen…</translation>
  </message>
  <message>
   <source>&amp;Paragraph</source>
   <translation>&amp;Absatz</translation>
  </message>
  <message>
   <source>&amp;Paste</source>
   <translation>E&amp;infügen</translation>
  </message>
  <message>
   <source>&amp;Pause</source>
   <translation>&amp;Anhalten</translation>
  </message>
  <message>
   <source>&amp;Preferences…</source>
   <translation>&amp;Einstellungen…</translation>
  </message>
  <message>
   <source>&amp;Presets…</source>
   <translation>&amp;Voreinstellungen…</translation>
  </message>
  <message>
   <source>&amp;Previous Comment</source>
   <translation>&amp;Voriger Kommentar</translation>
  </message>
  <message>
   <source>&amp;Print…</source>
   <translation>&amp;Drucken…</translation>
  </message>
  <message>
   <source>&amp;Quit</source>
   <translation>&amp;Beenden</translation>
  </message>
  <message>
   <source>&amp;Reading View</source>
   <translation>&amp;Leseansicht</translation>
  </message>
  <message>
   <source>&amp;Redo</source>
   <translation>&amp;Wiederholen</translation>
  </message>
  <message>
   <source>&amp;Rename</source>
   <translation>Um&amp;benennen</translation>
  </message>
  <message>
   <source>&amp;Report a Problem…</source>
   <translation>Ein &amp;Problem melden…</translation>
  </message>
  <message>
   <source>&amp;Restore</source>
   <translation>&amp;Wiederherstellen</translation>
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
   <translation>Seite&amp;nleiste</translation>
  </message>
  <message>
   <source>&amp;Smaller</source>
   <translation>&amp;Kleiner</translation>
  </message>
  <message>
   <source>&amp;Spelling</source>
   <translation>Re&amp;chtschreibung</translation>
  </message>
  <message>
   <source>&amp;Split Here</source>
   <translation>Hier &amp;teilen</translation>
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
   <source>&amp;View</source>
   <translation>&amp;Ansicht</translation>
  </message>
  <message>
   <source>&amp;Welcome Page</source>
   <translation>&amp;Willkommensseite</translation>
  </message>
  <message>
   <source>&amp;Zoom</source>
   <translation>&amp;Zoom</translation>
  </message>
  <message>
   <source>Acceleration Self-&amp;Check…</source>
   <translation>Selbst&amp;prüfung der Beschleunigung…</translation>
  </message>
  <message>
   <source>Add to Loreboo&amp;k…</source>
   <translation>Zum Lexikon &amp;hinzufügen…</translation>
  </message>
  <message>
   <source>Alternati&amp;ves for Selection…</source>
   <translation>Alternati&amp;ven zur Auswahl…</translation>
  </message>
  <message>
   <source>Alternati&amp;ves for This Word…</source>
   <translation>Alternati&amp;ven für dieses Wort…</translation>
  </message>
  <message>
   <source>Author's &amp;Note</source>
   <translation>Autore&amp;nnotiz</translation>
  </message>
  <message>
   <source>Be&amp;fore You Start…</source>
   <translation>Vor dem Sta&amp;rt…</translation>
  </message>
  <message>
   <source>Choose &amp;Model…</source>
   <translation>&amp;Modell wählen…</translation>
  </message>
  <message>
   <source>Co&amp;mment</source>
   <translation>Kommen&amp;tieren</translation>
  </message>
  <message>
   <source>Co&amp;mments</source>
   <translation>Ko&amp;mmentare</translation>
  </message>
  <message>
   <source>Cu&amp;t</source>
   <translation>&amp;Ausschneiden</translation>
  </message>
  <message>
   <source>Delete &amp;Permanently…</source>
   <translation>End&amp;gültig löschen…</translation>
  </message>
  <message>
   <source>Divide &amp;Long Text</source>
   <translation>&amp;Langen Text zerteilen</translation>
  </message>
  <message>
   <source>Draft &amp;Queue…</source>
   <translation>Entwurfs-Warte&amp;schlange…</translation>
  </message>
  <message>
   <source>E&amp;xport Manuscript…</source>
   <translation>Manuskript e&amp;xportieren…</translation>
  </message>
  <message>
   <source>Edit Co&amp;mment</source>
   <translation>Kommen&amp;tar bearbeiten</translation>
  </message>
  <message>
   <source>Export Run &amp;Data…</source>
   <translation>&amp;Laufdaten exportieren…</translation>
  </message>
  <message>
   <source>F&amp;ormat</source>
   <translation>F&amp;ormat</translation>
  </message>
  <message>
   <source>Find in &amp;Book…</source>
   <translation>Im &amp;Buch suchen…</translation>
  </message>
  <message>
   <source>Foc&amp;us Mode</source>
   <translation>Konzen&amp;tration</translation>
  </message>
  <message>
   <source>Go to &amp;Draft Bar</source>
   <translation>Zur &amp;Entwurfsleiste</translation>
  </message>
  <message>
   <source>Go to &amp;Manuscript</source>
   <translation>Zum &amp;Manuskript</translation>
  </message>
  <message>
   <source>Go to &amp;Matching Repeat</source>
   <translation>Zur passenden &amp;Wiederholung</translation>
  </message>
  <message>
   <source>Go to Tr&amp;ee</source>
   <translation>Zum &amp;Baum</translation>
  </message>
  <message>
   <source>Heading &amp;{0}</source>
   <translation>Überschrift &amp;{0}</translation>
  </message>
  <message>
   <source>Include in E&amp;xport</source>
   <translation>In den E&amp;xport aufnehmen</translation>
  </message>
  <message>
   <source>Inde&amp;x Cards</source>
   <translation>K&amp;arteikarten</translation>
  </message>
  <message>
   <source>Insert &amp;Scene Break</source>
   <translation>S&amp;zenentrenner einfügen</translation>
  </message>
  <message>
   <source>Lar&amp;gest</source>
   <translation>Am g&amp;rößten</translation>
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
   <source>Move to Tras&amp;h</source>
   <translation>In den Papier&amp;korb verschieben</translation>
  </message>
  <message>
   <source>New N&amp;ote</source>
   <translation>Neue &amp;Notiz</translation>
  </message>
  <message>
   <source>Open &amp;Recent</source>
   <translation>&amp;Zuletzt geöffnet</translation>
  </message>
  <message>
   <source>Open as &amp;Second Text</source>
   <translation>Als &amp;zweiten Text öffnen</translation>
  </message>
  <message>
   <source>Out&amp;line</source>
   <translation>Gl&amp;iederung</translation>
  </message>
  <message>
   <source>Paste as Plai&amp;n Text</source>
   <translation>Als reinen &amp;Text einfügen</translation>
  </message>
  <message>
   <source>Pause and &amp;Unload Model</source>
   <translation>Anhalten und Modell entla&amp;den</translation>
  </message>
  <message>
   <source>Personal &amp;Dictionary…</source>
   <translation>Persönliches &amp;Wörterbuch…</translation>
  </message>
  <message>
   <source>Pre&amp;vious Take</source>
   <translation>&amp;Vorige Fassung</translation>
  </message>
  <message>
   <source>Prompt Pre&amp;view…</source>
   <translation>&amp;Prompt-Vorschau…</translation>
  </message>
  <message>
   <source>Re&amp;draft From Here</source>
   <translation>Ab hier neu &amp;entwerfen</translation>
  </message>
  <message>
   <source>Re&amp;store from Backup…</source>
   <translation>Aus Sicherung wieder&amp;herstellen …</translation>
  </message>
  <message>
   <source>Re&amp;write Selection…</source>
   <translation>Auswahl &amp;umschreiben …</translation>
  </message>
  <message>
   <source>Redo Dr&amp;aft</source>
   <translation>Entwurf &amp;wiederherstellen</translation>
  </message>
  <message>
   <source>Removes the last draft from the text and keeps it as a take</source>
   <translation>Nimmt den letzten Entwurf aus dem Text und bewahrt ihn als Fassung auf</translation>
  </message>
  <message>
   <source>Rep&amp;lace…</source>
   <translation>&amp;Ersetzen…</translation>
  </message>
  <message>
   <source>Reset &amp;Zoom</source>
   <translation>Zoom zurück&amp;setzen</translation>
  </message>
  <message>
   <source>Right &amp;Panel</source>
   <translation>&amp;Rechter Bereich</translation>
  </message>
  <message>
   <source>Same as S&amp;ystem</source>
   <translation>Wie das S&amp;ystem</translation>
  </message>
  <message>
   <source>Sample &amp;Project</source>
   <translation>&amp;Beispielprojekt</translation>
  </message>
  <message>
   <source>Save Fast Resume F&amp;ile</source>
   <translation>Schnellstartdate&amp;i speichern</translation>
  </message>
  <message>
   <source>Save a Cop&amp;y…</source>
   <translation>&amp;Kopie speichern …</translation>
  </message>
  <message>
   <source>Seco&amp;nd Text</source>
   <translation>Zweiter Te&amp;xt</translation>
  </message>
  <message>
   <source>Select &amp;All</source>
   <translation>A&amp;lles auswählen</translation>
  </message>
  <message>
   <source>Speed &amp;Up This Model…</source>
   <translation>Dieses Modell &amp;beschleunigen…</translation>
  </message>
  <message>
   <source>St&amp;atus</source>
   <translation>St&amp;atus</translation>
  </message>
  <message>
   <source>T&amp;ypewriter</source>
   <translation>Schreibmas&amp;chine</translation>
  </message>
  <message>
   <source>Und&amp;o Draft</source>
   <translation>Entwurf &amp;zurücknehmen</translation>
  </message>
  <message>
   <source>Use the &amp;Built-in Model</source>
   <translation>Das ein&amp;gebaute Modell verwenden</translation>
  </message>
  <message>
   <source>Words to &amp;Avoid</source>
   <translation>&amp;Zu vermeidende Wörter</translation>
  </message>
  <message>
   <source>Writing &amp;Statistics…</source>
   <translation>Schreib&amp;statistik…</translation>
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
   <source>Cache size: {0}</source>
   <translation>Größe des Zwischenspeichers: {0}</translation>
  </message>
  <message>
   <source>Clear the cache</source>
   <translation>Zwischenspeicher leeren</translation>
  </message>
  <message>
   <source>Counting…</source>
   <translation>Wird gezählt…</translation>
  </message>
  <message>
   <source>Safe to delete: your writing is in your projects. A paused draft may then take longer to continue.</source>
   <translation>Kann gefahrlos gelöscht werden: Ihr Text liegt in Ihren Projekten. Ein angehaltener Entwurf braucht dann womöglich länger, um weiterzugehen.</translation>
  </message>
  <message>
   <source>Shows tokens, seeds and technical names alongside the plain terms.</source>
   <translation>Zeigt Token, Startwerte und Fachbegriffe neben den einfachen Begriffen.</translation>
  </message>
  <message>
   <source>View</source>
   <translation>Ansicht</translation>
  </message>
 </context>
 <context>
  <name>AlternativesPopover</name>
  <message>
   <source>Alternatives</source>
   <translation>Alternativen</translation>
  </message>
  <message>
   <source>Alternatives, the most likely first</source>
   <translation>Alternativen, die wahrscheinlichste zuerst</translation>
  </message>
  <message>
   <source>Asking the model…</source>
   <translation>Das Modell wird gefragt …</translation>
  </message>
  <message>
   <source>Changes this word only; the text after it stays</source>
   <translation>Ändert nur dieses Wort; der Text danach bleibt</translation>
  </message>
  <message>
   <source>Keeps the text from here on as a take and drafts a new one starting with this word</source>
   <translation>Bewahrt den Text ab hier als Fassung auf und entwirft ab diesem Wort neu</translation>
  </message>
  <message>
   <source>Left and Right show the other words.</source>
   <translation>Pfeil links und rechts zeigen die anderen Wörter.</translation>
  </message>
  <message>
   <source>Redraft From Here</source>
   <translation>Ab hier neu entwerfen</translation>
  </message>
  <message>
   <source>Replace</source>
   <translation>Ersetzen</translation>
  </message>
  <message>
   <source>The model has no other word for this place.</source>
   <translation>Das Modell hat kein anderes Wort für diese Stelle.</translation>
  </message>
  <message>
   <source>“{0}” is {1} likely here.</source>
   <translation>„{0}“ ist hier zu {1} wahrscheinlich.</translation>
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
   <source>&amp;Animation</source>
   <translation>&amp;Animation</translation>
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
   <source>&amp;Size</source>
   <translation>&amp;Größe</translation>
  </message>
  <message>
   <source>&amp;Text size</source>
   <translation>&amp;Textgröße</translation>
  </message>
  <message>
   <source>Full</source>
   <translation>Alle</translation>
  </message>
  <message>
   <source>Interface</source>
   <translation>Oberfläche</translation>
  </message>
  <message>
   <source>Larger</source>
   <translation>Größer</translation>
  </message>
  <message>
   <source>Largest</source>
   <translation>Am größten</translation>
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
   <source>Normal</source>
   <translation>Normal</translation>
  </message>
  <message>
   <source>Reduced: steady caret, no effects</source>
   <translation>Verringert: ruhige Einfügemarke, keine Effekte</translation>
  </message>
  <message>
   <source>Same as system</source>
   <translation>Wie das System</translation>
  </message>
  <message>
   <source>Smaller</source>
   <translation>Kleiner</translation>
  </message>
  <message>
   <source>Text &amp;width</source>
   <translation>Text&amp;breite</translation>
  </message>
  <message>
   <source>Theme</source>
   <translation>Farben</translation>
  </message>
  <message>
   <source>{0} (default)</source>
   <translation>{0} (Standard)</translation>
  </message>
 </context>
 <context>
  <name>BookDialog</name>
  <message>
   <source>A4</source>
   <translation>A4</translation>
  </message>
  <message>
   <source>Add a title page</source>
   <translation>Titelseite hinzufügen</translation>
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
   <source>Paper</source>
   <translation>Papier</translation>
  </message>
  <message>
   <source>Plain</source>
   <translation>Schlicht</translation>
  </message>
  <message>
   <source>Select at least one chapter.</source>
   <translation>Wählen Sie mindestens ein Kapitel aus.</translation>
  </message>
  <message>
   <source>Standard manuscript</source>
   <translation>Normseite</translation>
  </message>
  <message>
   <source>Style</source>
   <translation>Stil</translation>
  </message>
  <message>
   <source>US Letter</source>
   <translation>US Letter</translation>
  </message>
 </context>
 <context>
  <name>BookTreeModel</name>
  <message>
   <source>Continue writes here</source>
   <translation>„Fortsetzen“ schreibt hier</translation>
  </message>
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
  <name>BookView</name>
  <message>
   <source>Back to Writing</source>
   <translation>Zurück zum Schreiben</translation>
  </message>
  <message>
   <source>Esc</source>
   <translation>Esc</translation>
  </message>
 </context>
 <context>
  <name>CardBar</name>
  <message>
   <source>Card</source>
   <translation>Karte</translation>
  </message>
 </context>
 <context>
  <name>CardDelegate</name>
  <message>
   <source>Press F2 to write a synopsis</source>
   <translation>F2 schreibt einen Kurzinhalt</translation>
  </message>
 </context>
 <context>
  <name>CardDialog</name>
  <message>
   <source>&amp;Kind</source>
   <translation>&amp;Art</translation>
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
   <source>A few plain sentences, as a narrator would put them</source>
   <translation>Ein paar schlichte Sätze, wie eine Erzählerin sie schriebe</translation>
  </message>
  <message>
   <source>Add a few sentences, here or later on the page. An empty card tells the model nothing.</source>
   <translation>Schreiben Sie ein paar Sätze, hier oder später auf der Seite. Eine leere Karte sagt dem Modell nichts.</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Card</source>
   <translation>Karte</translation>
  </message>
  <message>
   <source>Enter a name.</source>
   <translation>Geben Sie einen Namen ein.</translation>
  </message>
  <message>
   <source>Included in every draft ({0}).</source>
   <translation>In jedem Entwurf enthalten ({0}).</translation>
  </message>
  <message>
   <source>Included when a keyword appears in recent pages ({0}).</source>
   <translation>Wird verwendet, wenn ein Stichwort auf den letzten Seiten vorkommt ({0}).</translation>
  </message>
  <message>
   <source>Ke&amp;ywords</source>
   <translation>Stich&amp;wörter</translation>
  </message>
  <message>
   <source>Name</source>
   <translation>Name</translation>
  </message>
  <message>
   <source>New Card</source>
   <translation>Neue Karte</translation>
  </message>
  <message>
   <source>Open Card</source>
   <translation>Karte öffnen</translation>
  </message>
  <message>
   <source>Press Save to keep this card, or Cancel to discard it.</source>
   <translation>„Speichern“ behält diese Karte, „Abbrechen“ verwirft sie.</translation>
  </message>
  <message>
   <source>Save</source>
   <translation>Speichern</translation>
  </message>
  <message>
   <source>Tell the &amp;model</source>
   <translation>Dem &amp;Modell sagen</translation>
  </message>
  <message>
   <source>Text</source>
   <translation>Text</translation>
  </message>
  <message>
   <source>The model is not told about this card ({0}).</source>
   <translation>Das Modell erfährt von dieser Karte nichts ({0}).</translation>
  </message>
  <message>
   <source>Who or what, e.g. Mara</source>
   <translation>Wer oder was, z. B. Mara</translation>
  </message>
 </context>
 <context>
  <name>CardList</name>
  <message>
   <source>Index cards</source>
   <translation>Karteikarten</translation>
  </message>
 </context>
 <context>
  <name>CardsView</name>
  <message>
   <source>Drag a card, or move it with Ctrl and the arrow keys. F2 edits the synopsis.</source>
   <translation>Karten ziehen oder mit Strg und Pfeiltasten verschieben. F2 ändert den Kurzinhalt.</translation>
  </message>
  <message>
   <source>Index Cards</source>
   <translation>Karteikarten</translation>
  </message>
 </context>
 <context>
  <name>ChapterPicker</name>
  <message>
   <source>Chapters to export</source>
   <translation>Kapitel für den Export</translation>
  </message>
  <message>
   <source>Untitled</source>
   <translation>Ohne Titel</translation>
  </message>
 </context>
 <context>
  <name>ChartDeck</name>
  <message>
   <source>Acceleration</source>
   <translation>Beschleunigung</translation>
  </message>
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
   <source>Charts appear with your next draft: speed, acceptance and variety.</source>
   <translation>Die Diagramme erscheinen mit Ihrem nächsten Entwurf: Tempo, Annahme und Vielfalt.</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Copy numbers</source>
   <translation>Zahlen kopieren</translation>
  </message>
  <message>
   <source>Copy the figures behind these charts as CSV</source>
   <translation>Die Zahlen dieser Diagramme als CSV kopieren</translation>
  </message>
  <message>
   <source>Depth</source>
   <translation>Tiefe</translation>
  </message>
  <message>
   <source>Draft</source>
   <translation>Entwurf</translation>
  </message>
  <message>
   <source>Show as table</source>
   <translation>Als Tabelle zeigen</translation>
  </message>
  <message>
   <source>Time per step</source>
   <translation>Zeit je Schritt</translation>
  </message>
  <message>
   <source>Whole text</source>
   <translation>Ganzer Text</translation>
  </message>
  <message>
   <source>{0} words: {1}</source>
   <translation>{0} Wörter: {1}</translation>
  </message>
 </context>
 <context>
  <name>ChartMaker</name>
  <message>
   <source>A piece of text takes {0} ms to arrive.</source>
   <translation>Ein Stück Text braucht {0} ms, bis es da ist.</translation>
  </message>
  <message>
   <source>A step takes {0} ms: {3} in the full model, {2} for prediction, {1} for the rest.</source>
   <translation>Ein Schritt dauert {0} ms: {3} im vollen Modell, {2} für Vorhersage, {1} für den Rest.</translation>
  </message>
  <message>
   <source>Acceptance</source>
   <translation>Annahme</translation>
  </message>
  <message>
   <source>Acceptance by depth</source>
   <translation>Annahme nach Tiefe</translation>
  </message>
  <message>
   <source>Acceptance rate</source>
   <translation>Annahmequote</translation>
  </message>
  <message>
   <source>Acceptance rate by draft depth</source>
   <translation>Annahmequote nach Tiefe des Vorschlags</translation>
  </message>
  <message>
   <source>Accepted</source>
   <translation>Angenommen</translation>
  </message>
  <message>
   <source>Accepted per step</source>
   <translation>Angenommen pro Schritt</translation>
  </message>
  <message>
   <source>Accepted tokens from the trained draft model, which never changes the text</source>
   <translation>Angenommene Token des trainierten Entwurfsmodells; es ändert den Text nie</translation>
  </message>
  <message>
   <source>Accepted tokens that came from phrases already in the manuscript</source>
   <translation>Angenommene Token aus Wendungen, die schon im Manuskript stehen</translation>
  </message>
  <message>
   <source>Alarm</source>
   <translation>Alarm</translation>
  </message>
  <message>
   <source>Average</source>
   <translation>Durchschnitt</translation>
  </message>
  <message>
   <source>Average of the last 256 steps; grows with the length of the text</source>
   <translation>Durchschnitt der letzten 256 Schritte; wächst mit der Länge des Textes</translation>
  </message>
  <message>
   <source>By phrases alone</source>
   <translation>Nur aus Wendungen</translation>
  </message>
  <message>
   <source>Choosing how far to predict, and learning from what was accepted</source>
   <translation>Wahl der Tiefe und Lernen aus Angenommenem</translation>
  </message>
  <message>
   <source>Distinct-n</source>
   <translation>Distinct-n</translation>
  </message>
  <message>
   <source>Distinct-{0}</source>
   <translation>Distinct-{0}</translation>
  </message>
  <message>
   <source>Draft depth</source>
   <translation>Tiefe des Vorschlags</translation>
  </message>
  <message>
   <source>Draft model</source>
   <translation>Entwurfsmodell</translation>
  </message>
  <message>
   <source>Draft tokens accepted</source>
   <translation>Angenommene Vorschläge</translation>
  </message>
  <message>
   <source>Draft tokens accepted per step of the full model, over the last 256 steps</source>
   <translation>Angenommene Vorschläge je Schritt des vollen Modells, über die letzten 256 Schritte</translation>
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
   <source>How many draft tokens each step accepted, as a share of all steps</source>
   <translation>Wie viele Vorschläge je Schritt angenommen wurden, als Anteil aller Schritte</translation>
  </message>
  <message>
   <source>Making draft tokens; pays off while it saves passes of the full model</source>
   <translation>Vorschläge machen; lohnt sich, solange es Durchgänge des vollen Modells spart</translation>
  </message>
  <message>
   <source>Most often {0} draft tokens were accepted: in {1} of {2} steps.</source>
   <translation>Am häufigsten wurden {0} Vorschläge angenommen: in {1} von {2} Schritten.</translation>
  </message>
  <message>
   <source>No draft tokens yet.</source>
   <translation>Noch keine Vorschläge.</translation>
  </message>
  <message>
   <source>No speed measured yet.</source>
   <translation>Noch kein Tempo gemessen.</translation>
  </message>
  <message>
   <source>Nothing has been drafted yet.</source>
   <translation>Noch wurde nichts entworfen.</translation>
  </message>
  <message>
   <source>Novels</source>
   <translation>Romane</translation>
  </message>
  <message>
   <source>Of the word pairs in the last {0} words and marks, {1} are different</source>
   <translation>Von den Wortpaaren der letzten {0} Wörter und Satzzeichen sind {1} verschieden</translation>
  </message>
  <message>
   <source>Of those drafted</source>
   <translation>Von den Vorschlägen</translation>
  </message>
  <message>
   <source>Other</source>
   <translation>Übriges</translation>
  </message>
  <message>
   <source>Part of the acceptance rate: steps whose accepted tokens all came from phrases</source>
   <translation>Teil der Annahmequote: Schritte, deren angenommene Tokens alle aus Wendungen kamen</translation>
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
   <source>Prediction</source>
   <translation>Vorhersage</translation>
  </message>
  <message>
   <source>Published novels</source>
   <translation>Veröffentlichte Romane</translation>
  </message>
  <message>
   <source>Share of different runs of {0} words in the draft so far, or in its last 2,000</source>
   <translation>Anteil verschiedener Folgen von {0} Wörtern im bisherigen Entwurf oder in seinen letzten 2.000 Wörtern</translation>
  </message>
  <message>
   <source>Share of draft tokens the model accepted. Says nothing about quality</source>
   <translation>Anteil der Vorschläge, die das Modell angenommen hat. Sagt nichts über die Qualität</translation>
  </message>
  <message>
   <source>Share that are distinct in the whole text so far; falls in good prose, too</source>
   <translation>Anteil der verschiedenen im ganzen bisherigen Text; sinkt auch in guter Prosa</translation>
  </message>
  <message>
   <source>Speed</source>
   <translation>Tempo</translation>
  </message>
  <message>
   <source>Steps</source>
   <translation>Schritte</translation>
  </message>
  <message>
   <source>The first draft token was accepted in {0} of steps, {1} in a row in {2}.</source>
   <translation>Der erste Vorschlag wurde in {0} der Schritte angenommen, {1} hintereinander in {2}.</translation>
  </message>
  <message>
   <source>The first draft token was accepted in {0} of steps.</source>
   <translation>Der erste Vorschlag wurde in {0} der Schritte angenommen.</translation>
  </message>
  <message>
   <source>The full model's pass, which chooses the words and checks draft tokens</source>
   <translation>Der Durchgang des vollen Modells, das die Wörter wählt und Vorschläge prüft</translation>
  </message>
  <message>
   <source>The same average at the same length in published novels (median of 171)</source>
   <translation>Derselbe Durchschnitt bei gleicher Länge in veröffentlichten Romanen (Median von 171)</translation>
  </message>
  <message>
   <source>The server tells nothing about draft tokens.</source>
   <translation>Der Server sagt nichts über Vorschläge.</translation>
  </message>
  <message>
   <source>The server tells nothing about single steps.</source>
   <translation>Der Server sagt nichts über einzelne Schritte.</translation>
  </message>
  <message>
   <source>Thin line: expected speed at this length</source>
   <translation>Dünne Linie: erwartetes Tempo bei dieser Länge</translation>
  </message>
  <message>
   <source>Time per step</source>
   <translation>Zeit je Schritt</translation>
  </message>
  <message>
   <source>Tokens chosen by the full model itself</source>
   <translation>Token, die das volle Modell selbst gewählt hat</translation>
  </message>
  <message>
   <source>Tokens per step</source>
   <translation>Token pro Schritt</translation>
  </message>
  <message>
   <source>Tokens written per step of the full model, over the last 256 steps</source>
   <translation>Token je Schritt des vollen Modells, über die letzten 256 Schritte</translation>
  </message>
  <message>
   <source>Trend</source>
   <translation>Trend</translation>
  </message>
  <message>
   <source>Variety appears after 100 words.</source>
   <translation>Die Vielfalt erscheint nach 100 Wörtern.</translation>
  </message>
  <message>
   <source>Variety is low.</source>
   <translation>Die Vielfalt ist gering.</translation>
  </message>
  <message>
   <source>Variety is normal.</source>
   <translation>Die Vielfalt ist normal.</translation>
  </message>
  <message>
   <source>Variety is unusually high.</source>
   <translation>Die Vielfalt ist ungewöhnlich hoch.</translation>
  </message>
  <message>
   <source>Variety of the whole text</source>
   <translation>Vielfalt des ganzen Textes</translation>
  </message>
  <message>
   <source>Variety of the whole text appears after 250 words.</source>
   <translation>Die Vielfalt des ganzen Textes erscheint nach 250 Wörtern.</translation>
  </message>
  <message>
   <source>Variety of the whole text averages {0}</source>
   <translation>Die Vielfalt des ganzen Textes beträgt im Durchschnitt {0}</translation>
  </message>
  <message>
   <source>Words per minute over the last 60 seconds of drafting</source>
   <translation>Wörter pro Minute in den letzten 60 Sekunden des Entwurfs</translation>
  </message>
  <message>
   <source>Words written</source>
   <translation>Geschriebene Wörter</translation>
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
   <source>words</source>
   <translation>Wörter</translation>
  </message>
  <message>
   <source>{0} draft tokens accepted per step, {1} of those drafted.</source>
   <translation>{0} Vorschläge je Schritt angenommen, {1} aller Vorschläge.</translation>
  </message>
  <message>
   <source>{0} of draft tokens accepted, as the server tells.</source>
   <translation>{0} der Vorschläge angenommen, wie der Server sagt.</translation>
  </message>
  <message>
   <source>{0} tokens per step: {1} from the full model, {2} from the draft model, {3} from phrases; {4} of draft tokens accepted.</source>
   <translation>{0} Token pro Schritt: {1} vom vollen Modell, {2} vom Entwurfsmodell, {3} aus Wendungen; {4} der Vorschläge angenommen.</translation>
  </message>
  <message>
   <source>{0} words per minute now, {1} on average over {2} words, with one pause.</source>
   <translation>Jetzt {0} Wörter pro Minute, {1} im Durchschnitt über {2} Wörter, mit einer Pause.</translation>
  </message>
  <message>
   <source>{0} words per minute now, {1} on average over {2} words, with {3} pauses.</source>
   <translation>Jetzt {0} Wörter pro Minute, {1} im Durchschnitt über {2} Wörter, mit {3} Pausen.</translation>
  </message>
  <message>
   <source>{0} words per minute now, {1} on average over {2} words.</source>
   <translation>Jetzt {0} Wörter pro Minute, {1} im Durchschnitt über {2} Wörter.</translation>
  </message>
  <message>
   <source>{0}.</source>
   <translation>{0}.</translation>
  </message>
  <message>
   <source>{0}; in novels at this length, {1} to {2}.</source>
   <translation>{0}; in Romanen sind es bei dieser Länge {1} bis {2}.</translation>
  </message>
  <message>
   <source>{0}; in published novels of this length, {1}.</source>
   <translation>{0}; in veröffentlichten Romanen dieser Länge {1}.</translation>
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
  <name>ColumnEdit</name>
  <message>
   <source>Text</source>
   <translation>Text</translation>
  </message>
 </context>
 <context>
  <name>CommentCard</name>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Comment</source>
   <translation>Kommentar</translation>
  </message>
  <message>
   <source>Comment on “{0}”: {1}</source>
   <translation>Kommentar zu „{0}“: {1}</translation>
  </message>
  <message>
   <source>Delete</source>
   <translation>Löschen</translation>
  </message>
  <message>
   <source>Edit</source>
   <translation>Ändern</translation>
  </message>
  <message>
   <source>Reopen</source>
   <translation>Wieder öffnen</translation>
  </message>
  <message>
   <source>Resolve</source>
   <translation>Erledigt</translation>
  </message>
  <message>
   <source>Resolved</source>
   <translation>Erledigt</translation>
  </message>
  <message>
   <source>Save</source>
   <translation>Speichern</translation>
  </message>
  <message>
   <source>These words are no longer in the text.</source>
   <translation>Diese Wörter stehen nicht mehr im Text.</translation>
  </message>
  <message>
   <source>Write a comment</source>
   <translation>Kommentar schreiben</translation>
  </message>
 </context>
 <context>
  <name>CommentMargin</name>
  <message>
   <source>Comments in the margin</source>
   <translation>Kommentare am Rand</translation>
  </message>
 </context>
 <context>
  <name>CommentsController</name>
  <message>
   <source>&amp;Undo Delete Comment</source>
   <translation>Löschen des Kommentars &amp;rückgängig</translation>
  </message>
  <message>
   <source>&amp;Undo Resolve Comment</source>
   <translation>Erledigen des Kommentars &amp;rückgängig</translation>
  </message>
 </context>
 <context>
  <name>CommentsPanel</name>
  <message>
   <source>Comments</source>
   <translation>Kommentare</translation>
  </message>
  <message>
   <source>Comments on</source>
   <translation>Kommentare zu</translation>
  </message>
  <message>
   <source>No comments here. Select words, and choose Edit &gt; Comments &gt; Comment ({0}).</source>
   <translation>Hier sind keine Kommentare. Wählen Sie Wörter aus, dann Bearbeiten &gt; Kommentare &gt; Kommentieren ({0}).</translation>
  </message>
  <message>
   <source>No comments here. Select words, and choose Edit &gt; Comments &gt; Comment.</source>
   <translation>Hier sind keine Kommentare. Wählen Sie Wörter aus, dann Bearbeiten &gt; Kommentare &gt; Kommentieren.</translation>
  </message>
  <message>
   <source>Show resolved</source>
   <translation>Erledigte zeigen</translation>
  </message>
  <message>
   <source>The whole book</source>
   <translation>Das ganze Buch</translation>
  </message>
  <message>
   <source>This text</source>
   <translation>Dieser Text</translation>
  </message>
 </context>
 <context>
  <name>CompareDialog</name>
  <message>
   <source>1 changed passage.</source>
   <translation>1 geänderte Stelle.</translation>
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
   <source>Draws its curves over the charts on the left</source>
   <translation>Zeichnet ihre Kurven über die linken Diagramme</translation>
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
   <source>Left</source>
   <translation>Links</translation>
  </message>
  <message>
   <source>Metrics</source>
   <translation>Kennzahlen</translation>
  </message>
  <message>
   <source>Next Difference</source>
   <translation>Nächster Unterschied</translation>
  </message>
  <message>
   <source>Overlay right take</source>
   <translation>Rechte Fassung darüberlegen</translation>
  </message>
  <message>
   <source>Previous Difference</source>
   <translation>Voriger Unterschied</translation>
  </message>
  <message>
   <source>Right</source>
   <translation>Rechts</translation>
  </message>
  <message>
   <source>Texts</source>
   <translation>Texte</translation>
  </message>
  <message>
   <source>The texts are identical.</source>
   <translation>Die Texte sind gleich.</translation>
  </message>
  <message>
   <source>This paragraph is the same in both.</source>
   <translation>Dieser Absatz ist in beiden gleich.</translation>
  </message>
  <message>
   <source>To copy a paragraph, compare with the current text.</source>
   <translation>Um einen Absatz zu kopieren, vergleichen Sie mit dem aktuellen Text.</translation>
  </message>
  <message>
   <source>Will be inserted after: “{0}”</source>
   <translation>Wird eingefügt nach: „{0}“</translation>
  </message>
  <message>
   <source>Will be inserted at the start of the text.</source>
   <translation>Kommt an den Anfang des Textes.</translation>
  </message>
  <message>
   <source>Will replace: “{0}”</source>
   <translation>Ersetzt: „{0}“</translation>
  </message>
  <message>
   <source>{0} changed passages.</source>
   <translation>{0} geänderte Stellen.</translation>
  </message>
 </context>
 <context>
  <name>DailyTargetForm</name>
  <message>
   <source>500</source>
   <translation>500</translation>
  </message>
  <message>
   <source>Daily target</source>
   <translation>Tagesziel</translation>
  </message>
  <message>
   <source>Daily target in words</source>
   <translation>Tagesziel in Wörtern</translation>
  </message>
  <message>
   <source>Remove Target</source>
   <translation>Ziel entfernen</translation>
  </message>
  <message>
   <source>Set Target</source>
   <translation>Ziel setzen</translation>
  </message>
  <message>
   <source>words of your own; the status bar shows how many there are</source>
   <translation>eigene Wörter; die Statusleiste zeigt, wie viele es sind</translation>
  </message>
 </context>
 <context>
  <name>DesktopNotifier</name>
  <message>
   <source>Draft finished</source>
   <translation>Entwurf fertig</translation>
  </message>
  <message>
   <source>Draft paused</source>
   <translation>Entwurf angehalten</translation>
  </message>
  <message>
   <source>Draft stopped</source>
   <translation>Entwurf gestoppt</translation>
  </message>
  <message>
   <source>Goal reached</source>
   <translation>Ziel erreicht</translation>
  </message>
  <message>
   <source>Your draft needs attention</source>
   <translation>Ihr Entwurf braucht Sie</translation>
  </message>
  <message>
   <source>{0} words drafted.</source>
   <translation>{0} Wörter entworfen.</translation>
  </message>
 </context>
 <context>
  <name>DictionaryFileDialog</name>
  <message>
   <source>Add Dictionary</source>
   <translation>Wörterbuch hinzufügen</translation>
  </message>
  <message>
   <source>Hunspell dictionaries (*.aff *.dic)</source>
   <translation>Hunspell-Wörterbücher (*.aff *.dic)</translation>
  </message>
 </context>
 <context>
  <name>DraftBar</name>
  <message>
   <source>&amp;Here, at the end of “{0}”</source>
   <translation>&amp;Hier, am Ende von „{0}“</translation>
  </message>
  <message>
   <source>At the end of the &amp;book, in “{0}”</source>
   <translation>Am Ende des &amp;Buchs, in „{0}“</translation>
  </message>
  <message>
   <source>Choose where to continue</source>
   <translation>Auswählen, wo fortgesetzt wird</translation>
  </message>
  <message>
   <source>Continue</source>
   <translation>Fortsetzen</translation>
  </message>
  <message>
   <source>Continue at the end of the text (Ctrl+Return)</source>
   <translation>Am Ende des Textes fortsetzen (Strg+Eingabe)</translation>
  </message>
  <message>
   <source>Continue at the end of “{0}” (Ctrl+Return)</source>
   <translation>Am Ende von „{0}“ fortsetzen (Strg+Eingabe)</translation>
  </message>
  <message>
   <source>Goal</source>
   <translation>Ziel</translation>
  </message>
  <message>
   <source>Notes are yours alone. Open a chapter to continue the book.</source>
   <translation>Notizen schreiben nur Sie. Öffnen Sie ein Kapitel, um das Buch fortzusetzen.</translation>
  </message>
  <message>
   <source>Pause</source>
   <translation>Anhalten</translation>
  </message>
  <message>
   <source>Pause after this word; nothing is lost (Esc)</source>
   <translation>Nach diesem Wort anhalten; nichts geht verloren (Esc)</translation>
  </message>
  <message>
   <source>Switch to dark theme</source>
   <translation>Zum dunklen Design wechseln</translation>
  </message>
  <message>
   <source>Switch to light theme</source>
   <translation>Zum hellen Design wechseln</translation>
  </message>
 </context>
 <context>
  <name>DraftHeadsController</name>
  <message>
   <source>Adding draft heads to {0}…</source>
   <translation>Vorhersageköpfe werden zu {0} hinzugefügt …</translation>
  </message>
  <message>
   <source>Draft heads are already being added. Wait for that to finish.</source>
   <translation>Es werden bereits Vorhersageköpfe hinzugefügt. Warten Sie, bis das fertig ist.</translation>
  </message>
  <message>
   <source>They replace those from {0}.</source>
   <translation>Sie ersetzen die von {0}.</translation>
  </message>
  <message>
   <source>{0} is being sped up. Wait for that to finish, or stop it, then add the heads.</source>
   <translation>{0} wird gerade beschleunigt. Warten Sie, bis das fertig ist, oder halten Sie es an, und fügen Sie dann die Köpfe hinzu.</translation>
  </message>
  <message>
   <source>{0} now has {1} {2} draft heads. Reload the model to use them.</source>
   <translation>{0} hat jetzt {1} Vorhersageköpfe ({2}). Laden Sie das Modell neu, um sie zu nutzen.</translation>
  </message>
 </context>
 <context>
  <name>DraftModelBox</name>
  <message>
   <source>&amp;Draft ahead with a smaller model:</source>
   <translation>Mit einem kleineren Modell &amp;vorausschreiben:</translation>
  </message>
  <message>
   <source>Add Draft Heads…</source>
   <translation>Vorhersageköpfe hinzufügen …</translation>
  </message>
  <message>
   <source>Choose the Folder of the Draft Heads</source>
   <translation>Ordner der Vorhersageköpfe wählen</translation>
  </message>
  <message>
   <source>Draft heads others have trained for this exact model (TokenSwift, Medusa). Your drafts keep the same words.</source>
   <translation>Vorhersageköpfe, die andere für genau dieses Modell trainiert haben (TokenSwift, Medusa). Ihre Entwürfe behalten dieselben Wörter.</translation>
  </message>
  <message>
   <source>Looking for smaller models…</source>
   <translation>Kleinere Modelle werden gesucht…</translation>
  </message>
  <message>
   <source>No smaller model of the same family is on this computer.</source>
   <translation>Auf diesem Computer ist kein kleineres Modell derselben Familie.</translation>
  </message>
  <message>
   <source>None</source>
   <translation>Keines</translation>
  </message>
  <message>
   <source>Same words, and faster where it pays. Applies when the model is next loaded.</source>
   <translation>Dieselben Wörter, und schneller, wo es sich lohnt. Gilt, wenn das Modell das nächste Mal geladen wird.</translation>
  </message>
  <message>
   <source>{0} (doesn't fit or is gone)</source>
   <translation>{0} (passt nicht oder ist nicht mehr da)</translation>
  </message>
  <message>
   <source>{0} (suggested)</source>
   <translation>{0} (empfohlen)</translation>
  </message>
 </context>
 <context>
  <name>DrafterTrainingController</name>
  <message>
   <source>Draft heads are being added to {0}. Wait for that to finish, then speed it up.</source>
   <translation>{0} erhält gerade Vorhersageköpfe. Warten Sie, bis das fertig ist, und beschleunigen Sie es dann.</translation>
  </message>
  <message>
   <source>Stopped. Choose Speed Up again to resume where it left off.</source>
   <translation>Gestoppt. „Beschleunigen“ macht später dort weiter.</translation>
  </message>
  <message>
   <source>{0} is now accelerated. Reload the model to use it.</source>
   <translation>{0} ist jetzt beschleunigt. Laden Sie das Modell neu, um es zu nutzen.</translation>
  </message>
  <message>
   <source>{0} is now accelerated: {1} tokens/s (before: {2}), {3} tokens per pass (before: {4}). Reload the model to use it.</source>
   <translation>{0} ist jetzt beschleunigt: {1} Token/s (vorher {2}), {3} Token je Durchgang (vorher {4}). Laden Sie das Modell neu, um es zu nutzen.</translation>
  </message>
 </context>
 <context>
  <name>DraftingPage</name>
  <message>
   <source> tokens</source>
   <translation> Token</translation>
  </message>
  <message>
   <source> words</source>
   <translation> Wörter</translation>
  </message>
  <message>
   <source> words or more</source>
   <translation> Wörtern</translation>
  </message>
  <message>
   <source>&amp;Keep the computer awake while drafting</source>
   <translation>Den Computer beim Entwerfen &amp;wach halten</translation>
  </message>
  <message>
   <source>&amp;Limit context to</source>
   <translation>Kontext &amp;begrenzen auf</translation>
  </message>
  <message>
   <source>&amp;Notify me when a draft ends or needs me</source>
   <translation>Mich &amp;benachrichtigen, wenn ein Entwurf endet oder mich braucht</translation>
  </message>
  <message>
   <source>&amp;Show an estimate</source>
   <translation>&amp;Schätzung zeigen</translation>
  </message>
  <message>
   <source>A smaller context or half precision changes the wording. Using main memory is slower but does not. A draft keeps the settings it was started with.</source>
   <translation>Weniger Kontext oder halbe Genauigkeit ändern den Wortlaut. Der Arbeitsspeicher ist langsamer, ändert ihn aber nicht. Ein Entwurf behält die Einstellungen, mit denen er begonnen wurde.</translation>
  </message>
  <message>
   <source>Also start a new chapter &amp;every</source>
   <translation>Außerdem &amp;alle</translation>
  </message>
  <message>
   <source>Ask me</source>
   <translation>Mich fragen</translation>
  </message>
  <message>
   <source>Automatic</source>
   <translation>Automatisch</translation>
  </message>
  <message>
   <source>Automatic: the model's full context on a GPU, otherwise at most {0} tokens, because a longer context makes drafting slower.</source>
   <translation>Automatisch: auf einer Grafikkarte der volle Kontext des Modells, sonst höchstens {0} Token, denn ein längerer Kontext macht das Entwerfen langsamer.</translation>
  </message>
  <message>
   <source>Before a long draft</source>
   <translation>Vor einem langen Entwurf</translation>
  </message>
  <message>
   <source>Continue and notify me</source>
   <translation>Weitermachen und mich benachrichtigen</translation>
  </message>
  <message>
   <source>Continue without rereading</source>
   <translation>Fortsetzen, ohne neu zu lesen</translation>
  </message>
  <message>
   <source>Half precision (8-bit)</source>
   <translation>Halbe Genauigkeit (8 Bit)</translation>
  </message>
  <message>
   <source>In main memory (RAM)</source>
   <translation>Im Arbeitsspeicher (RAM)</translation>
  </message>
  <message>
   <source>Model &amp;memory use</source>
   <translation>Speicher&amp;nutzung</translation>
  </message>
  <message>
   <source>Model memory</source>
   <translation>Speicher des Modells</translation>
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
   <source>Normal</source>
   <translation>Normal</translation>
  </message>
  <message>
   <source>Off</source>
   <translation>Aus</translation>
  </message>
  <message>
   <source>Pause and notify me</source>
   <translation>Anhalten und mich benachrichtigen</translation>
  </message>
  <message>
   <source>Reread it</source>
   <translation>Neu lesen</translation>
  </message>
  <message>
   <source>Start a new &amp;chapter at each heading the model writes</source>
   <translation>Bei jeder Überschrift, die das Modell schreibt, ein neues &amp;Kapitel beginnen</translation>
  </message>
  <message>
   <source>When I &amp;edit text the model has already read</source>
   <translation>Wenn ich Text &amp;ändere, den das Modell schon gelesen hat</translation>
  </message>
  <message>
   <source>When the draft &amp;repeats itself</source>
   <translation>Wenn der Entwurf sich &amp;wiederholt</translation>
  </message>
  <message>
   <source>While drafting</source>
   <translation>Während des Entwerfens</translation>
  </message>
  <message>
   <source>for </source>
   <translation>ab </translation>
  </message>
 </context>
 <context>
  <name>EchoList</name>
  <message>
   <source>Echo List</source>
   <translation>Liste der Echos</translation>
  </message>
  <message>
   <source>Echoes</source>
   <translation>Echos</translation>
  </message>
  <message>
   <source>Looking for echoes…</source>
   <translation>Echos werden gesucht…</translation>
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
 </context>
 <context>
  <name>EchoTable</name>
  <message>
   <source>No nearby repetition found ({0} words checked).</source>
   <translation>Keine Wiederholung in der Nähe gefunden ({0} Wörter geprüft).</translation>
  </message>
  <message>
   <source>No text yet.</source>
   <translation>Noch kein Text.</translation>
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
   <source>Times</source>
   <translation>Male</translation>
  </message>
  <message>
   <source>Words in the repeats, not counting the first occurrence</source>
   <translation>Wörter in den Wiederholungen, ohne das erste Vorkommen</translation>
  </message>
  <message>
   <source>{0} of {1} words begin an echo. In published novels: 0.03% to 1.6%.</source>
   <translation>{0} von {1} Wörtern beginnen ein Echo. In veröffentlichten Romanen: 0,03 % bis 1,6 %.</translation>
  </message>
 </context>
 <context>
  <name>Errors</name>
  <message>
   <source>1 draft is left.</source>
   <translation>1 Entwurf steht noch aus.</translation>
  </message>
  <message>
   <source>1 run</source>
   <translation>1 Lauf</translation>
  </message>
  <message>
   <source>1 session was exported to {path}.</source>
   <translation>1 Sitzung wurde nach {path} exportiert.</translation>
  </message>
  <message>
   <source>1 text</source>
   <translation>1 Text</translation>
  </message>
  <message>
   <source>8-bit numbers</source>
   <translation>8-Bit-Zahlen</translation>
  </message>
  <message>
   <source>A copy was saved as {file} in {folder}. You are still working in {project}.</source>
   <translation>Eine Kopie wurde als {file} in {folder} gespeichert. Sie arbeiten weiter in {project}.</translation>
  </message>
  <message>
   <source>A dictionary needs two files, but {file} is missing or can't be read. Put both into one folder and add it again.</source>
   <translation>Ein Wörterbuch braucht zwei Dateien, aber {file} fehlt oder lässt sich nicht lesen. Legen Sie beide in einen Ordner und fügen Sie es noch einmal hinzu.</translation>
  </message>
  <message>
   <source>A draft is already running. Pause it first.</source>
   <translation>Es läuft schon ein Entwurf. Halten Sie ihn erst an.</translation>
  </message>
  <message>
   <source>A draft is running. Its words so far are printed, too.</source>
   <translation>Ein Entwurf läuft. Was er bisher geschrieben hat, wird mit gedruckt.</translation>
  </message>
  <message>
   <source>A draft is running. Pause it first.</source>
   <translation>Ein Entwurf läuft. Halten Sie ihn erst an.</translation>
  </message>
  <message>
   <source>A draft is running. What it has written when you press Export is exported, too.</source>
   <translation>Ein Entwurf läuft. Was er geschrieben hat, wenn Sie Exportieren drücken, wird mit exportiert.</translation>
  </message>
  <message>
   <source>A good choice for most drafts.</source>
   <translation>Eine gute Wahl für die meisten Entwürfe.</translation>
  </message>
  <message>
   <source>A long passage repeats earlier text word for word.</source>
   <translation>Eine lange Passage wiederholt früheren Text Wort für Wort.</translation>
  </message>
  <message>
   <source>A paragraph is never divided, and “{title}” has only one.</source>
   <translation>Ein Absatz wird nie geteilt, und „{title}“ hat nur einen.</translation>
  </message>
  <message>
   <source>A part can't be split. Open a chapter and split that.</source>
   <translation>Ein Teil lässt sich nicht teilen. Öffnen Sie ein Kapitel und teilen Sie dieses.</translation>
  </message>
  <message>
   <source>A preset in {what} has no name. Export the presets again.</source>
   <translation>Eine Voreinstellung in {what} hat keinen Namen. Exportieren Sie die Voreinstellungen noch einmal.</translation>
  </message>
  <message>
   <source>A row of the table {table}</source>
   <translation>Eine Zeile der Tabelle {table}</translation>
  </message>
  <message>
   <source>A scene needs a chapter. Add a chapter first.</source>
   <translation>Eine Szene braucht ein Kapitel. Legen Sie erst ein Kapitel an.</translation>
  </message>
  <message>
   <source>A secure connection to {host} wasn't possible, so nothing was sent. If the server speaks plain http, begin the address with http://.</source>
   <translation>Eine sichere Verbindung zu {host} war nicht möglich, also wurde nichts gesendet. Spricht der Server nur http, beginnen Sie die Adresse mit http://.</translation>
  </message>
  <message>
   <source>A server can't answer this. Choose a model on this computer for it.</source>
   <translation>Das kann ein Server nicht beantworten. Wählen Sie dafür ein Modell auf diesem Computer.</translation>
  </message>
  <message>
   <source>A server is asked about each word by itself. Select at most {most} words.</source>
   <translation>Ein Server wird nach jedem Wort einzeln gefragt. Wählen Sie höchstens {most} Wörter aus.</translation>
  </message>
  <message>
   <source>A smaller partial cache helps, too.</source>
   <translation>Ein kleinerer Teilcache hilft auch.</translation>
  </message>
  <message>
   <source>A stored text that nothing refers to</source>
   <translation>Ein gespeicherter Text, auf den nichts verweist</translation>
  </message>
  <message>
   <source>A take starts before this point. It stays complete, with the first text. {snapshot}</source>
   <translation>Eine Fassung beginnt vor dieser Stelle. Sie bleibt vollständig beim ersten Text. {snapshot}</translation>
  </message>
  <message>
   <source>A text had lost its place in the book. It is now at the end, in the part “Recovered”, which is not exported.</source>
   <translation>Ein Text hatte seinen Platz im Buch verloren. Er steht jetzt am Ende im Teil „Recovered“, der nicht exportiert wird.</translation>
  </message>
  <message>
   <source>A text to be deleted is being drafted. Pause the draft first.</source>
   <translation>In einem Text, der gelöscht würde, läuft ein Entwurf. Halten Sie ihn erst an.</translation>
  </message>
  <message>
   <source>A word goal</source>
   <translation>Ein Wortziel</translation>
  </message>
  <message>
   <source>A word list holds at most {most:,} words, and this would be {num_words:,}. Nothing was added. Add large lists as a dictionary under Edit &gt; Spelling.</source>
   <translation>Eine Wortliste fasst höchstens {most:,} Wörter, und das wären {num_words:,}. Es wurde nichts hinzugefügt. Große Listen fügen Sie als Wörterbuch unter Bearbeiten &gt; Rechtschreibung hinzu.</translation>
  </message>
  <message>
   <source>Acceleration failed ({reason}). The draft continues without it: more slowly, with the same words.</source>
   <translation>Die Beschleunigung ist ausgefallen ({reason}). Der Entwurf geht ohne sie weiter: langsamer, mit denselben Wörtern.</translation>
  </message>
  <message>
   <source>Another draft is running. Start the queue again when it is finished.</source>
   <translation>Ein anderer Entwurf läuft. Starten Sie die Warteschlange wieder, wenn er fertig ist.</translation>
  </message>
  <message>
   <source>Another model is being downloaded. Wait until it is finished, or pause it.</source>
   <translation>Ein anderes Modell wird gerade heruntergeladen. Warten Sie, bis es fertig ist, oder halten Sie es an.</translation>
  </message>
  <message>
   <source>Another model is being imported. Wait until it is finished, or stop it.</source>
   <translation>Ein anderes Modell wird gerade importiert. Warten Sie, bis es fertig ist, oder brechen Sie es ab.</translation>
  </message>
  <message>
   <source>Another project was opened. Open this one again to continue its queue.</source>
   <translation>Ein anderes Projekt wurde geöffnet. Öffnen Sie dieses wieder, um seine Warteschlange fortzusetzen.</translation>
  </message>
  <message>
   <source>Another text was opened before the draft could start. Press Continue to draft in this one.</source>
   <translation>Ein anderer Text wurde geöffnet, bevor der Entwurf beginnen konnte. Drücken Sie Fortsetzen, um in diesem zu entwerfen.</translation>
  </message>
  <message>
   <source>Author's note</source>
   <translation>Autorennotiz</translation>
  </message>
  <message>
   <source>Backup made and verified: {name} in {folder}.</source>
   <translation>Sicherung angelegt und geprüft: {name} in {folder}.</translation>
  </message>
  <message>
   <source>Backup made: {name} in {folder}. It is an exact copy, but something in the project is damaged: {what}.</source>
   <translation>Sicherung angelegt: {name} in {folder}. Sie ist eine genaue Kopie, aber im Projekt ist etwas beschädigt: {what}.</translation>
  </message>
  <message>
   <source>Balanced</source>
   <translation>Ausgewogen</translation>
  </message>
  <message>
   <source>Beats</source>
   <translation>Handlungsschritte</translation>
  </message>
  <message>
   <source>Built-in model</source>
   <translation>Eingebautes Modell</translation>
  </message>
  <message>
   <source>Can't write to {path} ({reason}).</source>
   <translation>In {path} lässt sich nichts speichern ({reason}).</translation>
  </message>
  <message>
   <source>Chat setting</source>
   <translation>Chat-Einstellung</translation>
  </message>
  <message>
   <source>Choose a Granite 4 model without “H” in its name instead.</source>
   <translation>Wählen Sie stattdessen ein Granite-4-Modell ohne „H“ im Namen.</translation>
  </message>
  <message>
   <source>Choose a {name} model instead.</source>
   <translation>Wählen Sie stattdessen ein Modell der Art {name}.</translation>
  </message>
  <message>
   <source>Choose another type, such as Llama, Mistral, Qwen 3 or Gemma 3.</source>
   <translation>Wählen Sie eine andere Art, etwa Llama, Mistral, Qwen 3 oder Gemma 3.</translation>
  </message>
  <message>
   <source>Comment deleted.</source>
   <translation>Kommentar gelöscht.</translation>
  </message>
  <message>
   <source>Comment resolved.</source>
   <translation>Kommentar erledigt.</translation>
  </message>
  <message>
   <source>Continue will write with {name}.</source>
   <translation>Fortsetzen schreibt mit {name}.</translation>
  </message>
  <message>
   <source>Damaged in this project: {what}. Everything else is sound.</source>
   <translation>Beschädigt in diesem Projekt: {what}. Alles andere ist in Ordnung.</translation>
  </message>
  <message>
   <source>Damaged in this project: {what}. Everything else is sound. The last good backup is from {made}.</source>
   <translation>Beschädigt in diesem Projekt: {what}. Alles andere ist in Ordnung. Die letzte gute Sicherung ist vom {made}.</translation>
  </message>
  <message>
   <source>Doesn't fit: it needs {needed} before the first word, and {free} are free. Close other programs, or choose a smaller model.</source>
   <translation>Passt nicht: braucht {needed} vor dem ersten Wort; {free} sind frei. Schließen Sie andere Programme oder wählen Sie ein kleineres Modell.</translation>
  </message>
  <message>
   <source>Downloads are turned off on this computer (HF_HUB_OFFLINE). You can still use models in folders.</source>
   <translation>Downloads sind auf diesem Computer ausgeschaltet (HF_HUB_OFFLINE). Modelle in Ordnern können Sie weiter verwenden.</translation>
  </message>
  <message>
   <source>Drafting is turned off because Quire stopped soon after its last two starts. You can still write.</source>
   <translation>Das Entwerfen ist ausgeschaltet, weil Quire zweimal kurz nach dem Start beendet wurde. Schreiben können Sie.</translation>
  </message>
  <message>
   <source>Drafting over a part of the model's memory isn't possible in Fast mode. Choose other drafters, or load the model in full precision.</source>
   <translation>Im schnellen Modus lässt sich nicht über einem Teil vom Gedächtnis des Modells entwerfen. Wählen Sie andere Vorhersagen oder laden Sie das Modell in voller Genauigkeit.</translation>
  </message>
  <message>
   <source>EPUB book</source>
   <translation>EPUB-Buch</translation>
  </message>
  <message>
   <source>Edits here make the model reread {size}.</source>
   <translation>Nach Änderungen hier liest das Modell noch einmal {size}.</translation>
  </message>
  <message>
   <source>Enter an address like http://192.168.1.20:8080.</source>
   <translation>Geben Sie eine Adresse ein wie http://192.168.1.20:8080.</translation>
  </message>
  <message>
   <source>Enter the address without a name, a password or a key in it. The key has its own field.</source>
   <translation>Geben Sie die Adresse ohne Namen, Passwort oder Schlüssel ein. Der Schlüssel hat ein eigenes Feld.</translation>
  </message>
  <message>
   <source>Everything was saved as {file} in {folder}.</source>
   <translation>Alles wurde als {file} in {folder} gespeichert.</translation>
  </message>
  <message>
   <source>Faithful</source>
   <translation>Getreu</translation>
  </message>
  <message>
   <source>Fast doesn't compute in {types}: it cuts these weights into 8 bits, which takes more memory.</source>
   <translation>„Schnell“ rechnet nicht in {types}, sondern macht aus diesen Gewichten Zahlen von 8 Bit, was mehr Speicher braucht.</translation>
  </message>
  <message>
   <source>Fast mode can't be used on this computer ({reason}).</source>
   <translation>Der schnelle Modus geht auf diesem Computer nicht ({reason}).</translation>
  </message>
  <message>
   <source>Fast mode isn't available for models of this family yet.</source>
   <translation>Den schnellen Modus gibt es für Modelle dieser Familie noch nicht.</translation>
  </message>
  <message>
   <source>Fast mode works on a processor, not on a graphics card.</source>
   <translation>Der schnelle Modus rechnet auf dem Prozessor, nicht auf einer Grafikkarte.</translation>
  </message>
  <message>
   <source>Fast mode would change this model's words too much.</source>
   <translation>Der schnelle Modus würde die Wörter dieses Modells zu sehr verändern.</translation>
  </message>
  <message>
   <source>Fits a text of {goal:,} tokens (about {words} words): {needed} of {free} free.</source>
   <translation>Passt für einen Text von {goal:,} Token (etwa {words} Wörter): braucht {needed} von {free} frei.</translation>
  </message>
  <message>
   <source>Fits {largest:,} tokens (about {largest_words} words), not {goal:,} (about {words}), which need {needed} of {free} free. Set a smaller goal, or close other programs.</source>
   <translation>Passt für {largest:,} Token (etwa {largest_words} Wörter), nicht für {goal:,} (etwa {words}), die {needed} brauchen; {free} sind frei. Setzen Sie ein kleineres Ziel oder schließen Sie andere Programme.</translation>
  </message>
  <message>
   <source>Hugging Face can't be reached. Check the connection; the download so far is kept.</source>
   <translation>Hugging Face ist nicht erreichbar. Prüfen Sie die Verbindung; was schon heruntergeladen ist, bleibt erhalten.</translation>
  </message>
  <message>
   <source>Hugging Face doesn't accept this token. Create a new one at {page}.</source>
   <translation>Hugging Face nimmt dieses Token nicht an. Erstellen Sie ein neues auf {page}.</translation>
  </message>
  <message>
   <source>Hugging Face gave an invalid answer about {name}. Try again later.</source>
   <translation>Hugging Face gab eine ungültige Antwort zu {name}. Versuchen Sie es später noch einmal.</translation>
  </message>
  <message>
   <source>Hugging Face has no model named {name}, or your token gives no access to it. Check the spelling.</source>
   <translation>Auf Hugging Face gibt es kein Modell {name}, oder Ihr Token gibt keinen Zugang dazu. Prüfen Sie die Schreibweise.</translation>
  </message>
  <message>
   <source>Hugging Face is busy. Try again later.</source>
   <translation>Hugging Face ist gerade überlastet. Versuchen Sie es später noch einmal.</translation>
  </message>
  <message>
   <source>Hugging Face reported an error ({status}). Try again later.</source>
   <translation>Hugging Face meldete einen Fehler ({status}). Versuchen Sie es später noch einmal.</translation>
  </message>
  <message>
   <source>It is not UTF-8 text.</source>
   <translation>Sie ist kein UTF-8-Text.</translation>
  </message>
  <message>
   <source>Keys and values of this model differ in size; Quire doesn't support that yet. Choose another model.</source>
   <translation>Keys und Values dieses Modells sind verschieden groß; das unterstützt Quire noch nicht. Wählen Sie ein anderes Modell.</translation>
  </message>
  <message>
   <source>Left out at import</source>
   <translation>Beim Import nicht übernommen</translation>
  </message>
  <message>
   <source>Lively</source>
   <translation>Lebhaft</translation>
  </message>
  <message>
   <source>Loading the model was stopped.</source>
   <translation>Das Laden des Modells wurde abgebrochen.</translation>
  </message>
  <message>
   <source>Loading the model was stopped. Try again.</source>
   <translation>Das Laden des Modells wurde abgebrochen. Versuchen Sie es noch einmal.</translation>
  </message>
  <message>
   <source>Lorebook</source>
   <translation>Lexikon</translation>
  </message>
  <message>
   <source>Making the file took too much time or memory. Export fewer chapters at a time.</source>
   <translation>Die Datei zu erstellen brauchte zu viel Zeit oder Speicher. Exportieren Sie weniger Kapitel auf einmal.</translation>
  </message>
  <message>
   <source>Memory</source>
   <translation>Gedächtnis</translation>
  </message>
  <message>
   <source>Memory and the other steering could not be saved because of a bug in Quire. Copy what you typed there.</source>
   <translation>Gedächtnis und übrige Steuerung konnten wegen eines Fehlers in Quire nicht gespeichert werden. Kopieren Sie, was Sie dort eingegeben haben.</translation>
  </message>
  <message>
   <source>Memory, Lorebook and notes are about {words:,} words; they may use at most half of what the model on the server reads. Shorten them, or start the server with a longer context.</source>
   <translation>Gedächtnis, Lorebook und Notizen haben etwa {words:,} Wörter; sie dürfen höchstens die Hälfte dessen einnehmen, was das Modell auf dem Server liest. Kürzen Sie sie, oder starten Sie den Server mit längerem Kontext.</translation>
  </message>
  <message>
   <source>Memory, Lorebook and notes have {num_tokens:,} tokens; they may use at most half of the context, which has {capacity:,} tokens here. Shorten them, or choose a longer context in Preferences or a model that has one.</source>
   <translation>Gedächtnis, Lexikon und Notizen haben {num_tokens:,} Token; sie dürfen höchstens die Hälfte des Kontexts belegen, der hier {capacity:,} Token hat. Kürzen Sie sie, oder wählen Sie in den Einstellungen einen längeren Kontext oder ein Modell, das einen hat.</translation>
  </message>
  <message>
   <source>No Apple GPU (MPS) was found on this computer. Choose “auto” or “cpu”.</source>
   <translation>Auf diesem Computer wurde keine Apple-GPU (MPS) gefunden. Wählen Sie „auto“ oder „cpu“.</translation>
  </message>
  <message>
   <source>No CUDA GPU was found on this computer. Choose “auto” or “cpu”.</source>
   <translation>Auf diesem Computer wurde keine CUDA-Grafikkarte gefunden. Wählen Sie „auto“ oder „cpu“.</translation>
  </message>
  <message>
   <source>No fast resume file was saved: the model is no longer loaded.</source>
   <translation>Es wurde keine Datei zum schnellen Fortsetzen gespeichert: Das Modell ist nicht mehr geladen.</translation>
  </message>
  <message>
   <source>No model is loaded to answer this.</source>
   <translation>Es ist kein Modell geladen, das antworten könnte.</translation>
  </message>
  <message>
   <source>No model is loaded. Load one first.</source>
   <translation>Kein Modell ist geladen. Laden Sie erst eins.</translation>
  </message>
  <message>
   <source>No model wrote this take, so it can't be reproduced. Use Retry instead.</source>
   <translation>An dieser Fassung hat kein Modell geschrieben, darum lässt sie sich nicht reproduzieren. Nehmen Sie Noch einmal.</translation>
  </message>
  <message>
   <source>No project is open</source>
   <translation>Kein Projekt ist geöffnet</translation>
  </message>
  <message>
   <source>No project is open. Open one, or start a new one.</source>
   <translation>Kein Projekt ist geöffnet. Öffnen Sie eins oder beginnen Sie ein neues.</translation>
  </message>
  <message>
   <source>No text is selected. Select a few words first.</source>
   <translation>Es ist kein Text markiert. Markieren Sie erst ein paar Wörter.</translation>
  </message>
  <message>
   <source>None of the backups in {folder} is sound.</source>
   <translation>Keine der Sicherungen in {folder} ist unbeschädigt.</translation>
  </message>
  <message>
   <source>Not enough disk space: {missing:,.1f} GB needed, {free:,.1f} GB free. Free some space, or choose another folder.</source>
   <translation>Nicht genug Platz: {missing:,.1f} GB werden gebraucht, {free:,.1f} GB sind frei. Schaffen Sie Platz oder wählen Sie einen anderen Ordner.</translation>
  </message>
  <message>
   <source>Notes are yours alone. Open a chapter to continue the book.</source>
   <translation>Notizen schreiben nur Sie. Öffnen Sie ein Kapitel, um das Buch fortzusetzen.</translation>
  </message>
  <message>
   <source>Nothing answers at {host}. Start the server, and check the address and the port.</source>
   <translation>Unter {host} antwortet nichts. Starten Sie den Server und prüfen Sie Adresse und Port.</translation>
  </message>
  <message>
   <source>One of the files is not UTF-8 text. Choose plain text files.</source>
   <translation>Eine der Dateien ist kein UTF-8-Text. Wählen Sie reine Textdateien.</translation>
  </message>
  <message>
   <source>OpenDocument text</source>
   <translation>OpenDocument-Text</translation>
  </message>
  <message>
   <source>Opening</source>
   <translation>Anfang</translation>
  </message>
  <message>
   <source>Pandoc could not be started ({reason}). Free some disk space, or install Quire again.</source>
   <translation>Pandoc konnte nicht gestartet werden ({reason}). Schaffen Sie Platz auf der Festplatte oder installieren Sie Quire neu.</translation>
  </message>
  <message>
   <source>Pandoc, which reads and writes Word, OpenDocument and EPUB files, is missing. Install Quire again, or choose plain text, Markdown, a web page or PDF.</source>
   <translation>Pandoc fehlt; damit liest und schreibt Quire Word-, OpenDocument- und EPUB-Dateien. Installieren Sie Quire neu oder wählen Sie reinen Text, Markdown, eine Webseite oder PDF.</translation>
  </message>
  <message>
   <source>Part of the output of run {run} of {day}, in “{title}”</source>
   <translation>Ein Teil dessen, was Lauf {run} vom {day} geschrieben hat, in „{title}“</translation>
  </message>
  <message>
   <source>Part of the table {table}, which can't be read</source>
   <translation>Ein Teil der Tabelle {table}, der sich nicht lesen lässt</translation>
  </message>
  <message>
   <source>Pause the draft before replacing text.</source>
   <translation>Halten Sie den Entwurf an, bevor Sie Text ersetzen.</translation>
  </message>
  <message>
   <source>Preset names have at most {most} characters. Shorten this one.</source>
   <translation>Namen von Voreinstellungen haben höchstens {most} Zeichen. Kürzen Sie diesen.</translation>
  </message>
  <message>
   <source>Quire can't compress the weights of a mixture of experts yet. Load it in full.</source>
   <translation>Die Gewichte eines Mixture-of-Experts-Modells kann Quire noch nicht verkleinern. Laden Sie es in voller Größe.</translation>
  </message>
  <message>
   <source>Quire can't read the presets in {what}. Export them again.</source>
   <translation>Quire kann die Voreinstellungen in {what} nicht lesen. Exportieren Sie sie noch einmal.</translation>
  </message>
  <message>
   <source>Quire can't read this file's tokenizer (“{name}”). Choose the model as a folder with tokenizer.json, or another model.</source>
   <translation>Quire kann den Tokenizer dieser Datei („{name}“) nicht lesen. Wählen Sie das Modell als Ordner mit tokenizer.json oder ein anderes Modell.</translation>
  </message>
  <message>
   <source>Quire can't read weights in {packed}. Download the bfloat16 version.</source>
   <translation>Quire kann Gewichte in {packed} nicht lesen. Laden Sie die Fassung in bfloat16 herunter.</translation>
  </message>
  <message>
   <source>Quire can't read weights quantised as {name}. Choose another quantisation, such as Q4_K_M or Q8_0.</source>
   <translation>Gewichte mit der Quantisierung {name} kann Quire nicht lesen. Wählen Sie eine andere, etwa Q4_K_M oder Q8_0.</translation>
  </message>
  <message>
   <source>Quire can't read weights quantised with {method}. Choose the original model, or its GGUF, AWQ or GPTQ version.</source>
   <translation>Mit {method} quantisierte Gewichte kann Quire nicht lesen. Wählen Sie das ursprüngliche Modell oder seine Fassung in GGUF, AWQ oder GPTQ.</translation>
  </message>
  <message>
   <source>Quire can't read {name} from a GGUF file yet. Choose it as a folder with safetensors weights, or a GGUF file of another type, such as {familiar}.</source>
   <translation>{name} kann Quire noch nicht aus einer GGUF-Datei lesen. Wählen Sie das Modell als Ordner mit safetensors-Gewichten oder eine GGUF-Datei einer anderen Art, etwa {familiar}.</translation>
  </message>
  <message>
   <source>Quire closed during this draft. The text so far is saved; start the queue to continue.</source>
   <translation>Quire wurde während dieses Entwurfs beendet. Der bisherige Text ist gespeichert; starten Sie die Warteschlange, um fortzufahren.</translation>
  </message>
  <message>
   <source>Quire doesn't compute the model in {folder} correctly in {number_format}, so it can't be used. Choose another model, or look for a newer version of Quire.</source>
   <translation>Quire rechnet das Modell in {folder} in {number_format} nicht richtig, darum lässt es sich nicht verwenden. Wählen Sie ein anderes Modell oder suchen Sie eine neuere Version von Quire.</translation>
  </message>
  <message>
   <source>Quire doesn't compute the model in {folder} correctly, neither in bfloat16 nor in float32, so it can't be used. Choose another model, or look for a newer version of Quire.</source>
   <translation>Quire rechnet das Modell in {folder} weder in bfloat16 noch in float32 richtig, darum lässt es sich nicht verwenden. Wählen Sie ein anderes Modell oder suchen Sie eine neuere Version von Quire.</translation>
  </message>
  <message>
   <source>Quire doesn't know how this file's tokenizer divides text (“{name}”). Choose the model as a folder with tokenizer.json, or another model.</source>
   <translation>Quire weiß nicht, wie der Tokenizer dieser Datei Text zerlegt („{name}“). Wählen Sie das Modell als Ordner mit tokenizer.json oder ein anderes Modell.</translation>
  </message>
  <message>
   <source>Quire doesn't know this kind of {method} weights. Choose the original model, or its GGUF version.</source>
   <translation>Diese Art von {method}-Gewichten kennt Quire nicht. Wählen Sie das ursprüngliche Modell oder seine Fassung in GGUF.</translation>
  </message>
  <message>
   <source>Quire doesn't support GGUF files of the type “{name}” yet. Choose a model of another type, such as {familiar}.</source>
   <translation>GGUF-Dateien der Art „{name}“ unterstützt Quire noch nicht. Wählen Sie ein Modell einer anderen Art, etwa {familiar}.</translation>
  </message>
  <message>
   <source>Quire doesn't support models of the type “{name}” yet. Choose another type, such as Llama, Mistral, Qwen or Gemma.</source>
   <translation>Modelle der Art „{name}“ unterstützt Quire noch nicht. Wählen Sie eine andere Art, etwa Llama, Mistral, Qwen oder Gemma.</translation>
  </message>
  <message>
   <source>Quire doesn't support models of the type “{name}” yet{hint}.</source>
   <translation>Modelle der Art „{name}“ unterstützt Quire noch nicht{hint}.</translation>
  </message>
  <message>
   <source>Quire is closing, so the model can't answer any more.</source>
   <translation>Quire wird gerade beendet, darum kann das Modell nicht mehr antworten.</translation>
  </message>
  <message>
   <source>Quire keeps at most {most} presets. Delete one first.</source>
   <translation>Quire behält höchstens {most} Voreinstellungen. Löschen Sie erst eine.</translation>
  </message>
  <message>
   <source>Quire stopped unexpectedly last time. Your text is saved.</source>
   <translation>Quire wurde beim letzten Mal unerwartet beendet. Ihr Text ist gespeichert.</translation>
  </message>
  <message>
   <source>Quire stopped unexpectedly soon after its last two starts. Your text is saved. This time no project was opened, and drafting is turned off.</source>
   <translation>Quire wurde zweimal kurz nach dem Start unerwartet beendet. Ihr Text ist gespeichert. Diesmal wurde kein Projekt geöffnet, und das Entwerfen ist ausgeschaltet.</translation>
  </message>
  <message>
   <source>Quire will write with {name} from the next draft on.</source>
   <translation>Ab dem nächsten Entwurf schreibt Quire mit {name}.</translation>
  </message>
  <message>
   <source>Results are not reproducible with this model on this computer: after a pause, the draft may continue differently.</source>
   <translation>Mit diesem Modell sind Ergebnisse auf diesem Computer nicht reproduzierbar: Nach einer Pause kann der Entwurf anders weitergehen.</translation>
  </message>
  <message>
   <source>Run {run} is not finished and uses seed {seed}. Continue with that seed (or none), or edit the manuscript to start a new run.</source>
   <translation>Lauf {run} ist nicht fertig und hat den Startwert {seed}. Setzen Sie ihn mit diesem Startwert (oder ohne) fort, oder ändern Sie das Manuskript, um neu zu beginnen.</translation>
  </message>
  <message>
   <source>Runs: {sound:,} of {all:,}</source>
   <translation>Läufe: {sound:,} von {all:,}</translation>
  </message>
  <message>
   <source>Saved phrases of a text, which Quire counts again</source>
   <translation>Gespeicherte Wendungen eines Textes, die Quire neu zählt</translation>
  </message>
  <message>
   <source>Saving the fast resume file…</source>
   <translation>Die Datei zum schnellen Fortsetzen wird gespeichert …</translation>
  </message>
  <message>
   <source>Select the words that you want alternatives for.</source>
   <translation>Markieren Sie die Wörter, für die Sie Alternativen möchten.</translation>
  </message>
  <message>
   <source>Select the words to change first.</source>
   <translation>Markieren Sie zuerst die Wörter, die geändert werden sollen.</translation>
  </message>
  <message>
   <source>Setting up {name}, once. This takes a few seconds.</source>
   <translation>{name} wird eingerichtet, nur dieses eine Mal. Das dauert ein paar Sekunden.</translation>
  </message>
  <message>
   <source>Settings: {sound:,} of {all:,}</source>
   <translation>Einstellungen: {sound:,} von {all:,}</translation>
  </message>
  <message>
   <source>Snapshot of the whole manuscript taken.</source>
   <translation>Schnappschuss des ganzen Manuskripts gemacht.</translation>
  </message>
  <message>
   <source>Something went wrong in Quire. Your text is saved as you type.</source>
   <translation>In Quire ist etwas schiefgegangen. Ihr Text wird beim Tippen gespeichert.</translation>
  </message>
  <message>
   <source>Spell checking was turned off because it kept crashing. Choose the language again to retry.</source>
   <translation>Die Rechtschreibprüfung wurde ausgeschaltet, weil sie immer wieder abstürzte. Wählen Sie die Sprache noch einmal, um es wieder zu versuchen.</translation>
  </message>
  <message>
   <source>Starts of earlier drafts</source>
   <translation>Anfänge früherer Entwürfe</translation>
  </message>
  <message>
   <source>Stays close to what is likely: steady, plain, rarely surprising.</source>
   <translation>Bleibt beim Wahrscheinlichen: ruhig, schlicht, selten überraschend.</translation>
  </message>
  <message>
   <source>Takes: {sound:,} of {all:,}</source>
   <translation>Fassungen: {sound:,} von {all:,}</translation>
  </message>
  <message>
   <source>Texts in snapshots: {sound:,} of {all:,}</source>
   <translation>Texte in Schnappschüssen: {sound:,} von {all:,}</translation>
  </message>
  <message>
   <source>Texts: {sound:,} of {all:,}</source>
   <translation>Texte: {sound:,} von {all:,}</translation>
  </message>
  <message>
   <source>That didn't work because of a bug in Quire ({error}). Your text is safe.</source>
   <translation>Das ging wegen eines Fehlers in Quire nicht ({error}). Ihr Text ist sicher.</translation>
  </message>
  <message>
   <source>That part of the book no longer exists. Choose another one.</source>
   <translation>Diesen Teil des Buchs gibt es nicht mehr. Wählen Sie einen anderen.</translation>
  </message>
  <message>
   <source>That selection is too long. Select at most {most:,} characters.</source>
   <translation>Die Auswahl ist zu lang. Markieren Sie höchstens {most:,} Zeichen.</translation>
  </message>
  <message>
   <source>The GPU or its driver has stopped, so drafting isn't possible now. Your text is saved. Restart Quire, then press Continue.</source>
   <translation>Die Grafikkarte oder ihr Treiber ist ausgefallen, darum kann jetzt nicht entworfen werden. Ihr Text ist gespeichert. Starten Sie Quire neu und drücken Sie dann Fortsetzen.</translation>
  </message>
  <message>
   <source>The adapter doesn't belong to this model.</source>
   <translation>Der Adapter gehört nicht zu diesem Modell.</translation>
  </message>
  <message>
   <source>The adapter {file} is damaged ({reason}).</source>
   <translation>Der Adapter {file} ist beschädigt ({reason}).</translation>
  </message>
  <message>
   <source>The author's note starts a new draft; the model rereads the latest page.</source>
   <translation>Die Autorennotiz beginnt einen neuen Entwurf; das Modell liest die letzte Seite noch einmal.</translation>
  </message>
  <message>
   <source>The backup of {made} holds it as it was then.</source>
   <translation>Die Sicherung vom {made} enthält es, wie es damals war.</translation>
  </message>
  <message>
   <source>The backup {backup} doesn't exist. Choose another one.</source>
   <translation>Die Sicherung {backup} gibt es nicht. Wählen Sie eine andere.</translation>
  </message>
  <message>
   <source>The book is longer than the model's memory, so it reads the most recent part.</source>
   <translation>Das Buch ist länger, als das Modell sich merken kann; es liest daher den neuesten Teil.</translation>
  </message>
  <message>
   <source>The book itself can't be moved to the trash. Choose a part or a chapter.</source>
   <translation>Das Buch selbst kann nicht in den Papierkorb. Wählen Sie einen Teil oder ein Kapitel.</translation>
  </message>
  <message>
   <source>The built-in model is part of Quire and can't be removed.</source>
   <translation>Das eingebaute Modell gehört zu Quire und lässt sich nicht entfernen.</translation>
  </message>
  <message>
   <source>The chapter of this draft is no longer in the book. Remove the draft, or restore the chapter.</source>
   <translation>Das Kapitel dieses Entwurfs ist nicht mehr im Buch. Entfernen Sie den Entwurf oder stellen Sie das Kapitel wieder her.</translation>
  </message>
  <message>
   <source>The chat template can't be used. {reason}</source>
   <translation>Die Chat-Vorlage kann nicht verwendet werden. {reason}</translation>
  </message>
  <message>
   <source>The chat template is not used: it is longer than {most:,} characters.</source>
   <translation>Die Chat-Vorlage wird nicht verwendet: Sie ist länger als {most:,} Zeichen.</translation>
  </message>
  <message>
   <source>The connection to {host} was lost. Check that the server is still running.</source>
   <translation>Die Verbindung zu {host} ist abgebrochen. Prüfen Sie, ob der Server noch läuft.</translation>
  </message>
  <message>
   <source>The connection was lost. The download so far is kept.</source>
   <translation>Die Verbindung brach ab. Was schon heruntergeladen ist, bleibt erhalten.</translation>
  </message>
  <message>
   <source>The context is now {now:,} tokens, not {then:,}, so this starts a new draft.</source>
   <translation>Der Kontext hat jetzt {now:,} Token, nicht {then:,}, darum beginnt ein neuer Entwurf.</translation>
  </message>
  <message>
   <source>The copy in {folder} differs from what was written. Choose a folder on another disk.</source>
   <translation>Die Kopie in {folder} weicht vom Geschriebenen ab. Wählen Sie einen Ordner auf einem anderen Datenträger.</translation>
  </message>
  <message>
   <source>The damaged log is kept as {kept}.</source>
   <translation>Das beschädigte Journal ist als {kept} aufbewahrt.</translation>
  </message>
  <message>
   <source>The data of {counted} was exported to {path}.</source>
   <translation>Die Daten wurden nach {path} exportiert ({counted}).</translation>
  </message>
  <message>
   <source>The date of the last change of “{title}” (its text is sound)</source>
   <translation>Das Datum der letzten Änderung an „{title}“ (der Text ist in Ordnung)</translation>
  </message>
  <message>
   <source>The dictionary can't be copied to {folder} ({reason}). Free some space there and add it again.</source>
   <translation>Das Wörterbuch kann nicht nach {folder} kopiert werden ({reason}). Schaffen Sie dort Platz und fügen Sie es noch einmal hinzu.</translation>
  </message>
  <message>
   <source>The dictionary {name} can't be read. Choose another one.</source>
   <translation>Das Wörterbuch {name} lässt sich nicht lesen. Wählen Sie ein anderes.</translation>
  </message>
  <message>
   <source>The disk could not save {file} ({error}). Check the disk; everything saved before is safe.</source>
   <translation>Der Datenträger konnte {file} nicht speichern ({error}). Prüfen Sie ihn; alles früher Gespeicherte ist sicher.</translation>
  </message>
  <message>
   <source>The disk is full, so {file} could not be saved completely. Free some space on the disk with {folder}; everything saved before is safe.</source>
   <translation>Der Datenträger ist voll, darum konnte {file} nicht ganz gespeichert werden. Schaffen Sie Platz auf dem Datenträger mit {folder}; alles früher Gespeicherte ist sicher.</translation>
  </message>
  <message>
   <source>The disk with {file} can't store projects safely ({name} is {found}, not {wanted}). Move the project to a disk of this computer.</source>
   <translation>Der Datenträger mit {file} kann Projekte nicht sicher speichern ({name} ist {found}, nicht {wanted}). Verschieben Sie das Projekt auf einen Datenträger dieses Computers.</translation>
  </message>
  <message>
   <source>The disk with {folder} is full. Free some space, or choose another folder.</source>
   <translation>Der Datenträger mit {folder} ist voll. Schaffen Sie Platz oder wählen Sie einen anderen Ordner.</translation>
  </message>
  <message>
   <source>The disk with {folder} reported an error ({cause}). Check the disk, or choose another folder.</source>
   <translation>Der Datenträger mit {folder} meldete einen Fehler ({cause}). Prüfen Sie ihn oder wählen Sie einen anderen Ordner.</translation>
  </message>
  <message>
   <source>The download is not finished. Resume or remove it.</source>
   <translation>Der Download ist nicht fertig. Setzen Sie ihn fort oder entfernen Sie ihn.</translation>
  </message>
  <message>
   <source>The draft could not be saved because of a bug in Quire ({error}).</source>
   <translation>Der Entwurf konnte wegen eines Fehlers in Quire nicht gespeichert werden ({error}).</translation>
  </message>
  <message>
   <source>The draft could not be saved. Pause it, then try again.</source>
   <translation>Der Entwurf konnte nicht gespeichert werden. Halten Sie ihn an und versuchen Sie es dann noch einmal.</translation>
  </message>
  <message>
   <source>The draft could not start; the reason is shown above the text.</source>
   <translation>Der Entwurf konnte nicht beginnen; der Grund steht über dem Text.</translation>
  </message>
  <message>
   <source>The draft has stopped producing words: only punctuation, spaces or endless letters.</source>
   <translation>Der Entwurf bringt keine Wörter mehr hervor, nur Satzzeichen, Leerzeichen oder endlose Buchstaben.</translation>
  </message>
  <message>
   <source>The draft heads could not be read. Try again.</source>
   <translation>Die Vorhersageköpfe konnten nicht gelesen werden. Versuchen Sie es noch einmal.</translation>
  </message>
  <message>
   <source>The draft heads don't match this model. Speed up the model again.</source>
   <translation>Die Vorhersageköpfe passen nicht zu diesem Modell. Beschleunigen Sie das Modell noch einmal.</translation>
  </message>
  <message>
   <source>The draft heads that were added to this model need a state that models of its family don't show in full precision. Choose Fast for this model, or remove the heads (quire models heads NAME --remove).</source>
   <translation>Die Vorhersageköpfe, die zu diesem Modell hinzugefügt wurden, brauchen einen Zustand, den Modelle seiner Familie in voller Genauigkeit nicht zeigen. Wählen Sie Schnell für dieses Modell, oder entfernen Sie die Köpfe (quire models heads NAME --remove).</translation>
  </message>
  <message>
   <source>The draft is now in “{title}”.</source>
   <translation>Der Entwurf ist jetzt in „{title}“.</translation>
  </message>
  <message>
   <source>The draft queue could not be read and is empty. Its old contents were kept as “{name}”.</source>
   <translation>Die Warteschlange konnte nicht gelesen werden und ist leer. Der alte Inhalt wurde als „{name}“ aufgehoben.</translation>
  </message>
  <message>
   <source>The draft was interrupted.</source>
   <translation>Der Entwurf wurde unterbrochen.</translation>
  </message>
  <message>
   <source>The draft was paused.</source>
   <translation>Der Entwurf wurde angehalten.</translation>
  </message>
  <message>
   <source>The drafters in {path} are damaged ({reason}). Speed up the model again, or remove the file.</source>
   <translation>Die Vorhersagen in {path} sind beschädigt ({reason}). Beschleunigen Sie das Modell noch einmal oder entfernen Sie die Datei.</translation>
  </message>
  <message>
   <source>The drafters in {path} belong to another model, or to another version of this one. Speed up the model again, or remove the file.</source>
   <translation>Die Vorhersagen in {path} gehören zu einem anderen Modell oder einer anderen Version von diesem. Beschleunigen Sie das Modell noch einmal oder entfernen Sie die Datei.</translation>
  </message>
  <message>
   <source>The drafters in {path} were made by a newer version of Quire (format {format}; this version reads {supported}). Update Quire, or speed up the model again.</source>
   <translation>Die Vorhersagen in {path} stammen aus einer neueren Version von Quire (Format {format}; diese liest {supported}). Aktualisieren Sie Quire oder beschleunigen Sie das Modell noch einmal.</translation>
  </message>
  <message>
   <source>The engine stopped because of a bug in Quire ({reason}). Your text is saved; press Continue to try again.</source>
   <translation>Die Engine brach wegen eines Fehlers in Quire ab ({reason}). Ihr Text ist gespeichert; drücken Sie Fortsetzen, um es noch einmal zu versuchen.</translation>
  </message>
  <message>
   <source>The engine stopped because of a bug. Ask again to restart it.</source>
   <translation>Die Engine brach wegen eines Fehlers ab. Fragen Sie noch einmal, dann startet sie neu.</translation>
  </message>
  <message>
   <source>The fast resume file needs {size}, but the project's disk has only {free} free. Free some space, or continue without it: nothing is lost.</source>
   <translation>Die Datei zum schnellen Fortsetzen braucht {size}, aber auf dem Datenträger des Projekts sind nur {free} frei. Schaffen Sie Platz oder verzichten Sie darauf: Es geht nichts verloren.</translation>
  </message>
  <message>
   <source>The feature drafter doesn't match this model. Speed up the model again.</source>
   <translation>Die Vorhersage passt nicht zu diesem Modell. Beschleunigen Sie das Modell noch einmal.</translation>
  </message>
  <message>
   <source>The file can't be read as a project ({error}).</source>
   <translation>Die Datei lässt sich nicht als Projekt lesen ({error}).</translation>
  </message>
  <message>
   <source>The file could not be made (Pandoc: {reason}). Choose another format.</source>
   <translation>Die Datei konnte nicht erstellt werden (Pandoc: {reason}). Wählen Sie ein anderes Format.</translation>
  </message>
  <message>
   <source>The file {file} belongs to another text, model or version.</source>
   <translation>Die Datei {file} gehört zu einem anderen Text, Modell oder einer anderen Version.</translation>
  </message>
  <message>
   <source>The file {file} doesn't match the model.</source>
   <translation>Die Datei {file} passt nicht zum Modell.</translation>
  </message>
  <message>
   <source>The file {file} is damaged.</source>
   <translation>Die Datei {file} ist beschädigt.</translation>
  </message>
  <message>
   <source>The file {file} is missing or damaged.</source>
   <translation>Die Datei {file} fehlt oder ist beschädigt.</translation>
  </message>
  <message>
   <source>The file {path} doesn't exist. Check the name, or create a new project.</source>
   <translation>Die Datei {path} gibt es nicht. Prüfen Sie den Namen oder legen Sie ein neues Projekt an.</translation>
  </message>
  <message>
   <source>The file {path} doesn't exist. Check the name.</source>
   <translation>Die Datei {path} gibt es nicht. Prüfen Sie den Namen.</translation>
  </message>
  <message>
   <source>The first words of this draft are the model's thoughts: its server marks only their end. Undo the draft and press Continue. From now on Quire waits until the model has finished thinking.</source>
   <translation>Die ersten Wörter dieses Entwurfs sind Gedanken des Modells: Sein Server kennzeichnet nur ihr Ende. Machen Sie den Entwurf rückgängig und klicken Sie auf „Fortsetzen“. Ab jetzt wartet Quire, bis das Modell zu Ende gedacht hat.</translation>
  </message>
  <message>
   <source>The folder asks for program code of its own. Quire never runs it and uses its own for this type.</source>
   <translation>Der Ordner verlangt eigenen Programmcode. Quire führt ihn nie aus und verwendet für diese Art den eigenen.</translation>
  </message>
  <message>
   <source>The folder can't be read ({reason}). Check that it is still there.</source>
   <translation>Der Ordner lässt sich nicht lesen ({reason}). Prüfen Sie, ob er noch da ist.</translation>
  </message>
  <message>
   <source>The folder {folder} can't be created ({reason}). Choose another one.</source>
   <translation>Der Ordner {folder} kann nicht angelegt werden ({reason}). Wählen Sie einen anderen.</translation>
  </message>
  <message>
   <source>The folder {folder} doesn't exist. Create it first, or choose another one.</source>
   <translation>Den Ordner {folder} gibt es nicht. Legen Sie ihn erst an oder wählen Sie einen anderen.</translation>
  </message>
  <message>
   <source>The folder {folder} is missing. Connect its disk, or choose another folder.</source>
   <translation>Der Ordner {folder} fehlt. Schließen Sie den Datenträger an oder wählen Sie einen anderen Ordner.</translation>
  </message>
  <message>
   <source>The folder {folder} is read-only. Allow writing there, or choose another folder.</source>
   <translation>Der Ordner {folder} ist schreibgeschützt. Erlauben Sie dort das Schreiben oder wählen Sie einen anderen Ordner.</translation>
  </message>
  <message>
   <source>The goal must be at least 1 word, not {words}.</source>
   <translation>Das Ziel muss mindestens 1 Wort sein, nicht {words}.</translation>
  </message>
  <message>
   <source>The heads are in a pickle file ({name}), which can run programs when it is opened. Quire reads safetensors only: download that version of them.</source>
   <translation>Die Köpfe sind in einer Pickle-Datei ({name}), die beim Öffnen Programme ausführen kann. Quire liest nur safetensors: Laden Sie sie in dieser Fassung herunter.</translation>
  </message>
  <message>
   <source>The import could not be started ({reason}).</source>
   <translation>Der Import konnte nicht gestartet werden ({reason}).</translation>
  </message>
  <message>
   <source>The import could not be started ({reason}). Close other programs or free some disk space, and try again.</source>
   <translation>Der Import konnte nicht gestartet werden ({reason}). Schließen Sie andere Programme oder schaffen Sie Platz auf der Festplatte und versuchen Sie es noch einmal.</translation>
  </message>
  <message>
   <source>The import was stopped.</source>
   <translation>Der Import wurde abgebrochen.</translation>
  </message>
  <message>
   <source>The key for {host} is not in this computer's keychain. To enter it again, choose Tools &gt; Models &gt; On Another Computer.</source>
   <translation>Der Schlüssel für {host} ist nicht im Schlüsselbund dieses Computers. Um ihn wieder einzugeben, wählen Sie Werkzeuge &gt; Modelle &gt; Auf anderem Computer.</translation>
  </message>
  <message>
   <source>The key has characters that no key has. Copy it again.</source>
   <translation>Der Schlüssel enthält Zeichen, die kein Schlüssel hat. Kopieren Sie ihn noch einmal.</translation>
  </message>
  <message>
   <source>The last 2,000 words are incoherent. No published novel varies so much.</source>
   <translation>Die letzten 2.000 Wörter hängen nicht zusammen. Kein veröffentlichter Roman variiert so stark.</translation>
  </message>
  <message>
   <source>The last 2,000 words keep using the same few words. No published novel varies so little.</source>
   <translation>Die letzten 2.000 Wörter benutzen immer dieselben wenigen Wörter. Kein veröffentlichter Roman variiert so wenig.</translation>
  </message>
  <message>
   <source>The last draft stopped unexpectedly. Nothing is missing: every word it saved is in the text.</source>
   <translation>Der letzte Entwurf brach unerwartet ab. Es fehlt nichts: Jedes gespeicherte Wort steht im Text.</translation>
  </message>
  <message>
   <source>The last draft used another model ({name}), so this starts a new draft.</source>
   <translation>Den letzten Entwurf schrieb ein anderes Modell ({name}), darum beginnt ein neuer.</translation>
  </message>
  <message>
   <source>The last draft was paused at {counted}. Its text is exported, too.</source>
   <translation>Der letzte Entwurf wurde bei {counted} angehalten. Sein Text wird mit exportiert.</translation>
  </message>
  <message>
   <source>The last draft was removed from the text. It is kept under Takes, where you can restore it.</source>
   <translation>Der letzte Entwurf wurde aus dem Text genommen. Er liegt unter Fassungen; dort können Sie ihn zurückholen.</translation>
  </message>
  <message>
   <source>The last draft was undone. It is kept under Takes; Redo Draft brings it back.</source>
   <translation>Der letzte Entwurf wurde zurückgenommen. Er liegt unter Fassungen; Entwurf wiederherstellen holt ihn zurück.</translation>
  </message>
  <message>
   <source>The last words are still in the window. Press Continue to save them and resume.</source>
   <translation>Die letzten Wörter stehen noch im Fenster. Drücken Sie Fortsetzen, um sie zu speichern und weiterzumachen.</translation>
  </message>
  <message>
   <source>The last {number:,} passages are the same.</source>
   <translation>Die letzten {number:,} Passagen sind gleich.</translation>
  </message>
  <message>
   <source>The layers of this model differ in size ({name}); Quire doesn't support that yet. Choose another model.</source>
   <translation>Die Schichten dieses Modells sind verschieden groß ({name}); das unterstützt Quire noch nicht. Wählen Sie ein anderes Modell.</translation>
  </message>
  <message>
   <source>The list of models could not be saved in {folder} ({reason}).</source>
   <translation>Die Liste der Modelle konnte nicht in {folder} gespeichert werden ({reason}).</translation>
  </message>
  <message>
   <source>The log beside {file} belonged to another project, or to another copy of this one. It was not used; it is kept as {kept}.</source>
   <translation>Das Journal neben {file} gehörte zu einem anderen Projekt oder zu einer anderen Kopie von diesem. Es wurde nicht verwendet und ist als {kept} aufbewahrt.</translation>
  </message>
  <message>
   <source>The log beside {file} belongs to another project, or to another copy of this one. It was not used.</source>
   <translation>Das Journal neben {file} gehört zu einem anderen Projekt oder zu einer anderen Kopie von diesem. Es wurde nicht verwendet.</translation>
  </message>
  <message>
   <source>The log of {file} is damaged: about {words:,} words that were saved since {time} may be missing.</source>
   <translation>Das Journal von {file} ist beschädigt: Etwa {words:,} Wörter, die seit {time} gespeichert wurden, können fehlen.</translation>
  </message>
  <message>
   <source>The log of {file} is damaged: changes that were saved since {time} may be missing.</source>
   <translation>Das Journal von {file} ist beschädigt: Änderungen, die seit {time} gespeichert wurden, können fehlen.</translation>
  </message>
  <message>
   <source>The log of {file} was moved, replaced or deleted while the project was open. Save the project under another name.</source>
   <translation>Das Journal von {file} wurde verschoben, ersetzt oder gelöscht, während das Projekt geöffnet war. Speichern Sie das Projekt unter einem anderen Namen.</translation>
  </message>
  <message>
   <source>The makers of {name} require you to accept their licence. Accept it at {page}, create a read token at {tokens_page}, and paste it here.</source>
   <translation>Die Hersteller von {name} verlangen, dass Sie ihre Lizenz annehmen. Nehmen Sie sie auf {page} an, erstellen Sie auf {tokens_page} ein Token mit Leserecht und fügen Sie es hier ein.</translation>
  </message>
  <message>
   <source>The manuscript can't be changed during a draft. Pause it first.</source>
   <translation>Während eines Entwurfs lässt sich das Manuskript nicht ändern. Halten Sie ihn erst an.</translation>
  </message>
  <message>
   <source>The manuscript was exported to {path}.</source>
   <translation>Das Manuskript wurde nach {path} exportiert.</translation>
  </message>
  <message>
   <source>The manuscript was not saved because of a bug in Quire ({error}). It is still in this window: save again, or copy it to another program.</source>
   <translation>Das Manuskript wurde wegen eines Fehlers in Quire nicht gespeichert ({error}). Es steht noch in diesem Fenster: Speichern Sie noch einmal oder kopieren Sie es in ein anderes Programm.</translation>
  </message>
  <message>
   <source>The model can't be saved in {folder} ({reason}). The download so far is kept.</source>
   <translation>Das Modell kann nicht in {folder} gespeichert werden ({reason}). Was schon heruntergeladen ist, bleibt erhalten.</translation>
  </message>
  <message>
   <source>The model can't read so much at once: {num_tokens:,} tokens with a context of {capacity:,}. Select less, or choose a longer context in Preferences.</source>
   <translation>So viel kann das Modell nicht auf einmal lesen: {num_tokens:,} Token bei einem Kontext von {capacity:,}. Markieren Sie weniger, oder wählen Sie in den Einstellungen einen längeren Kontext.</translation>
  </message>
  <message>
   <source>The model can't read this text. Write or paste an opening.</source>
   <translation>Das Modell kann diesen Text nicht lesen. Schreiben Sie einen Anfang oder fügen Sie einen ein.</translation>
  </message>
  <message>
   <source>The model ended the text here.</source>
   <translation>Das Modell hat den Text hier beendet.</translation>
  </message>
  <message>
   <source>The model ended this text after {num_words:,} words. To start a new draft, write a little yourself or choose another seed.</source>
   <translation>Das Modell hat diesen Text nach {num_words:,} Wörtern beendet. Um einen neuen Entwurf zu beginnen, schreiben Sie selbst ein wenig weiter oder wählen Sie einen anderen Startwert.</translation>
  </message>
  <message>
   <source>The model files in {folder} changed while loading. Load the model again.</source>
   <translation>Die Modelldateien in {folder} haben sich beim Laden geändert. Laden Sie das Modell noch einmal.</translation>
  </message>
  <message>
   <source>The model folder {path} can't be read ({reason}).</source>
   <translation>Der Modellordner {path} lässt sich nicht lesen ({reason}).</translation>
  </message>
  <message>
   <source>The model had ended the text here, so this starts a new draft.</source>
   <translation>Das Modell hatte den Text hier beendet, darum beginnt ein neuer Entwurf.</translation>
  </message>
  <message>
   <source>The model in {folder} can't be loaded ({reason}). Download it again.</source>
   <translation>Das Modell in {folder} lässt sich nicht laden ({reason}). Laden Sie es noch einmal herunter.</translation>
  </message>
  <message>
   <source>The model in {folder} can't be used. Its weights are damaged: they contain numbers that are not finite (NaN or infinity). Download the model again, or choose another one.</source>
   <translation>Das Modell in {folder} lässt sich nicht verwenden. Seine Gewichte sind beschädigt: Sie enthalten Zahlen, die nicht endlich sind (NaN oder unendlich). Laden Sie das Modell noch einmal herunter oder wählen Sie ein anderes.</translation>
  </message>
  <message>
   <source>The model in {folder} can't be used. Its weights are damaged: “{tensor}” contains numbers that are not finite (NaN or infinity). Download the model again, or choose another one.</source>
   <translation>Das Modell in {folder} lässt sich nicht verwenden. Seine Gewichte sind beschädigt: „{tensor}“ enthält Zahlen, die nicht endlich sind (NaN oder unendlich). Laden Sie das Modell noch einmal herunter oder wählen Sie ein anderes.</translation>
  </message>
  <message>
   <source>The model in {folder} can't be used: it can't make sense of ordinary text. Its tokenizer.json belongs to another model, or its weights are damaged. Download it again, or choose another one.</source>
   <translation>Das Modell in {folder} lässt sich nicht verwenden: Es kann mit gewöhnlichem Text nichts anfangen. Die tokenizer.json gehört zu einem anderen Modell, oder die Gewichte sind beschädigt. Laden Sie es noch einmal herunter oder wählen Sie ein anderes.</translation>
  </message>
  <message>
   <source>The model in {folder} is not supported by Quire ({reason}).</source>
   <translation>Das Modell in {folder} wird von Quire nicht unterstützt ({reason}).</translation>
  </message>
  <message>
   <source>The model in {path} can't be used. {problem}</source>
   <translation>Das Modell in {path} kann nicht verwendet werden. {problem}</translation>
  </message>
  <message>
   <source>The model is no longer loaded, so there is nothing to save.</source>
   <translation>Das Modell ist nicht mehr geladen, darum gibt es nichts zu speichern.</translation>
  </message>
  <message>
   <source>The model is thinking: {words:,} words so far, none of which go into the text.</source>
   <translation>Das Modell denkt: bisher {words:,} Wörter, von denen keines in den Text kommt.</translation>
  </message>
  <message>
   <source>The model needs {size}, but the GPUs have only {free} free. Choose smaller weights, a smaller model or the CPU.</source>
   <translation>Das Modell braucht {size}, aber auf den Grafikkarten sind nur {free} frei. Wählen Sie kleinere Gewichte, ein kleineres Modell oder den Prozessor.</translation>
  </message>
  <message>
   <source>The model needs {size}, but the first GPU has only {free} free. Models of the type “{type}” can't use several GPUs yet; choose smaller weights or the CPU.</source>
   <translation>Das Modell braucht {size}, aber auf der ersten Grafikkarte sind nur {free} frei. Modelle der Art „{type}“ können noch nicht mehrere Karten benutzen; wählen Sie kleinere Gewichte oder den Prozessor.</translation>
  </message>
  <message>
   <source>The model now computes {now} rows at a time, not {then}, so this starts a new draft.</source>
   <translation>Das Modell rechnet jetzt {now} Zeilen auf einmal, nicht {then}, darum beginnt ein neuer Entwurf.</translation>
  </message>
  <message>
   <source>The model only thought ({words:,} words) and wrote no text. Switch its thinking off where the server allows it, give it a longer limit for replies, or choose a model that does not think.</source>
   <translation>Das Modell hat nur gedacht ({words:,} Wörter) und keinen Text geschrieben. Schalten Sie das Denken ab, wenn der Server das erlaubt, geben Sie ihm eine höhere Grenze für Antworten, oder wählen Sie ein Modell, das nicht denkt.</translation>
  </message>
  <message>
   <source>The model produced invalid numbers (infinite or NaN). Try float32, or check the model's files.</source>
   <translation>Das Modell lieferte ungültige Zahlen (unendlich oder NaN). Versuchen Sie float32 oder prüfen Sie die Dateien des Modells.</translation>
  </message>
  <message>
   <source>The model was loaded in {number_format}: it drafts more slowly, and its weights take {size:.1f} GB.</source>
   <translation>Das Modell wurde in {number_format} geladen: Es entwirft langsamer, und seine Gewichte brauchen {size:.1f} GB.</translation>
  </message>
  <message>
   <source>The model was unloaded. Continue loads it again and rereads the text.</source>
   <translation>Das Modell wurde entladen. Fortsetzen lädt es wieder und liest den Text noch einmal.</translation>
  </message>
  <message>
   <source>The model will read {size} first.</source>
   <translation>Das Modell liest zuerst {size}.</translation>
  </message>
  <message>
   <source>The model will reread {size} first.</source>
   <translation>Das Modell liest zuerst noch einmal {size}.</translation>
  </message>
  <message>
   <source>The model wrote nothing here. Retry, or choose another model.</source>
   <translation>Das Modell hat hier nichts geschrieben. Versuchen Sie es noch einmal, oder wählen Sie ein anderes Modell.</translation>
  </message>
  <message>
   <source>The model's files can't be read any more ({reason}), so the draft was paused. Your text is saved. Connect their disk and load the model again, or choose another one.</source>
   <translation>Die Dateien des Modells lassen sich nicht mehr lesen ({reason}), darum wurde der Entwurf angehalten. Ihr Text ist gespeichert. Schließen Sie den Datenträger an und laden Sie das Modell noch einmal, oder wählen Sie ein anderes.</translation>
  </message>
  <message>
   <source>The model's memory could not be saved ({error}).</source>
   <translation>Das Gedächtnis des Modells konnte nicht gespeichert werden ({error}).</translation>
  </message>
  <message>
   <source>The model's memory could not be saved in {path} ({reason}). Nothing is lost; the model rereads the text when you continue.</source>
   <translation>Das Gedächtnis des Modells konnte nicht in {path} gespeichert werden ({reason}). Es geht nichts verloren; das Modell liest den Text beim Fortsetzen noch einmal.</translation>
  </message>
  <message>
   <source>The model's memory is now compressed, so this starts a new draft.</source>
   <translation>Das Gedächtnis des Modells wird jetzt komprimiert, darum beginnt ein neuer Entwurf.</translation>
  </message>
  <message>
   <source>The model's memory is now stored differently, so this starts a new draft.</source>
   <translation>Das Gedächtnis des Modells wird jetzt anders abgelegt, darum beginnt ein neuer Entwurf.</translation>
  </message>
  <message>
   <source>The model's tokenizer can't read the words to avoid ({error}).</source>
   <translation>Der Tokenizer des Modells kann die zu vermeidenden Wörter nicht lesen ({error}).</translation>
  </message>
  <message>
   <source>The model's tokenizer can't read this text ({error}).</source>
   <translation>Der Tokenizer des Modells kann diesen Text nicht lesen ({error}).</translation>
  </message>
  <message>
   <source>The model's tokenizer fails on this text ({reason}). Choose another model.</source>
   <translation>Der Tokenizer des Modells scheitert an diesem Text ({reason}). Wählen Sie ein anderes Modell.</translation>
  </message>
  <message>
   <source>The name {file} doesn't name a language. Rename the two files like de_DE.aff and de_DE.dic, then add them again.</source>
   <translation>Der Name {file} nennt keine Sprache. Benennen Sie die beiden Dateien wie de_DE.aff und de_DE.dic und fügen Sie sie dann noch einmal hinzu.</translation>
  </message>
  <message>
   <source>The new take differs. Another model, other steering or another computer can be the cause; the first take is kept.</source>
   <translation>Die neue Fassung weicht ab. Ein anderes Modell, eine andere Steuerung oder ein anderer Computer kann die Ursache sein; die erste Fassung bleibt erhalten.</translation>
  </message>
  <message>
   <source>The new take is the same, word for word.</source>
   <translation>Die neue Fassung ist Wort für Wort dieselbe.</translation>
  </message>
  <message>
   <source>The newest backup in which everything is sound is from {made}:</source>
   <translation>Die neueste Sicherung, in der alles in Ordnung ist, ist vom {made}:</translation>
  </message>
  <message>
   <source>The newest backup is from {made}.</source>
   <translation>Die neueste Sicherung ist vom {made}.</translation>
  </message>
  <message>
   <source>The next beat of this chapter starts a new draft.</source>
   <translation>Der nächste Handlungsschritt dieses Kapitels beginnt einen neuen Entwurf.</translation>
  </message>
  <message>
   <source>The next beat starts a new draft; the model rereads the latest page.</source>
   <translation>Der nächste Handlungsschritt beginnt einen neuen Entwurf; das Modell liest die letzte Seite noch einmal.</translation>
  </message>
  <message>
   <source>The numbers of these heads are in a form that Quire doesn't read ({form}). Choose heads in float16, bfloat16 or float32.</source>
   <translation>Die Zahlen dieser Köpfe haben eine Form, die Quire nicht liest ({form}). Wählen Sie Köpfe in float16, bfloat16 oder float32.</translation>
  </message>
  <message>
   <source>The old contents stay in the file under another name once you enter something new.</source>
   <translation>Der alte Inhalt bleibt unter anderem Namen in der Datei, sobald Sie etwas Neues eingeben.</translation>
  </message>
  <message>
   <source>The old file was kept as {file}.</source>
   <translation>Die alte Datei wurde als {file} aufgehoben.</translation>
  </message>
  <message>
   <source>The open text was saved as {file} in {folder}. Other texts of the project can't be read, and there is no backup of them.</source>
   <translation>Der offene Text wurde als {file} in {folder} gespeichert. Andere Texte des Projekts lassen sich nicht lesen, und es gibt keine Sicherung von ihnen.</translation>
  </message>
  <message>
   <source>The open text was saved as {file} in {folder}; the rest of that project is from the backup of {made}.</source>
   <translation>Der offene Text wurde als {file} in {folder} gespeichert; alles Übrige in diesem Projekt stammt aus der Sicherung vom {made}.</translation>
  </message>
  <message>
   <source>The opening has more than {most:,} chapters and scenes. Make it shorter.</source>
   <translation>Der Anfang hat mehr als {most:,} Kapitel und Szenen. Kürzen Sie ihn.</translation>
  </message>
  <message>
   <source>The packed weights of {name} don't match each other. Download the model again.</source>
   <translation>Die gepackten Gewichte von {name} passen nicht zusammen. Laden Sie das Modell noch einmal herunter.</translation>
  </message>
  <message>
   <source>The page is too narrow for a second text. Make the window wider, or hide a panel.</source>
   <translation>Die Seite ist zu schmal für einen zweiten Text. Verbreitern Sie das Fenster oder blenden Sie einen Bereich aus.</translation>
  </message>
  <message>
   <source>The pattern for chapter headings takes too long on this text. Use a simpler one.</source>
   <translation>Das Muster für Kapitelüberschriften braucht bei diesem Text zu lange. Verwenden Sie ein einfacheres.</translation>
  </message>
  <message>
   <source>The preset {name} in {what} can't be used: {error}.</source>
   <translation>Die Voreinstellung {name} in {what} kann nicht verwendet werden: {error}.</translation>
  </message>
  <message>
   <source>The previous version is in the snapshot “{title}”.</source>
   <translation>Der vorherige Stand liegt im Schnappschuss „{title}“.</translation>
  </message>
  <message>
   <source>The printer doesn't respond. Check that it is on, or print to a PDF file.</source>
   <translation>Der Drucker antwortet nicht. Prüfen Sie, ob er an ist, oder drucken Sie in eine PDF-Datei.</translation>
  </message>
  <message>
   <source>The project is in a folder shared with another system. If both use it at once, it can be damaged. Keep it on a disk of this computer, and put only backups or exports here.</source>
   <translation>Das Projekt liegt in einem Ordner, den sich zwei Systeme teilen. Wenn beide es zugleich benutzen, kann es beschädigt werden. Behalten Sie es auf einem Datenträger dieses Computers und legen Sie hier nur Sicherungen oder Exporte ab.</translation>
  </message>
  <message>
   <source>The project is on a network drive. If the connection breaks or two computers open it at once, it can be damaged. Keep it on a disk of this computer, and put only backups or exports here.</source>
   <translation>Das Projekt liegt auf einem Netzlaufwerk. Wenn die Verbindung abbricht oder zwei Computer es zugleich öffnen, kann es beschädigt werden. Behalten Sie es auf einem Datenträger dieses Computers und legen Sie hier nur Sicherungen oder Exporte ab.</translation>
  </message>
  <message>
   <source>The project seems to be in a folder that {service} syncs to other computers. It may sync a half-saved project or restore an older one. Keep it in a folder that isn't synced, and put only backups or exports here.</source>
   <translation>Das Projekt liegt anscheinend in einem Ordner, den {service} mit anderen Computern abgleicht. Dabei kann ein halb gespeichertes Projekt kopiert oder ein älteres zurückgeholt werden. Behalten Sie es in einem Ordner ohne Abgleich und legen Sie hier nur Sicherungen oder Exporte ab.</translation>
  </message>
  <message>
   <source>The queue holds at most {most} drafts. Remove some first.</source>
   <translation>Die Warteschlange fasst höchstens {most} Entwürfe. Entfernen Sie erst einige.</translation>
  </message>
  <message>
   <source>The queue is already running.</source>
   <translation>Die Warteschlange läuft schon.</translation>
  </message>
  <message>
   <source>The queue is finished: 1 draft written.</source>
   <translation>Die Warteschlange ist fertig: 1 Entwurf geschrieben.</translation>
  </message>
  <message>
   <source>The queue is finished: {num_drafts} drafts written.</source>
   <translation>Die Warteschlange ist fertig: {num_drafts} Entwürfe geschrieben.</translation>
  </message>
  <message>
   <source>The queue stopped after this draft, as you asked. {left}</source>
   <translation>Die Warteschlange hat wie gewünscht nach diesem Entwurf angehalten. {left}</translation>
  </message>
  <message>
   <source>The queue stopped. {sentence}</source>
   <translation>Die Warteschlange hat angehalten. {sentence}</translation>
  </message>
  <message>
   <source>The record of run {run} is damaged, so the run can't be repeated. Start a new draft, or restore a backup.</source>
   <translation>Die Aufzeichnung von Lauf {run} ist beschädigt, darum lässt er sich nicht wiederholen. Beginnen Sie einen neuen Entwurf oder stellen Sie eine Sicherung wieder her.</translation>
  </message>
  <message>
   <source>The record of run {run} of {day}, in “{title}” (seed, settings, goal)</source>
   <translation>Die Aufzeichnung von Lauf {run} vom {day} in „{title}“ (Startwert, Einstellungen, Ziel)</translation>
  </message>
  <message>
   <source>The record of the last draft is damaged in the project file, so this starts a new draft. The text of the last one is unchanged.</source>
   <translation>Die Aufzeichnung des letzten Entwurfs ist in der Projektdatei beschädigt, darum beginnt ein neuer Entwurf. Der Text des letzten ist unverändert.</translation>
  </message>
  <message>
   <source>The record of the last save</source>
   <translation>Die Aufzeichnung des letzten Speicherns</translation>
  </message>
  <message>
   <source>The record of this take is damaged, so its place in the text is not known. The text was not changed; restore a backup to get the take back.</source>
   <translation>Die Aufzeichnung dieser Fassung ist beschädigt, darum ist ihre Stelle im Text nicht bekannt. Der Text wurde nicht geändert; um die Fassung zurückzubekommen, stellen Sie eine Sicherung wieder her.</translation>
  </message>
  <message>
   <source>The replacement uses {reference}, but the pattern has no such group. Write \\ for a backslash, \1 for the first group.</source>
   <translation>Die Ersetzung verwendet {reference}, aber das Muster hat keine solche Gruppe. Schreiben Sie \\ für einen umgekehrten Schrägstrich, \1 für die erste Gruppe.</translation>
  </message>
  <message>
   <source>The search text is longer than {most:,} characters. Shorten it.</source>
   <translation>Der Suchtext ist länger als {most:,} Zeichen. Kürzen Sie ihn.</translation>
  </message>
  <message>
   <source>The seed must be a whole number from 0 to {most}, not {seed}.</source>
   <translation>Der Startwert muss eine ganze Zahl von 0 bis {most} sein, nicht {seed}.</translation>
  </message>
  <message>
   <source>The selection has {num_words:,} tokens; the limit is {most:,}. Select less.</source>
   <translation>Die Auswahl hat {num_words:,} Token; die Grenze ist {most:,}. Markieren Sie weniger.</translation>
  </message>
  <message>
   <source>The selection is too long for this model. Select less.</source>
   <translation>Die Auswahl ist zu lang für dieses Modell. Markieren Sie weniger.</translation>
  </message>
  <message>
   <source>The server could not be removed from {folder} ({reason}).</source>
   <translation>Der Server konnte nicht aus {folder} entfernt werden ({reason}).</translation>
  </message>
  <message>
   <source>The server could not be saved in {folder} ({reason}).</source>
   <translation>Der Server konnte nicht in {folder} gespeichert werden ({reason}).</translation>
  </message>
  <message>
   <source>The setting “{name}”</source>
   <translation>Die Einstellung „{name}“</translation>
  </message>
  <message>
   <source>The snapshot was restored. The text as it was before is kept in a new snapshot.</source>
   <translation>Der Schnappschuss wurde wiederhergestellt. Der bisherige Text liegt in einem neuen Schnappschuss.</translation>
  </message>
  <message>
   <source>The snapshot “{snapshot}” of {day} in this project holds the text as it was then.</source>
   <translation>Der Schnappschuss „{snapshot}“ vom {day} in diesem Projekt enthält den Text, wie er damals war.</translation>
  </message>
  <message>
   <source>The structure of the file: {what}</source>
   <translation>Der Aufbau der Datei: {what}</translation>
  </message>
  <message>
   <source>The take at the end of the first text now includes the second text. {snapshot}</source>
   <translation>Die Fassung am Ende des ersten Textes umfasst jetzt auch den zweiten. {snapshot}</translation>
  </message>
  <message>
   <source>The take is in the trash, at the end of the list. It will be deleted after 30 days.</source>
   <translation>Die Fassung liegt im Papierkorb am Ende der Liste. Nach 30 Tagen wird sie gelöscht.</translation>
  </message>
  <message>
   <source>The take “{take}” of “{title}”, from {day}</source>
   <translation>Die Fassung „{take}“ von „{title}“ vom {day}</translation>
  </message>
  <message>
   <source>The text before this take has changed, so the same seed and settings may give another result.</source>
   <translation>Der Text vor dieser Fassung hat sich geändert, darum können Startwert und Einstellungen ein anderes Ergebnis liefern.</translation>
  </message>
  <message>
   <source>The text doesn't fit what the model on {host} can read ({reason}).</source>
   <translation>Der Text passt nicht in das, was das Modell auf {host} lesen kann ({reason}).</translation>
  </message>
  <message>
   <source>The text has changed since this comparison. Close this window and compare again.</source>
   <translation>Der Text hat sich seit diesem Vergleich geändert. Schließen Sie dieses Fenster und vergleichen Sie noch einmal.</translation>
  </message>
  <message>
   <source>The text has {num_tokens:,} tokens, but the model's context is {capacity:,} here. Let it read only the latest part (in commands: --read-tail), shorten the text, or choose a longer context in Preferences or a model that has one.</source>
   <translation>Der Text hat {num_tokens:,} Token, aber der Kontext des Modells hier nur {capacity:,}. Lassen Sie es nur den letzten Teil lesen (in Befehlen: --read-tail), kürzen Sie den Text, oder wählen Sie in den Einstellungen einen längeren Kontext oder ein Modell, das einen hat.</translation>
  </message>
  <message>
   <source>The text is about {words:,} words long, and the model on the server reads about {most:,}. Let it read only the latest part (in commands: --read-tail), or start the server with a longer context.</source>
   <translation>Der Text hat etwa {words:,} Wörter, und das Modell auf dem Server liest etwa {most:,}. Lassen Sie es nur den neuesten Teil lesen (in Befehlen: --read-tail), oder starten Sie den Server mit längerem Kontext.</translation>
  </message>
  <message>
   <source>The text is too short for a fast resume file.</source>
   <translation>Der Text ist zu kurz für eine Datei zum schnellen Fortsetzen.</translation>
  </message>
  <message>
   <source>The text of “{title}”</source>
   <translation>Der Text von „{title}“</translation>
  </message>
  <message>
   <source>The text of “{title}” in the snapshot “{snapshot}” of {day}</source>
   <translation>Der Text von „{title}“ im Schnappschuss „{snapshot}“ vom {day}</translation>
  </message>
  <message>
   <source>The text that run {run} of {day} started from, in “{title}”</source>
   <translation>Der Text, von dem Lauf {run} vom {day} ausging, in „{title}“</translation>
  </message>
  <message>
   <source>The title, the author or the language of the project</source>
   <translation>Titel, Autorin oder Autor, oder Sprache des Projekts</translation>
  </message>
  <message>
   <source>The title, the reason or the date of the snapshot “{snapshot}” of {day}</source>
   <translation>Titel, Anlass oder Datum des Schnappschusses „{snapshot}“ vom {day}</translation>
  </message>
  <message>
   <source>The title, the synopsis, the status or the place of “{title}”</source>
   <translation>Titel, Kurzinhalt, Status oder Platz von „{title}“</translation>
  </message>
  <message>
   <source>The tokenizer has more entries than the model, so they don't belong together. Download both from the same place.</source>
   <translation>Der Tokenizer hat mehr Einträge als das Modell, sie gehören also nicht zusammen. Laden Sie beide von derselben Stelle herunter.</translation>
  </message>
  <message>
   <source>The tokenizer in {folder} can't be read.</source>
   <translation>Der Tokenizer in {folder} lässt sich nicht lesen.</translation>
  </message>
  <message>
   <source>The unfinished training of this model used other text, other settings or another version of Quire. It was deleted; training starts over.</source>
   <translation>Das unfertige Training dieses Modells hatte einen anderen Text, andere Einstellungen oder eine andere Version von Quire. Es wurde gelöscht; das Training beginnt von vorn.</translation>
  </message>
  <message>
   <source>The untitled text</source>
   <translation>Der Text ohne Titel</translation>
  </message>
  <message>
   <source>The way the model first read this text is unknown, so it is read in the usual way; the continuation may differ from a draft without the pause.</source>
   <translation>Wie das Modell diesen Text anfangs gelesen hat, ist nicht bekannt, darum wird er auf die übliche Weise gelesen; die Fortsetzung kann anders ausfallen als ohne die Pause.</translation>
  </message>
  <message>
   <source>The weights ({name}) are pickle files, which can run programs when opened. Quire reads safetensors only; download that version.</source>
   <translation>Die Gewichte ({name}) sind Pickle-Dateien, die beim Öffnen Programme ausführen können. Quire liest nur safetensors; laden Sie diese Fassung herunter.</translation>
  </message>
  <message>
   <source>The weights ({weights}) are missing. Download the model again.</source>
   <translation>Die Gewichte ({weights}) fehlen. Laden Sie das Modell noch einmal herunter.</translation>
  </message>
  <message>
   <source>The weights are damaged: {name} holds values that aren't numbers. Download the model again.</source>
   <translation>Die Gewichte sind beschädigt: {name} enthält Werte, die keine Zahlen sind. Laden Sie das Modell noch einmal herunter.</translation>
  </message>
  <message>
   <source>The weights are in GGUF. Choose the file itself instead of its folder, and Quire imports it.</source>
   <translation>Die Gewichte sind in GGUF. Wählen Sie statt des Ordners die Datei selbst, dann importiert Quire sie.</translation>
  </message>
  <message>
   <source>The weights are packed ({method}). Import this folder: Quire unpacks them into a new one.</source>
   <translation>Die Gewichte sind gepackt ({method}). Importieren Sie diesen Ordner: Quire entpackt sie in einen neuen.</translation>
  </message>
  <message>
   <source>The weights don't match config.json ({number:,} tensors are missing, superfluous or of another size, such as {name}). Download the model again.</source>
   <translation>Die Gewichte passen nicht zur config.json ({number:,} Tensoren fehlen, sind überzählig oder haben eine andere Größe, etwa {name}). Laden Sie das Modell noch einmal herunter.</translation>
  </message>
  <message>
   <source>The window shows another text than the open one. Copy it, then open the text again.</source>
   <translation>Das Fenster zeigt einen anderen Text als den geöffneten. Kopieren Sie ihn und öffnen Sie den Text dann noch einmal.</translation>
  </message>
  <message>
   <source>The words could not be saved in {path} ({reason}). Choose another folder.</source>
   <translation>Die Wörter konnten nicht in {path} gespeichert werden ({reason}). Wählen Sie einen anderen Ordner.</translation>
  </message>
  <message>
   <source>The writing session of {day}</source>
   <translation>Die Schreibsitzung vom {day}</translation>
  </message>
  <message>
   <source>The {what} {name} is larger than 64 MiB. Choose a shorter text.</source>
   <translation>{name} ist größer als 64 MiB ({what}). Wählen Sie einen kürzeren Text.</translation>
  </message>
  <message>
   <source>The {what} {name} is not UTF-8 text. Save it as UTF-8 and try again.</source>
   <translation>{name} ist kein UTF-8-Text ({what}). Speichern Sie ihn als UTF-8 und versuchen Sie es dann noch einmal.</translation>
  </message>
  <message>
   <source>The {what} {path} can't be read ({reason}). Choose a text file.</source>
   <translation>{path} lässt sich nicht lesen ({what}; {reason}). Wählen Sie eine Textdatei.</translation>
  </message>
  <message>
   <source>The {what} {path} doesn't exist. Check the name.</source>
   <translation>{path} gibt es nicht ({what}). Prüfen Sie den Namen.</translation>
  </message>
  <message>
   <source>There are no backups in {folder}.</source>
   <translation>In {folder} gibt es keine Sicherungen.</translation>
  </message>
  <message>
   <source>There are no backups of this project yet. Back Up Now makes one.</source>
   <translation>Von diesem Projekt gibt es noch keine Sicherung. „Jetzt sichern“ legt eine an.</translation>
  </message>
  <message>
   <source>There are no draft heads in {path} that Quire knows. It reads TokenSwift's checkpoints and Medusa's heads, as safetensors.</source>
   <translation>In {path} sind keine Vorhersageköpfe, die Quire kennt. Es liest Checkpoints von TokenSwift und Köpfe von Medusa, als safetensors.</translation>
  </message>
  <message>
   <source>There are no open comments in this book.</source>
   <translation>In diesem Buch gibt es keine offenen Kommentare.</translation>
  </message>
  <message>
   <source>There are no words here to comment on. Put the cursor in a paragraph.</source>
   <translation>Hier sind keine Wörter, die sich kommentieren lassen. Setzen Sie die Schreibmarke in einen Absatz.</translation>
  </message>
  <message>
   <source>There are other files in {folder}. Choose an empty folder.</source>
   <translation>In {folder} liegen andere Dateien. Wählen Sie einen leeren Ordner.</translation>
  </message>
  <message>
   <source>There is no chapter or scene right before {name} to merge it with. Move it after the one it should continue.</source>
   <translation>Vor {name} steht kein Kapitel und keine Szene zum Zusammenführen. Verschieben Sie es hinter den Text, den es fortsetzen soll.</translation>
  </message>
  <message>
   <source>There is no draft at the end of this text to retry. Put the cursor where it should continue, then choose Redraft From Here.</source>
   <translation>Am Ende dieses Textes gibt es keinen Entwurf, den man noch einmal versuchen könnte. Setzen Sie die Schreibmarke an die gewünschte Stelle und wählen Sie Ab hier neu entwerfen.</translation>
  </message>
  <message>
   <source>There is no draft to redo at the end of this text. All takes are in the Takes panel.</source>
   <translation>Am Ende dieses Textes gibt es keinen Entwurf zum Wiederherstellen. Alle Fassungen stehen im Bereich Fassungen.</translation>
  </message>
  <message>
   <source>There is no good backup of {file} in {folder}. If you have a copy elsewhere, open that.</source>
   <translation>In {folder} gibt es keine gute Sicherung von {file}. Wenn Sie anderswo eine Kopie haben, öffnen Sie diese.</translation>
  </message>
  <message>
   <source>There is no model in {folder}. You can write; choose a model to draft.</source>
   <translation>In {folder} ist kein Modell. Schreiben können Sie; wählen Sie zum Entwerfen ein Modell.</translation>
  </message>
  <message>
   <source>There is no paused draft in RAM, so there is nothing to save.</source>
   <translation>Im Arbeitsspeicher ist kein angehaltener Entwurf, darum gibt es nichts zu speichern.</translation>
  </message>
  <message>
   <source>There is no smaller model to draft ahead with. Choose one for this model first.</source>
   <translation>Es gibt kein kleineres Modell, das vorausschreiben könnte. Wählen Sie zuerst eines für dieses Modell.</translation>
  </message>
  <message>
   <source>There is no text before these words. Select words further on.</source>
   <translation>Vor diesen Wörtern steht kein Text. Markieren Sie Wörter weiter hinten.</translation>
  </message>
  <message>
   <source>There is no text in {file}. Choose another file.</source>
   <translation>In {file} steht kein Text. Wählen Sie eine andere Datei.</translation>
  </message>
  <message>
   <source>There is no text to continue before that point. Choose a point further on.</source>
   <translation>Vor dieser Stelle steht kein Text zum Fortsetzen. Wählen Sie eine Stelle weiter hinten.</translation>
  </message>
  <message>
   <source>There is no text to continue. Write or paste a few sentences first.</source>
   <translation>Es gibt keinen Text zum Fortsetzen. Schreiben Sie erst ein paar Sätze oder fügen Sie welche ein.</translation>
  </message>
  <message>
   <source>There is no text to continue. Write or paste an opening first.</source>
   <translation>Es gibt keinen Text zum Fortsetzen. Schreiben Sie erst einen Anfang oder fügen Sie einen ein.</translation>
  </message>
  <message>
   <source>There is no text to continue. Write or paste an opening first; a few sentences are enough.</source>
   <translation>Es gibt keinen Text zum Fortsetzen. Schreiben Sie erst einen Anfang oder fügen Sie einen ein; ein paar Sätze genügen.</translation>
  </message>
  <message>
   <source>There is no text to learn from. Choose text files, or open a book.</source>
   <translation>Es gibt keinen Text zum Lernen. Wählen Sie Textdateien oder öffnen Sie ein Buch.</translation>
  </message>
  <message>
   <source>There is not enough free disk space: {name} needs {needed:.1f} GB and {free:.1f} GB are free.</source>
   <translation>Der Platz auf dem Datenträger reicht nicht: {name} braucht {needed:.1f} GB, frei sind {free:.1f} GB.</translation>
  </message>
  <message>
   <source>There is not enough free memory for it. Close other programs and choose it later.</source>
   <translation>Dafür ist nicht genug Speicher frei. Schließen Sie andere Programme und wählen Sie es später.</translation>
  </message>
  <message>
   <source>There is nothing to draft in the queue.</source>
   <translation>In der Warteschlange gibt es nichts zu entwerfen.</translation>
  </message>
  <message>
   <source>There is nothing to export. Choose at least one chapter with text.</source>
   <translation>Es gibt nichts zu exportieren. Wählen Sie mindestens ein Kapitel mit Text.</translation>
  </message>
  <message>
   <source>There is nothing to print. Select at least one chapter with text.</source>
   <translation>Es gibt nichts zu drucken. Wählen Sie mindestens ein Kapitel mit Text.</translation>
  </message>
  <message>
   <source>There is nothing to split here: all the text is on one side. Put the cursor where the new text should begin.</source>
   <translation>Hier gibt es nichts zu teilen: Der ganze Text steht auf einer Seite. Setzen Sie die Schreibmarke dorthin, wo der neue Text beginnen soll.</translation>
  </message>
  <message>
   <source>There is nothing to sum up: the synopsis is your own, or the text is empty. Clear the synopsis to have the model write one.</source>
   <translation>Es gibt nichts zusammenzufassen: Der Kurzinhalt ist von Ihnen, oder der Text ist leer. Löschen Sie den Kurzinhalt, damit das Modell einen schreibt.</translation>
  </message>
  <message>
   <source>There isn't enough memory for it as well.</source>
   <translation>Der Speicher reicht nicht auch noch dafür.</translation>
  </message>
  <message>
   <source>There isn't enough memory for this. Your text is safe. Close other programs, or choose a smaller model.</source>
   <translation>Dafür reicht der Speicher nicht. Ihr Text ist sicher. Schließen Sie andere Programme oder wählen Sie ein kleineres Modell.</translation>
  </message>
  <message>
   <source>There isn't enough memory to continue a text of this length, so the draft was paused. Your text is saved. Close other programs, or choose a shorter goal or a smaller model.</source>
   <translation>Für einen Text dieser Länge reicht der Speicher nicht, darum wurde der Entwurf angehalten. Ihr Text ist gespeichert. Schließen Sie andere Programme oder wählen Sie ein kürzeres Ziel oder ein kleineres Modell.</translation>
  </message>
  <message>
   <source>There isn't enough memory to load the model in {folder}. Close other programs, or choose a smaller model.</source>
   <translation>Der Speicher reicht nicht, um das Modell in {folder} zu laden. Schließen Sie andere Programme oder wählen Sie ein kleineres Modell.</translation>
  </message>
  <message>
   <source>These are {name} heads, which Quire can't compute yet. Choose TokenSwift's or Medusa's heads, or let Quire train a draft model for this one.</source>
   <translation>Das sind {name}-Köpfe, die Quire noch nicht berechnen kann. Wählen Sie Köpfe von TokenSwift oder Medusa, oder lassen Sie Quire ein Entwurfsmodell für dieses Modell trainieren.</translation>
  </message>
  <message>
   <source>These heads are for another model of the size of {name}. Choose heads that were made for this very model.</source>
   <translation>Diese Köpfe sind für ein anderes Modell, das so groß ist wie {name}. Wählen Sie Köpfe, die für genau dieses Modell gemacht wurden.</translation>
  </message>
  <message>
   <source>These heads are incomplete or damaged. Download them again.</source>
   <translation>Diese Köpfe sind unvollständig oder beschädigt. Laden Sie sie noch einmal herunter.</translation>
  </message>
  <message>
   <source>These heads don't fit {name} ({what}: {theirs} in the heads, {own} in the model). Choose heads that were made for this very model.</source>
   <translation>Diese Köpfe passen nicht zu {name} ({what}: {theirs} in den Köpfen, {own} im Modell). Wählen Sie Köpfe, die für genau dieses Modell gemacht wurden.</translation>
  </message>
  <message>
   <source>These heads don't fit {name}: they are for a model with another tokenizer. Choose heads that were made for this very model.</source>
   <translation>Diese Köpfe passen nicht zu {name}: Sie sind für ein Modell mit einem anderen Tokenizer. Wählen Sie Köpfe, die für genau dieses Modell gemacht wurden.</translation>
  </message>
  <message>
   <source>These words were changed. Select them again.</source>
   <translation>Diese Wörter wurden geändert. Markieren Sie sie noch einmal.</translation>
  </message>
  <message>
   <source>This GGUF file has a setting that Quire doesn't know ({name}). Choose another model.</source>
   <translation>Diese GGUF-Datei hat eine Einstellung, die Quire nicht kennt ({name}). Wählen Sie ein anderes Modell.</translation>
  </message>
  <message>
   <source>This GGUF file has parts that Quire doesn't know ({name}). Choose another model.</source>
   <translation>Diese GGUF-Datei hat Teile, die Quire nicht kennt ({name}). Wählen Sie ein anderes Modell.</translation>
  </message>
  <message>
   <source>This comment could not be saved: {text}</source>
   <translation>Dieser Kommentar konnte nicht gespeichert werden: {text}</translation>
  </message>
  <message>
   <source>This computer doesn't trust the certificate of {host} ({reason}), so nothing was sent. Give the server a certificate that this computer trusts, or add its issuer to this computer's certificates.</source>
   <translation>Dieser Computer vertraut dem Zertifikat von {host} nicht ({reason}), also wurde nichts gesendet. Geben Sie dem Server ein Zertifikat, dem dieser Computer vertraut, oder fügen Sie dessen Aussteller den Zertifikaten dieses Computers hinzu.</translation>
  </message>
  <message>
   <source>This computer or its software has changed since this draft started, so the continuation may differ. Nothing already written changes.</source>
   <translation>Dieser Computer oder seine Software hat sich seit dem Beginn des Entwurfs geändert, darum kann die Fortsetzung anders ausfallen. Was schon geschrieben ist, bleibt.</translation>
  </message>
  <message>
   <source>This download can't be resumed. Remove it and start again.</source>
   <translation>Dieser Download lässt sich nicht fortsetzen. Entfernen Sie ihn und beginnen Sie noch einmal.</translation>
  </message>
  <message>
   <source>This draft already has {num_words:,} words. Set a higher goal to continue it.</source>
   <translation>Dieser Entwurf hat schon {num_words:,} Wörter. Setzen Sie ein höheres Ziel, um ihn fortzusetzen.</translation>
  </message>
  <message>
   <source>This draft fills {number} chapters. Undo and Retry apply to all of it.</source>
   <translation>Dieser Entwurf füllt {number} Kapitel. „Zurücknehmen“ und „Noch einmal“ gelten für den ganzen Entwurf.</translation>
  </message>
  <message>
   <source>This draft was not written with a model on a server, so it can't be continued there. Start a new draft.</source>
   <translation>Dieser Entwurf wurde nicht mit einem Modell auf einem Server geschrieben, also kann er dort nicht fortgesetzt werden. Beginnen Sie einen neuen.</translation>
  </message>
  <message>
   <source>This draft was started by a newer version of Quire, which handles long texts differently. Use that version, or start a new draft.</source>
   <translation>Diesen Entwurf hat eine neuere Version von Quire begonnen, die mit langen Texten anders umgeht. Verwenden Sie diese Version oder beginnen Sie einen neuen Entwurf.</translation>
  </message>
  <message>
   <source>This folder no longer exists. Choose the folder that contains config.json.</source>
   <translation>Diesen Ordner gibt es nicht mehr. Wählen Sie den Ordner, der config.json enthält.</translation>
  </message>
  <message>
   <source>This is a GGUF file, which is imported before it is used. Add it to the list of models.</source>
   <translation>Das ist eine GGUF-Datei; sie wird vor dem Verwenden importiert. Fügen Sie sie der Liste der Modelle hinzu.</translation>
  </message>
  <message>
   <source>This is a backup of {project}, made {made}, which stays as it is.</source>
   <translation>Dies ist eine Sicherung von {project} vom {made}. Sie bleibt, wie sie ist.</translation>
  </message>
  <message>
   <source>This is a file, not the folder of a model. Choose the folder that contains config.json.</source>
   <translation>Das ist eine Datei, nicht der Ordner eines Modells. Wählen Sie den Ordner, in dem config.json liegt.</translation>
  </message>
  <message>
   <source>This is a sample to try: press Continue and Quire will write with {name}.</source>
   <translation>Ein Beispiel zum Ausprobieren: Drücken Sie Fortsetzen, und Quire schreibt mit {name}.</translation>
  </message>
  <message>
   <source>This is a sample to try: press Continue and Quire will write. The built-in model is small; a larger one writes better.</source>
   <translation>Dies ist ein Beispiel zum Ausprobieren: Drücken Sie Fortsetzen, und Quire schreibt. Das eingebaute Modell ist klein; ein größeres schreibt besser.</translation>
  </message>
  <message>
   <source>This is an adapter for another model. Choose a complete model.</source>
   <translation>Das ist ein Adapter für ein anderes Modell. Wählen Sie ein vollständiges Modell.</translation>
  </message>
  <message>
   <source>This is not a model folder: config.json is missing. Choose the folder that contains it.</source>
   <translation>Das ist kein Modellordner: config.json fehlt. Wählen Sie den Ordner, der sie enthält.</translation>
  </message>
  <message>
   <source>This is not a valid regular expression ({reason}). Correct it, or turn regular expressions off.</source>
   <translation>Das ist kein gültiger regulärer Ausdruck ({reason}). Berichtigen Sie ihn oder schalten Sie reguläre Ausdrücke aus.</translation>
  </message>
  <message>
   <source>This model also reads images. Quire loads its language model only.</source>
   <translation>Dieses Modell liest auch Bilder. Quire lädt nur sein Sprachmodell.</translation>
  </message>
  <message>
   <source>This model doesn't compute correctly in bfloat16 on this computer, so it was loaded in float32. It takes twice the memory and is slower.</source>
   <translation>Dieses Modell rechnet auf diesem Computer in bfloat16 nicht richtig, darum wurde es in float32 geladen. Es braucht doppelt so viel Speicher und ist langsamer.</translation>
  </message>
  <message>
   <source>This model has no chat template. Turn the chat form off instead.</source>
   <translation>Dieses Modell hat keine Chat-Vorlage. Schalten Sie die Chatform aus.</translation>
  </message>
  <message>
   <source>This model has no trained drafters of the kind {kinds}. Prepare the model first (python -m quire_engine prepare), or let Quire choose.</source>
   <translation>Dieses Modell hat keine trainierten Vorhersagen der Art {kinds}. Bereiten Sie es erst vor (python -m quire_engine prepare) oder lassen Sie Quire wählen.</translation>
  </message>
  <message>
   <source>This model uses an unsupported position scaling ({kind}). Choose another model.</source>
   <translation>Dieses Modell skaliert seine Positionen auf eine nicht unterstützte Art ({kind}). Wählen Sie ein anderes.</translation>
  </message>
  <message>
   <source>This model {problem}; Quire doesn't support that yet.</source>
   <translation>Dieses Modell {problem}; das unterstützt Quire noch nicht.</translation>
  </message>
  <message>
   <source>This model's chat template can't be used ({reason}). Turn the chat form off instead.</source>
   <translation>Die Chat-Vorlage dieses Modells kann nicht verwendet werden ({reason}). Schalten Sie die Chatform aus.</translation>
  </message>
  <message>
   <source>This model's context is shorter than {least} tokens, too short for a text. Choose another model.</source>
   <translation>Der Kontext dieses Modells ist kürzer als {least} Token, zu kurz für einen Text. Wählen Sie ein anderes.</translation>
  </message>
  <message>
   <source>This pattern takes too long to search for. Make it simpler; the usual cause is a repetition within a repetition, such as (a+)+.</source>
   <translation>Die Suche nach diesem Muster dauert zu lange. Vereinfachen Sie es; meist liegt es an einer Wiederholung in einer Wiederholung wie (a+)+.</translation>
  </message>
  <message>
   <source>This place is in “{title}”. Open that chapter, then copy again.</source>
   <translation>Diese Stelle steht in „{title}“. Öffnen Sie dieses Kapitel und kopieren Sie sie noch einmal.</translation>
  </message>
  <message>
   <source>This project is damaged</source>
   <translation>Dieses Projekt ist beschädigt</translation>
  </message>
  <message>
   <source>This project was drafted with {name} on a server that is not in your list. Continue will start a new draft with {other}.</source>
   <translation>Dieses Projekt wurde mit {name} auf einem Server entworfen, der nicht in Ihrer Liste ist. Fortsetzen beginnt einen neuen Entwurf mit {other}.</translation>
  </message>
  <message>
   <source>This project was drafted with {name}, so Quire continues with it.</source>
   <translation>An diesem Projekt hat {name} geschrieben, darum macht Quire damit weiter.</translation>
  </message>
  <message>
   <source>This project was drafted with {name}, which is not on this computer. Continue will start a new draft with {other}.</source>
   <translation>An diesem Projekt hat {name} geschrieben, das auf diesem Computer fehlt. Fortsetzen beginnt einen neuen Entwurf mit {other}.</translation>
  </message>
  <message>
   <source>This selection is too long for the model, which can change about {most:,} words at once. Select less.</source>
   <translation>Diese Auswahl ist zu lang für das Modell, das etwa {most:,} Wörter auf einmal ändern kann. Markieren Sie weniger.</translation>
  </message>
  <message>
   <source>This server can't avoid: {words}.</source>
   <translation>Dieser Server kann nicht vermeiden: {words}.</translation>
  </message>
  <message>
   <source>This server doesn't say how likely words are, so it has no alternatives for them. Choose a model on this computer to see them.</source>
   <translation>Dieser Server sagt nicht, wie wahrscheinlich Wörter sind, also hat er keine Alternativen für sie. Wählen Sie ein Modell auf diesem Computer, um sie zu sehen.</translation>
  </message>
  <message>
   <source>This server doesn't say how many tokens a text has.</source>
   <translation>Dieser Server sagt nicht, wie viele Token ein Text hat.</translation>
  </message>
  <message>
   <source>This server doesn't say how much its model reads, so Quire sends the newest {words:,} words or so.</source>
   <translation>Dieser Server sagt nicht, wie viel sein Modell liest, also sendet Quire etwa die neuesten {words:,} Wörter.</translation>
  </message>
  <message>
   <source>This server doesn't take these settings: {names}.</source>
   <translation>Dieser Server nimmt diese Einstellungen nicht an: {names}.</translation>
  </message>
  <message>
   <source>This server only answers chats, so the model is asked to continue the text. It may comment on it.</source>
   <translation>Dieser Server beantwortet nur Chats, also wird das Modell gebeten, den Text fortzusetzen. Vielleicht kommentiert es ihn.</translation>
  </message>
  <message>
   <source>This take belongs to a larger take. Move that one to the trash.</source>
   <translation>Diese Fassung gehört zu einer größeren. Legen Sie diese in den Papierkorb.</translation>
  </message>
  <message>
   <source>This take is in the text. Use another one in its place first.</source>
   <translation>Diese Fassung steht im Text. Setzen Sie erst eine andere ein.</translation>
  </message>
  <message>
   <source>This text doesn't end with a draft, so there is nothing to undo.</source>
   <translation>Dieser Text endet nicht mit einem Entwurf, darum gibt es nichts zurückzunehmen.</translation>
  </message>
  <message>
   <source>This text doesn't end with a draft, so there is nothing to undo. Use Undo for your own changes.</source>
   <translation>Dieser Text endet nicht mit einem Entwurf, darum gibt es nichts zurückzunehmen. Ihre eigenen Änderungen nehmen Sie mit Rückgängig zurück.</translation>
  </message>
  <message>
   <source>This text is being drafted. Pause the draft first.</source>
   <translation>In diesem Text läuft ein Entwurf. Halten Sie ihn erst an.</translation>
  </message>
  <message>
   <source>This text is being drafted. Pause the draft, then try again.</source>
   <translation>In diesem Text läuft ein Entwurf. Halten Sie ihn an und versuchen Sie es dann noch einmal.</translation>
  </message>
  <message>
   <source>This text no longer ends with a draft. Nothing was changed.</source>
   <translation>Dieser Text endet nicht mehr mit einem Entwurf. Es wurde nichts geändert.</translation>
  </message>
  <message>
   <source>This version of Quire handles long texts differently, so this starts a new draft.</source>
   <translation>Diese Version von Quire geht mit langen Texten anders um, darum beginnt ein neuer Entwurf.</translation>
  </message>
  <message>
   <source>This was stopped because a draft started. Ask again when it is paused.</source>
   <translation>Das wurde abgebrochen, weil ein Entwurf begann. Fragen Sie wieder, wenn er angehalten ist.</translation>
  </message>
  <message>
   <source>Together they would have {length:,} characters; the limit is {most:,}. Move some text elsewhere before merging.</source>
   <translation>Zusammen hätten sie {length:,} Zeichen; die Grenze ist {most:,}. Verschieben Sie vor dem Zusammenführen etwas Text.</translation>
  </message>
  <message>
   <source>TokenSwift's heads are for models of the Llama, Mistral and Qwen families; {name} is of another one.</source>
   <translation>Die Köpfe von TokenSwift sind für Modelle der Familien Llama, Mistral und Qwen; {name} gehört zu einer anderen.</translation>
  </message>
  <message>
   <source>Training could not be started ({reason}).</source>
   <translation>Die Vorbereitung konnte nicht gestartet werden ({reason}).</translation>
  </message>
  <message>
   <source>Try again.</source>
   <translation>Versuchen Sie es noch einmal.</translation>
  </message>
  <message>
   <source>Two parts of this file are the same weight.</source>
   <translation>Zwei Teile dieser Datei sind dasselbe Gewicht.</translation>
  </message>
  <message>
   <source>Type a name for the preset.</source>
   <translation>Geben Sie der Voreinstellung einen Namen.</translation>
  </message>
  <message>
   <source>Ventures further: more colour, and the occasional sentence that goes astray.</source>
   <translation>Wagt sich weiter vor: mehr Farbe und hin und wieder ein Satz, der danebengeht.</translation>
  </message>
  <message>
   <source>What a draft model learned, which no draft needs</source>
   <translation>Was ein Entwurfsmodell gelernt hat; kein Entwurf braucht es</translation>
  </message>
  <message>
   <source>With 8-bit numbers it fits: {needed} of {free} free.</source>
   <translation>Mit 8-Bit-Zahlen passt es: {needed} von {free} frei.</translation>
  </message>
  <message>
   <source>Word document</source>
   <translation>Word-Dokument</translation>
  </message>
  <message>
   <source>Words to avoid</source>
   <translation>Zu vermeidende Wörter</translation>
  </message>
  <message>
   <source>You changed Memory, Lorebook or Opening, so this starts a new draft and rereads the text.</source>
   <translation>Sie haben Gedächtnis, Lexikon oder Anfang geändert, darum beginnt ein neuer Entwurf und der Text wird noch einmal gelesen.</translation>
  </message>
  <message>
   <source>You changed a synopsis that the model reads, so this starts a new draft and rereads the text.</source>
   <translation>Sie haben einen Kurzinhalt geändert, den das Modell liest; deshalb beginnt ein neuer Entwurf, und der Text wird neu gelesen.</translation>
  </message>
  <message>
   <source>You changed the author's note, so this starts a new draft.</source>
   <translation>Sie haben die Autorennotiz geändert, deshalb beginnt ein neuer Entwurf.</translation>
  </message>
  <message>
   <source>You changed the model's precision ({then}, now {now}), so this starts a new draft.</source>
   <translation>Sie haben die Rechengenauigkeit geändert ({then}, jetzt {now}), darum beginnt ein neuer Entwurf.</translation>
  </message>
  <message>
   <source>You changed the preset, so this starts a new draft.</source>
   <translation>Sie haben die Voreinstellung geändert, darum beginnt ein neuer Entwurf.</translation>
  </message>
  <message>
   <source>You changed the words to avoid, so this starts a new draft.</source>
   <translation>Sie haben die zu vermeidenden Wörter geändert, darum beginnt ein neuer Entwurf.</translation>
  </message>
  <message>
   <source>You have written the {words:,} words of today's target.</source>
   <translation>Sie haben die {words:,} Wörter Ihres Tagesziels geschrieben.</translation>
  </message>
  <message>
   <source>You shortened the context from {then:,} to {now:,} tokens, so this starts a new draft.</source>
   <translation>Sie haben den Kontext von {then:,} auf {now:,} Token verkürzt, darum beginnt ein neuer Entwurf.</translation>
  </message>
  <message>
   <source>Your own presets could not be read.</source>
   <translation>Ihre eigenen Voreinstellungen konnten nicht gelesen werden.</translation>
  </message>
  <message>
   <source>Your text is saved. Press Continue to try again.</source>
   <translation>Ihr Text ist gespeichert. Versuchen Sie es mit Fortsetzen noch einmal.</translation>
  </message>
  <message>
   <source>Your token doesn't give access to {name}. Ask its makers for access.</source>
   <translation>Ihr Token gibt keinen Zugang zu {name}. Bitten Sie die Hersteller um Zugang.</translation>
  </message>
  <message>
   <source>a backup of another project</source>
   <translation>eine Sicherung eines anderen Projekts</translation>
  </message>
  <message>
   <source>a text in it is not UTF-8</source>
   <translation>ein Text darin ist kein UTF-8</translation>
  </message>
  <message>
   <source>about {minutes} min</source>
   <translation>etwa {minutes} min</translation>
  </message>
  <message>
   <source>about {seconds} s</source>
   <translation>etwa {seconds} s</translation>
  </message>
  <message>
   <source>an entry of its header occurs twice</source>
   <translation>ein Eintrag im Dateikopf kommt zweimal vor</translation>
  </message>
  <message>
   <source>another program here ({host})</source>
   <translation>ein anderes Programm hier ({host})</translation>
  </message>
  <message>
   <source>bfloat16 would halve that.</source>
   <translation>In bfloat16 wäre es die Hälfte.</translation>
  </message>
  <message>
   <source>config.json doesn't describe the language model in this folder. Download this file again.</source>
   <translation>config.json beschreibt nicht das Sprachmodell in diesem Ordner. Laden Sie diese Datei noch einmal herunter.</translation>
  </message>
  <message>
   <source>config.json doesn't name a model type. Download the model again.</source>
   <translation>config.json nennt keine Art von Modell. Laden Sie das Modell noch einmal herunter.</translation>
  </message>
  <message>
   <source>config.json in {path} has an invalid value ({reason}).</source>
   <translation>config.json in {path} enthält einen ungültigen Wert ({reason}).</translation>
  </message>
  <message>
   <source>config.json is invalid: {what}. Download this file again.</source>
   <translation>config.json ist ungültig: {what}. Laden Sie diese Datei noch einmal herunter.</translation>
  </message>
  <message>
   <source>eta</source>
   <translation>Eta</translation>
  </message>
  <message>
   <source>full precision</source>
   <translation>volle Genauigkeit</translation>
  </message>
  <message>
   <source>it can't run here: {reason}</source>
   <translation>sie kann hier nicht laufen: {reason}</translation>
  </message>
  <message>
   <source>it compresses keys and values (multi-head latent attention)</source>
   <translation>es komprimiert Keys und Values (Multi-Head Latent Attention)</translation>
  </message>
  <message>
   <source>it contains a file that points outside of it</source>
   <translation>sie enthält eine Datei, die aus ihr hinausführt</translation>
  </message>
  <message>
   <source>it contains a link instead of a file</source>
   <translation>sie enthält eine Verknüpfung statt einer Datei</translation>
  </message>
  <message>
   <source>it contains more than {most:,} files</source>
   <translation>sie enthält mehr als {most:,} Dateien</translation>
  </message>
  <message>
   <source>it contains two files of the same name</source>
   <translation>sie enthält zwei Dateien gleichen Namens</translation>
  </message>
  <message>
   <source>it defines entities, which could read other files</source>
   <translation>sie definiert Entitäten, die andere Dateien lesen könnten</translation>
  </message>
  <message>
   <source>it doesn't accept a request and the beginning of an answer</source>
   <translation>sie nimmt keine Anfrage mit dem Anfang einer Antwort an</translation>
  </message>
  <message>
   <source>it has an encoder</source>
   <translation>es hat einen Encoder</translation>
  </message>
  <message>
   <source>it has layers with linear attention</source>
   <translation>es hat Schichten mit linearer Aufmerksamkeit</translation>
  </message>
  <message>
   <source>it has layers without attention</source>
   <translation>es hat Schichten ohne Aufmerksamkeit</translation>
  </message>
  <message>
   <source>it has recurrent layers</source>
   <translation>es hat rekurrente Schichten</translation>
  </message>
  <message>
   <source>it is damaged or of another type</source>
   <translation>sie ist beschädigt oder von anderer Art</translation>
  </message>
  <message>
   <source>it is longer than its header says</source>
   <translation>sie ist länger, als der Dateikopf angibt</translation>
  </message>
  <message>
   <source>it is password-protected</source>
   <translation>sie ist mit einem Kennwort geschützt</translation>
  </message>
  <message>
   <source>it is truncated</source>
   <translation>sie ist abgeschnitten</translation>
  </message>
  <message>
   <source>it is truncated or not a safetensors file</source>
   <translation>sie ist abgeschnitten oder keine safetensors-Datei</translation>
  </message>
  <message>
   <source>it is truncated, or its header is too long</source>
   <translation>sie ist abgeschnitten, oder der Dateikopf ist zu lang</translation>
  </message>
  <message>
   <source>it mixes attention with Mamba layers</source>
   <translation>es mischt Aufmerksamkeit mit Mamba-Schichten</translation>
  </message>
  <message>
   <source>it mixes attention with convolutions</source>
   <translation>es mischt Aufmerksamkeit mit Faltungen</translation>
  </message>
  <message>
   <source>it mixes attention with linear attention</source>
   <translation>es mischt gewöhnliche mit linearer Aufmerksamkeit</translation>
  </message>
  <message>
   <source>it needs its own program code, which Quire never runs</source>
   <translation>es braucht eigenen Programmcode, den Quire nie ausführt</translation>
  </message>
  <message>
   <source>it reads images as well as text</source>
   <translation>es liest Bilder und Text</translation>
  </message>
  <message>
   <source>it takes audio as well as text</source>
   <translation>es verarbeitet außer Text auch Ton</translation>
  </message>
  <message>
   <source>it takes too long</source>
   <translation>sie braucht zu lange</translation>
  </message>
  <message>
   <source>it takes too long or too much memory</source>
   <translation>sie braucht zu lange oder zu viel Speicher</translation>
  </message>
  <message>
   <source>it unpacks to far more than it claims</source>
   <translation>sie entpackt sich zu weit mehr, als sie angibt</translation>
  </message>
  <message>
   <source>it unpacks to more text than any book has</source>
   <translation>sie entpackt sich zu mehr Text, als ein Buch hat</translation>
  </message>
  <message>
   <source>it uses an unsupported compression</source>
   <translation>sie ist auf ungewöhnliche Weise komprimiert</translation>
  </message>
  <message>
   <source>its contents are larger than those of any book</source>
   <translation>ihr Inhalt ist größer als der irgendeines Buchs</translation>
  </message>
  <message>
   <source>its embedding is missing</source>
   <translation>die Einbettungen fehlen</translation>
  </message>
  <message>
   <source>its header is implausibly long</source>
   <translation>der Dateikopf ist unglaubwürdig lang</translation>
  </message>
  <message>
   <source>its header is invalid</source>
   <translation>der Dateikopf ist ungültig</translation>
  </message>
  <message>
   <source>its header is invalid for {name}</source>
   <translation>der Dateikopf ist bei {name} ungültig</translation>
  </message>
  <message>
   <source>its layers are Mamba layers, which have no attention</source>
   <translation>seine Schichten sind Mamba-Schichten ohne Aufmerksamkeit</translation>
  </message>
  <message>
   <source>its layers are RWKV layers, which have no attention</source>
   <translation>seine Schichten sind RWKV-Schichten ohne Aufmerksamkeit</translation>
  </message>
  <message>
   <source>its layers read the text in separate chunks</source>
   <translation>seine Schichten lesen den Text in getrennten Stücken</translation>
  </message>
  <message>
   <source>its metadata is invalid</source>
   <translation>die Metadaten sind ungültig</translation>
  </message>
  <message>
   <source>its name is invalid</source>
   <translation>der Dateiname ist ungültig</translation>
  </message>
  <message>
   <source>its shared expert is missing</source>
   <translation>ihr gemeinsamer Experte fehlt</translation>
  </message>
  <message>
   <source>its tensors overlap or leave gaps</source>
   <translation>die Tensoren überlappen sich oder lassen Lücken</translation>
  </message>
  <message>
   <source>its text has an unsupported encoding</source>
   <translation>ihr Text hat eine nicht unterstützte Kodierung</translation>
  </message>
  <message>
   <source>its text is damaged</source>
   <translation>ihr Text ist beschädigt</translation>
  </message>
  <message>
   <source>its thread ended</source>
   <translation>ihr Thread endete</translation>
  </message>
  <message>
   <source>its tokenizer is incomplete</source>
   <translation>der Tokenizer ist unvollständig</translation>
  </message>
  <message>
   <source>min-p</source>
   <translation>Min-p</translation>
  </message>
  <message>
   <source>mixes attention with Mamba layers</source>
   <translation>mischt Aufmerksamkeit mit Mamba-Schichten</translation>
  </message>
  <message>
   <source>mixes attention with Mamba layers or linear attention</source>
   <translation>mischt Aufmerksamkeit mit Mamba-Schichten oder linearer Aufmerksamkeit</translation>
  </message>
  <message>
   <source>mixes attention with convolutions</source>
   <translation>mischt Aufmerksamkeit mit Faltungen</translation>
  </message>
  <message>
   <source>reads in both directions and isn't made for writing</source>
   <translation>liest in beide Richtungen und ist nicht zum Schreiben gemacht</translation>
  </message>
  <message>
   <source>reads the text in separate chunks</source>
   <translation>liest den Text in getrennten Stücken</translation>
  </message>
  <message>
   <source>repetition penalty</source>
   <translation>Wiederholungsstrafe</translation>
  </message>
  <message>
   <source>some of its layers only process images</source>
   <translation>einige seiner Schichten verarbeiten nur Bilder</translation>
  </message>
  <message>
   <source>stronger against repetition</source>
   <translation>stärker gegen Wiederholung</translation>
  </message>
  <message>
   <source>the offset or size of {name} is invalid</source>
   <translation>Ort oder Größe von {name} ist ungültig</translation>
  </message>
  <message>
   <source>the size of its rotary embedding is invalid</source>
   <translation>die Größe der Rotary-Einbettung ist ungültig</translation>
  </message>
  <message>
   <source>tokenizer.json in {folder} is damaged ({reason}).</source>
   <translation>tokenizer.json in {folder} ist beschädigt ({reason}).</translation>
  </message>
  <message>
   <source>tokenizer.json is damaged: it has no vocabulary. Download this file again.</source>
   <translation>tokenizer.json ist beschädigt: Sie hat kein Vokabular. Laden Sie diese Datei noch einmal herunter.</translation>
  </message>
  <message>
   <source>tokenizer.json is missing. Download it together with the weights.</source>
   <translation>tokenizer.json fehlt. Laden Sie sie zusammen mit den Gewichten herunter.</translation>
  </message>
  <message>
   <source>tokenizer.json is missing. There is a tokenizer.model, but Quire can't read that. Download a version with tokenizer.json.</source>
   <translation>tokenizer.json fehlt. Es gibt eine tokenizer.model, aber die kann Quire nicht lesen. Laden Sie eine Fassung mit tokenizer.json herunter.</translation>
  </message>
  <message>
   <source>top-k</source>
   <translation>Top-k</translation>
  </message>
  <message>
   <source>two of its parts have the same weights</source>
   <translation>zwei ihrer Teile enthalten dieselben Gewichte</translation>
  </message>
  <message>
   <source>under a second</source>
   <translation>unter einer Sekunde</translation>
  </message>
  <message>
   <source>uses a special kind of attention</source>
   <translation>verwendet eine besondere Art von Aufmerksamkeit</translation>
  </message>
  <message>
   <source>uses sliding-window attention without a window size</source>
   <translation>verwendet gleitende Aufmerksamkeit ohne Fenstergröße</translation>
  </message>
  <message>
   <source>uses “longrope” positions</source>
   <translation>verwendet Positionen nach „longrope“</translation>
  </message>
  <message>
   <source>words to avoid</source>
   <translation>Wörter, die vermieden werden</translation>
  </message>
  <message>
   <source>{backup} is a backup of another project, “{other}” ({file} is “{title}”). Nothing was restored. Choose another backup, or add --other-project to restore it all the same.</source>
   <translation>{backup} ist die Sicherung eines anderen Projekts, „{other}“ ({file} ist „{title}“). Es wurde nichts wiederhergestellt. Wählen Sie eine andere Sicherung, oder fügen Sie --other-project hinzu, um sie trotzdem wiederherzustellen.</translation>
  </message>
  <message>
   <source>{done:,} of {goal:,} words</source>
   <translation>{done:,} von {goal:,} Wörtern</translation>
  </message>
  <message>
   <source>{echoes:.0%} of the last 2,000 words repeat nearby text.</source>
   <translation>{echoes:.0%} der letzten 2.000 Wörter wiederholen Text aus der Nähe.</translation>
  </message>
  <message>
   <source>{file} already exists. Choose another name; nothing was changed.</source>
   <translation>{file} gibt es schon. Wählen Sie einen anderen Namen; es wurde nichts geändert.</translation>
  </message>
  <message>
   <source>{file} arrived twice with a wrong checksum and was discarded. Try again later; if it keeps happening, something on the network alters downloads.</source>
   <translation>{file} kam zweimal mit falscher Prüfsumme an und wurde verworfen. Versuchen Sie es später noch einmal; wenn es so bleibt, verändert etwas im Netz die Downloads.</translation>
  </message>
  <message>
   <source>{file} belongs to another tokenizer and is not used.</source>
   <translation>{file} gehört zu einem anderen Tokenizer und wird nicht verwendet.</translation>
  </message>
  <message>
   <source>{file} can't be found. Connect its drive, or open the project from where it is now.</source>
   <translation>{file} ist nicht zu finden. Schließen Sie das Laufwerk an oder öffnen Sie das Projekt dort, wo es jetzt liegt.</translation>
  </message>
  <message>
   <source>{file} can't be read ({kind}): {problem}. Save it again in the program that made it.</source>
   <translation>{file} lässt sich nicht lesen ({kind}): {problem}. Speichern Sie die Datei noch einmal in dem Programm, aus dem sie kommt.</translation>
  </message>
  <message>
   <source>{file} can't be read ({reason}).</source>
   <translation>{file} lässt sich nicht lesen ({reason}).</translation>
  </message>
  <message>
   <source>{file} can't be read ({reason}). Choose another file.</source>
   <translation>{file} lässt sich nicht lesen ({reason}). Wählen Sie eine andere Datei.</translation>
  </message>
  <message>
   <source>{file} can't be read in this encoding. Choose another one.</source>
   <translation>{file} kann in dieser Kodierung nicht gelesen werden. Wählen Sie eine andere.</translation>
  </message>
  <message>
   <source>{file} can't be read. Save it again in the program that made it, or as plain text.</source>
   <translation>{file} lässt sich nicht lesen. Speichern Sie die Datei noch einmal in dem Programm, aus dem sie kommt, oder als reinen Text.</translation>
  </message>
  <message>
   <source>{file} can't be saved: the file or its folder {folder} is read-only. Allow writing there, or copy the project to another folder.</source>
   <translation>{file} lässt sich nicht speichern: Die Datei oder ihr Ordner {folder} ist schreibgeschützt. Erlauben Sie dort das Schreiben oder kopieren Sie das Projekt in einen anderen Ordner.</translation>
  </message>
  <message>
   <source>{file} changed while it was read. Choose the model again.</source>
   <translation>{file} hat sich geändert, während die Datei gelesen wurde. Wählen Sie das Modell noch einmal.</translation>
  </message>
  <message>
   <source>{file} contains no presets. Choose another file.</source>
   <translation>{file} enthält keine Voreinstellungen. Wählen Sie eine andere Datei.</translation>
  </message>
  <message>
   <source>{file} contains no words. Choose a file with one word per line.</source>
   <translation>{file} enthält keine Wörter. Wählen Sie eine Datei mit einem Wort pro Zeile.</translation>
  </message>
  <message>
   <source>{file} could not be imported.</source>
   <translation>{file} konnte nicht importiert werden.</translation>
  </message>
  <message>
   <source>{file} could not be opened. Check that you have access to its folder {folder}.</source>
   <translation>{file} konnte nicht geöffnet werden. Prüfen Sie, ob Sie Zugriff auf den Ordner {folder} haben.</translation>
  </message>
  <message>
   <source>{file} could not be saved in {folder} ({reason}). Close it in other programs, free some space, or choose another folder.</source>
   <translation>{file} konnte nicht in {folder} gespeichert werden ({reason}). Schließen Sie die Datei in anderen Programmen, schaffen Sie Platz oder wählen Sie einen anderen Ordner.</translation>
  </message>
  <message>
   <source>{file} could not be used ({reason}). Check its folder {folder}.</source>
   <translation>{file} konnte nicht verwendet werden ({reason}). Prüfen Sie den Ordner {folder}.</translation>
  </message>
  <message>
   <source>{file} has a paragraph of more than {most:,} characters. Break it into several and try again.</source>
   <translation>{file} hat einen Absatz mit mehr als {most:,} Zeichen. Teilen Sie ihn in mehrere und versuchen Sie es noch einmal.</translation>
  </message>
  <message>
   <source>{file} has a second name (a hard link), under which another program could change it. To work on it, delete the other name or copy the file.</source>
   <translation>{file} hat einen zweiten Namen (einen Hardlink), unter dem ein anderes Programm die Datei ändern könnte. Um daran zu arbeiten, löschen Sie den anderen Namen oder kopieren Sie die Datei.</translation>
  </message>
  <message>
   <source>{file} has changed since this model was imported. Import it again.</source>
   <translation>{file} hat sich geändert, seit dieses Modell importiert wurde. Importieren Sie die Datei noch einmal.</translation>
  </message>
  <message>
   <source>{file} has more than {most:,} chapters and scenes. Import it in several parts.</source>
   <translation>{file} hat mehr als {most:,} Kapitel und Szenen. Importieren Sie die Datei in mehreren Teilen.</translation>
  </message>
  <message>
   <source>{file} has version {version} of the GGUF format; Quire reads versions 2 and 3.</source>
   <translation>{file} hat Version {version} des GGUF-Formats; Quire liest die Versionen 2 und 3.</translation>
  </message>
  <message>
   <source>{file} holds no weights. Choose the model's own file.</source>
   <translation>{file} enthält keine Gewichte. Wählen Sie die Datei des Modells selbst.</translation>
  </message>
  <message>
   <source>{file} is a project. Choose another name for the run data.</source>
   <translation>{file} ist ein Projekt. Wählen Sie einen anderen Namen für die Laufdaten.</translation>
  </message>
  <message>
   <source>{file} is a project. Choose another name for the table.</source>
   <translation>{file} ist ein Projekt. Wählen Sie einen anderen Namen für die Tabelle.</translation>
  </message>
  <message>
   <source>{file} is already open in another Quire, since {since}. Close it there first.</source>
   <translation>{file} ist seit {since} in einem anderen Quire geöffnet. Schließen Sie es dort zuerst.</translation>
  </message>
  <message>
   <source>{file} is already open in another Quire. Close it there first.</source>
   <translation>{file} ist bereits in einem anderen Quire geöffnet. Schließen Sie es dort zuerst.</translation>
  </message>
  <message>
   <source>{file} is already open on {computer}, since {since}. Close it there first.</source>
   <translation>{file} ist seit {since} auf {computer} geöffnet. Schließen Sie es dort zuerst.</translation>
  </message>
  <message>
   <source>{file} is damaged ({what}). It was not changed; restore the project from a backup.</source>
   <translation>{file} ist beschädigt ({what}). Die Datei wurde nicht verändert; stellen Sie das Projekt aus einer Sicherung wieder her.</translation>
  </message>
  <message>
   <source>{file} is damaged and is not used.</source>
   <translation>{file} ist beschädigt und wird nicht verwendet.</translation>
  </message>
  <message>
   <source>{file} is damaged: {what}. Download it again.</source>
   <translation>{file} ist beschädigt: {what}. Laden Sie die Datei noch einmal herunter.</translation>
  </message>
  <message>
   <source>{file} is damaged: {what}. Download this file again.</source>
   <translation>{file} ist beschädigt: {what}. Laden Sie diese Datei noch einmal herunter.</translation>
  </message>
  <message>
   <source>{file} is implausibly large, so it was not opened.</source>
   <translation>{file} ist unglaubwürdig groß und wurde nicht geöffnet.</translation>
  </message>
  <message>
   <source>{file} is in no encoding that Quire knows. Save it as UTF-8 and try again.</source>
   <translation>{file} hat eine Kodierung, die Quire nicht kennt. Speichern Sie die Datei als UTF-8 und versuchen Sie es noch einmal.</translation>
  </message>
  <message>
   <source>{file} is in use by another program, perhaps a backup. Wait for it or close it, then try again; everything saved before is safe.</source>
   <translation>{file} wird von einem anderen Programm benutzt, vielleicht einer Sicherung. Warten Sie darauf oder schließen Sie es und versuchen Sie es dann noch einmal; alles früher Gespeicherte ist sicher.</translation>
  </message>
  <message>
   <source>{file} is larger than 64 MiB. Split the book into several files and import them one by one.</source>
   <translation>{file} ist größer als 64 MiB. Teilen Sie das Buch auf mehrere Dateien auf und importieren Sie diese einzeln.</translation>
  </message>
  <message>
   <source>{file} is missing. Download the whole model again.</source>
   <translation>{file} fehlt. Laden Sie das ganze Modell noch einmal herunter.</translation>
  </message>
  <message>
   <source>{file} is missing. Put all {number} files of the model into one folder.</source>
   <translation>{file} fehlt. Legen Sie alle {number} Dateien des Modells in einen Ordner.</translation>
  </message>
  <message>
   <source>{file} is no longer in {folder}, where it was when this model was imported. Put it back, or import it again from where it is now.</source>
   <translation>{file} liegt nicht mehr in {folder}, wo die Datei beim Import dieses Modells war. Legen Sie sie zurück oder importieren Sie sie noch einmal von dort, wo sie jetzt liegt.</translation>
  </message>
  <message>
   <source>{file} is not UTF-8 text. Save it as UTF-8, or choose another file.</source>
   <translation>{file} ist kein UTF-8-Text. Speichern Sie die Datei als UTF-8 oder wählen Sie eine andere.</translation>
  </message>
  <message>
   <source>{file} is not a GGUF file.</source>
   <translation>{file} ist keine GGUF-Datei.</translation>
  </message>
  <message>
   <source>{file} is not a Quire project. Choose another file.</source>
   <translation>{file} ist kein Quire-Projekt. Wählen Sie eine andere Datei.</translation>
  </message>
  <message>
   <source>{file} is not a valid file of the type “{kind}”. Choose another file.</source>
   <translation>{file} ist keine gültige Datei vom Typ „{kind}“. Wählen Sie eine andere Datei.</translation>
  </message>
  <message>
   <source>{file} is one of {number} files of a model. Put all of them into one folder, under the names that they were downloaded with.</source>
   <translation>{file} ist eine von {number} Dateien eines Modells. Legen Sie alle in einen Ordner, unter den Namen, mit denen sie heruntergeladen wurden.</translation>
  </message>
  <message>
   <source>{file} is the name of a project. Choose another name for the exported book.</source>
   <translation>{file} ist der Name eines Projekts. Wählen Sie einen anderen Namen für das exportierte Buch.</translation>
  </message>
  <message>
   <source>{file} is too large for a dictionary. Choose another one.</source>
   <translation>{file} ist zu groß für ein Wörterbuch. Wählen Sie ein anderes.</translation>
  </message>
  <message>
   <source>{file} is too large for a word list. Choose another file.</source>
   <translation>{file} ist zu groß für eine Wortliste. Wählen Sie eine andere Datei.</translation>
  </message>
  <message>
   <source>{file} no longer exists. Choose it again.</source>
   <translation>{file} gibt es nicht mehr. Wählen Sie die Datei noch einmal.</translation>
  </message>
  <message>
   <source>{file} stores weights in a way that Quire doesn't know (type {number}). Choose another quantisation, such as Q4_K_M or Q8_0.</source>
   <translation>{file} speichert Gewichte auf eine Weise, die Quire nicht kennt (Typ {number}). Wählen Sie eine andere Quantisierung, etwa Q4_K_M oder Q8_0.</translation>
  </message>
  <message>
   <source>{file} takes too much time or memory to read. Save it as plain text and import that.</source>
   <translation>{file} zu lesen braucht zu viel Zeit oder Speicher. Speichern Sie den Text als reinen Text und importieren Sie diesen.</translation>
  </message>
  <message>
   <source>{file} takes too much time or memory to read. Split it into several files and import them one by one.</source>
   <translation>{file} zu lesen braucht zu viel Zeit oder Speicher. Teilen Sie die Datei auf mehrere auf und importieren Sie diese nacheinander.</translation>
  </message>
  <message>
   <source>{file} was cut short or overwritten by another program while it was open. Save the project under another name.</source>
   <translation>{file} wurde von einem anderen Programm gekürzt oder überschrieben, während die Datei geöffnet war. Speichern Sie das Projekt unter einem anderen Namen.</translation>
  </message>
  <message>
   <source>{file} was given a second name (a hard link) while it was open. Delete that name, then try again, or save the project under another name.</source>
   <translation>{file} bekam einen zweiten Namen (einen Hardlink), während die Datei geöffnet war. Löschen Sie diesen Namen und versuchen Sie es dann noch einmal, oder speichern Sie das Projekt unter einem anderen Namen.</translation>
  </message>
  <message>
   <source>{file} was made by a newer version of Quire (format {version}; this version uses {supported}). Update Quire to open it; the file was not changed.</source>
   <translation>{file} stammt aus einer neueren Version von Quire (Format {version}; diese Version verwendet {supported}). Aktualisieren Sie Quire, um die Datei zu öffnen; sie wurde nicht verändert.</translation>
  </message>
  <message>
   <source>{file} was made by a newer version of Quire and is not used.</source>
   <translation>{file} stammt aus einer neueren Version von Quire und wird nicht verwendet.</translation>
  </message>
  <message>
   <source>{file} was moved, replaced or deleted while it was open. Put it back in {folder}, then try again, or save the project under another name.</source>
   <translation>{file} wurde verschoben, ersetzt oder gelöscht, während die Datei geöffnet war. Legen Sie sie zurück in {folder} und versuchen Sie es dann noch einmal, oder speichern Sie das Projekt unter einem anderen Namen.</translation>
  </message>
  <message>
   <source>{file} was not added. {problem}</source>
   <translation>{file} wurde nicht hinzugefügt. {problem}</translation>
  </message>
  <message>
   <source>{file} was not backed up; the project itself is safe.</source>
   <translation>{file} wurde nicht gesichert; das Projekt selbst ist sicher.</translation>
  </message>
  <message>
   <source>{file} was not made by Quire. Rename it, then try again.</source>
   <translation>{file} stammt nicht von Quire. Benennen Sie die Datei um und versuchen Sie es dann noch einmal.</translation>
  </message>
  <message>
   <source>{file} was not restored; the backup is unchanged.</source>
   <translation>{file} wurde nicht wiederhergestellt; die Sicherung ist unverändert.</translation>
  </message>
  <message>
   <source>{file} was opened read-only.</source>
   <translation>{file} wurde schreibgeschützt geöffnet.</translation>
  </message>
  <message>
   <source>{file} was renamed without its log, {log}, which holds the last words that were saved. To have them back, rename {log} to {file}-wal; to do without them, move it to another folder.</source>
   <translation>{file} wurde ohne das zugehörige Protokoll {log} umbenannt, in dem die zuletzt gespeicherten Wörter stehen. Um sie zurückzubekommen, benennen Sie {log} in {file}-wal um; um darauf zu verzichten, verschieben Sie es in einen anderen Ordner.</translation>
  </message>
  <message>
   <source>{first}; and {number:,} more</source>
   <translation>{first}; und {number:,} weitere</translation>
  </message>
  <message>
   <source>{host} doesn't accept the key. Enter the key that the server was started with.</source>
   <translation>{host} nimmt den Schlüssel nicht an. Geben Sie den Schlüssel ein, mit dem der Server gestartet wurde.</translation>
  </message>
  <message>
   <source>{host} doesn't answer as a language model's server does. Check the address and the port; it usually ends with /v1.</source>
   <translation>{host} antwortet nicht wie der Server eines Sprachmodells. Prüfen Sie Adresse und Port; meist endet sie mit /v1.</translation>
  </message>
  <message>
   <source>{host} doesn't answer. Check that the server is running and not busy with something else.</source>
   <translation>{host} antwortet nicht. Prüfen Sie, ob der Server läuft und nicht mit anderem beschäftigt ist.</translation>
  </message>
  <message>
   <source>{host} ended the connection in the middle of the text. Check that the server is still running.</source>
   <translation>{host} hat die Verbindung mitten im Text beendet. Prüfen Sie, ob der Server noch läuft.</translation>
  </message>
  <message>
   <source>{host} has no model called {model}. It has: {models}.</source>
   <translation>{host} hat kein Modell namens {model}. Er hat: {models}.</translation>
  </message>
  <message>
   <source>{host} has several models. Choose one of them: {models}.</source>
   <translation>{host} hat mehrere Modelle. Wählen Sie eines davon: {models}.</translation>
  </message>
  <message>
   <source>{host} is busy or still loading its model ({reason}). Try again in a while.</source>
   <translation>{host} ist beschäftigt oder lädt noch sein Modell ({reason}). Versuchen Sie es später noch einmal.</translation>
  </message>
  <message>
   <source>{host} reports a problem: {reason}.</source>
   <translation>{host} meldet ein Problem: {reason}.</translation>
  </message>
  <message>
   <source>{host} sends Quire on to {target}. Quire doesn't follow, so neither your text nor the key went there. Enter the address of the server itself.</source>
   <translation>{host} verweist Quire an {target}. Quire folgt nicht, also gingen weder Ihr Text noch der Schlüssel dorthin. Geben Sie die Adresse des Servers selbst ein.</translation>
  </message>
  <message>
   <source>{host} sends data without end that is no text. Check that the address is that of a language model's server.</source>
   <translation>{host} sendet endlos Daten, die kein Text sind. Prüfen Sie, ob die Adresse die eines Sprachmodell-Servers ist.</translation>
  </message>
  <message>
   <source>{index} is damaged: it lists no weights. Download this file again.</source>
   <translation>{index} ist beschädigt: Die Datei nennt keine Gewichte. Laden Sie sie noch einmal herunter.</translation>
  </message>
  <message>
   <source>{index} lists implausibly many files.</source>
   <translation>{index} nennt unglaubwürdig viele Dateien.</translation>
  </message>
  <message>
   <source>{index} names a file outside the folder ({name}), so nothing was opened.</source>
   <translation>{index} nennt eine Datei außerhalb des Ordners ({name}), darum wurde nichts geöffnet.</translation>
  </message>
  <message>
   <source>{key} is missing or invalid</source>
   <translation>{key} fehlt oder ist ungültig</translation>
  </message>
  <message>
   <source>{missing:,} bytes are missing at the end</source>
   <translation>am Ende fehlen {missing:,} Byte</translation>
  </message>
  <message>
   <source>{name} ({size}) was saved next to the project. The next Continue uses it instead of rereading the text, then deletes it.</source>
   <translation>{name} ({size}) liegt neben dem Projekt. Das nächste Fortsetzen benutzt diese Datei, statt den Text noch einmal zu lesen, und löscht sie dann.</translation>
  </message>
  <message>
   <source>{name} can only be downloaded after you accept its licence. Accept it at https://huggingface.co/{name} and use a token of the same account ({page}).</source>
   <translation>{name} können Sie erst herunterladen, wenn Sie die Lizenz annehmen. Nehmen Sie sie auf https://huggingface.co/{name} an und verwenden Sie ein Token desselben Kontos ({page}).</translation>
  </message>
  <message>
   <source>{name} can't be moved there.</source>
   <translation>{name} lässt sich nicht dorthin verschieben.</translation>
  </message>
  <message>
   <source>{name} comes with Quire and can't be changed. Choose another name.</source>
   <translation>{name} gehört zu Quire und lässt sich nicht ändern. Wählen Sie einen anderen Namen.</translation>
  </message>
  <message>
   <source>{name} contains the only text of the book. Add a chapter first, then move it to the trash.</source>
   <translation>{name} enthält den einzigen Text des Buchs. Legen Sie erst ein Kapitel an, dann kann es in den Papierkorb.</translation>
  </message>
  <message>
   <source>{name} could not be deleted ({reason}). Close the programs that use it.</source>
   <translation>{name} konnte nicht gelöscht werden ({reason}). Schließen Sie die Programme, die es benutzen.</translation>
  </message>
  <message>
   <source>{name} could not be set up. {problem} Quire writes with its built-in model.</source>
   <translation>{name} konnte nicht eingerichtet werden. {problem} Quire schreibt mit seinem eingebauten Modell.</translation>
  </message>
  <message>
   <source>{name} could not be sped up. {reason}</source>
   <translation>{name} konnte nicht beschleunigt werden. {reason}</translation>
  </message>
  <message>
   <source>{name} does not belong to Quire, so it was not removed.</source>
   <translation>{name} gehört nicht zu Quire und wurde darum nicht entfernt.</translation>
  </message>
  <message>
   <source>{name} has no GGUF file called {wanted}. It has: {labels}.</source>
   <translation>{name} hat keine GGUF-Datei namens {wanted}. Es gibt: {labels}.</translation>
  </message>
  <message>
   <source>{name} has no weights in safetensors. Choose another model.</source>
   <translation>{name} hat keine Gewichte in safetensors. Wählen Sie ein anderes Modell.</translation>
  </message>
  <message>
   <source>{name} has no {file}, so Quire can't use it. Choose another version of the model.</source>
   <translation>{name} hat keine {file}, darum kann Quire es nicht verwenden. Wählen Sie eine andere Fassung des Modells.</translation>
  </message>
  <message>
   <source>{name} is a link to a file outside the folder, so it was not opened. Copy the file into the folder.</source>
   <translation>{name} ist eine Verknüpfung aus dem Ordner hinaus und wurde nicht geöffnet. Kopieren Sie die Datei in den Ordner.</translation>
  </message>
  <message>
   <source>{name} is damaged: it is not valid JSON. Download the model again.</source>
   <translation>{name} ist beschädigt: Es ist kein gültiges JSON. Laden Sie das Modell noch einmal herunter.</translation>
  </message>
  <message>
   <source>{name} is in the trash. Restore it first.</source>
   <translation>{name} liegt im Papierkorb. Stellen Sie es erst wieder her.</translation>
  </message>
  <message>
   <source>{name} is in the weights twice. Download the model again.</source>
   <translation>{name} steht zweimal in den Gewichten. Laden Sie das Modell noch einmal herunter.</translation>
  </message>
  <message>
   <source>{name} is in two weight files. Download the model again.</source>
   <translation>{name} steht in zwei Gewichtsdateien. Laden Sie das Modell noch einmal herunter.</translation>
  </message>
  <message>
   <source>{name} is no longer on this computer. You can write; choose a model to draft.</source>
   <translation>{name} ist nicht mehr auf diesem Computer. Sie können schreiben; wählen Sie ein Modell, um zu entwerfen.</translation>
  </message>
  <message>
   <source>{name} is not a regular file, so it was not opened. Download the model again.</source>
   <translation>{name} ist keine gewöhnliche Datei und wurde nicht geöffnet. Laden Sie das Modell noch einmal herunter.</translation>
  </message>
  <message>
   <source>{name} is not a valid Hunspell dictionary. Choose another one.</source>
   <translation>{name} ist kein gültiges Hunspell-Wörterbuch. Wählen Sie ein anderes.</translation>
  </message>
  <message>
   <source>{name} only has pickle files, which can run programs when opened. Quire reads safetensors only; look for a version in that format.</source>
   <translation>{name} hat nur Pickle-Dateien, die beim Öffnen Programme ausführen können. Quire liest nur safetensors; suchen Sie eine Fassung in diesem Format.</translation>
  </message>
  <message>
   <source>{name} was exported to {path}.</source>
   <translation>{name} wurde nach {path} exportiert.</translation>
  </message>
  <message>
   <source>{name} was imported as {made}. The file itself is unchanged.</source>
   <translation>{name} wurde importiert ({made}). Die Datei selbst ist unverändert.</translation>
  </message>
  <message>
   <source>{name} {what}. Download the whole model again.</source>
   <translation>{name} {what}. Laden Sie das ganze Modell noch einmal herunter.</translation>
  </message>
  <message>
   <source>{name}, set up with the first draft</source>
   <translation>{name}, eingerichtet mit dem ersten Entwurf</translation>
  </message>
  <message>
   <source>{name}, {bits} bits</source>
   <translation>{name}, {bits} Bit</translation>
  </message>
  <message>
   <source>{num_due} drafts are left.</source>
   <translation>{num_due} Entwürfe stehen noch aus.</translation>
  </message>
  <message>
   <source>{num_runs:,} runs</source>
   <translation>{num_runs:,} Läufe</translation>
  </message>
  <message>
   <source>{num_texts:,} texts</source>
   <translation>{num_texts:,} Texte</translation>
  </message>
  <message>
   <source>{number:,} sessions were exported to {path}.</source>
   <translation>{number:,} Sitzungen wurden nach {path} exportiert.</translation>
  </message>
  <message>
   <source>{number:,} texts had lost their place in the book. They are now at the end, in the part “Recovered”, which is not exported.</source>
   <translation>{number:,} Texte hatten ihren Platz im Buch verloren. Sie stehen jetzt am Ende im Teil „Recovered“, der nicht exportiert wird.</translation>
  </message>
  <message>
   <source>{number} takes start before this point. They stay complete, with the first text. {snapshot}</source>
   <translation>{number} Fassungen beginnen vor dieser Stelle. Sie bleiben vollständig beim ersten Text. {snapshot}</translation>
  </message>
  <message>
   <source>{path} can't be imported ({reason}).</source>
   <translation>{path} lässt sich nicht importieren ({reason}).</translation>
  </message>
  <message>
   <source>{path} could not be saved ({reason}). Choose another folder.</source>
   <translation>{path} konnte nicht gespeichert werden ({reason}). Wählen Sie einen anderen Ordner.</translation>
  </message>
  <message>
   <source>{path} doesn't exist. Check the name.</source>
   <translation>{path} gibt es nicht. Prüfen Sie den Namen.</translation>
  </message>
  <message>
   <source>{path} is not a usable path. Write the folder in full.</source>
   <translation>{path} ist kein gültiger Pfad. Schreiben Sie den Ordner aus.</translation>
  </message>
  <message>
   <source>{path} was not made by Quire, so it was not deleted.</source>
   <translation>{path} stammt nicht von Quire und wurde darum nicht gelöscht.</translation>
  </message>
  <message>
   <source>{problem} Quire is trying again.</source>
   <translation>{problem} Quire versucht es noch einmal.</translation>
  </message>
  <message>
   <source>{problem} The last good backup is from {made}.</source>
   <translation>{problem} Die letzte gute Sicherung ist vom {made}.</translation>
  </message>
  <message>
   <source>{problem} The text is reread instead; the continuation is the same.</source>
   <translation>{problem} Der Text wird stattdessen noch einmal gelesen; die Fortsetzung ist dieselbe.</translation>
  </message>
  <message>
   <source>{problem} To quit without saving, close Quire again.</source>
   <translation>{problem} Um ohne Speichern zu beenden, schließen Sie Quire noch einmal.</translation>
  </message>
  <message>
   <source>{project} was restored from the backup {backup}. {damaged} is unchanged.</source>
   <translation>{project} wurde aus der Sicherung {backup} wiederhergestellt. {damaged} ist unverändert.</translation>
  </message>
  <message>
   <source>{read_only} To work on it, restore it.</source>
   <translation>{read_only} Um daran zu arbeiten, stellen Sie sie wieder her.</translation>
  </message>
  <message>
   <source>{read_only} Until then you can read it here and copy from it.</source>
   <translation>{read_only} Bis dahin können Sie hier lesen und daraus kopieren.</translation>
  </message>
  <message>
   <source>{record} is damaged, so it isn't known where this model's weights are. Import the model again.</source>
   <translation>{record} ist beschädigt; deshalb ist nicht bekannt, wo die Gewichte dieses Modells liegen. Importieren Sie das Modell noch einmal.</translation>
  </message>
  <message>
   <source>{small} and {large} split text into different tokens. Choose a smaller model of the same family.</source>
   <translation>{small} und {large} zerlegen Text in verschiedene Tokens. Wählen Sie ein kleineres Modell derselben Familie.</translation>
  </message>
  <message>
   <source>{small} can't draft ahead, so drafts go on without it. {reason}</source>
   <translation>{small} kann nicht vorausschreiben, also wird ohne dieses Modell geschrieben. {reason}</translation>
  </message>
  <message>
   <source>{what} is not a preset file. Choose one exported by Quire.</source>
   <translation>{what} ist keine Datei mit Voreinstellungen. Wählen Sie eine, die Quire exportiert hat.</translation>
  </message>
  <message>
   <source>{what} was made by a newer version of Quire. Update Quire to read it.</source>
   <translation>{what} stammt aus einer neueren Version von Quire. Aktualisieren Sie Quire, um sie zu lesen.</translation>
  </message>
  <message>
   <source>{words:,} words</source>
   <translation>{words:,} Wörter</translation>
  </message>
  <message>
   <source>{words:,} words ({duration})</source>
   <translation>{words:,} Wörter ({duration})</translation>
  </message>
  <message>
   <source>{words:,} words is too long for a book. Choose another goal.</source>
   <translation>{words:,} Wörter sind für ein Buch zu viel. Wählen Sie ein anderes Ziel.</translation>
  </message>
  <message>
   <source>“{name}” could not be read and will be empty.</source>
   <translation>„{name}“ konnte nicht gelesen werden und ist leer.</translation>
  </message>
  <message>
   <source>“{name}” is not a model name.</source>
   <translation>„{name}“ ist kein Modellname.</translation>
  </message>
  <message>
   <source>“{name}” is not a model name. Write it as on its page: maker/model.</source>
   <translation>„{name}“ ist kein Modellname. Schreiben Sie ihn wie auf der Seite des Modells: Hersteller/Modell.</translation>
  </message>
  <message>
   <source>“{title}” has changed since the search, so nothing was replaced. Search again before replacing.</source>
   <translation>„{title}“ hat sich seit der Suche geändert, darum wurde nichts ersetzt. Suchen Sie vor dem Ersetzen noch einmal.</translation>
  </message>
  <message>
   <source>“{title}” is in the trash.</source>
   <translation>„{title}“ ist im Papierkorb.</translation>
  </message>
  <message>
   <source>“{title}” is no longer in the project, so nothing was replaced. Search again.</source>
   <translation>„{title}“ ist nicht mehr im Projekt, darum wurde nichts ersetzt. Suchen Sie noch einmal.</translation>
  </message>
  <message>
   <source>“{title}” was too long for one text, so it was split into {number}.</source>
   <translation>„{title}“ war zu lang für einen Text und wurde auf {number} aufgeteilt.</translation>
  </message>
 </context>
 <context>
  <name>ExportDialog</name>
  <message>
   <source>&amp;Keep Both</source>
   <translation>&amp;Beide behalten</translation>
  </message>
  <message>
   <source>&amp;Replace</source>
   <translation>&amp;Ersetzen</translation>
  </message>
  <message>
   <source>1 word</source>
   <translation>1 Wort</translation>
  </message>
  <message>
   <source>A file with this name exists.</source>
   <translation>Eine Datei mit diesem Namen gibt es schon.</translation>
  </message>
  <message>
   <source>Add a page disclosing AI use</source>
   <translation>Seite zum KI-Einsatz hinzufügen</translation>
  </message>
  <message>
   <source>All</source>
   <translation>Alle</translation>
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
   <source>Change…</source>
   <translation>Ändern…</translation>
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
   <source>Contact, for a manuscript's title page</source>
   <translation>Kontakt, für die Titelseite eines Manuskripts</translation>
  </message>
  <message>
   <source>Content</source>
   <translation>Inhalt</translation>
  </message>
  <message>
   <source>EPUB book (.epub)</source>
   <translation>EPUB-Buch (.epub)</translation>
  </message>
  <message>
   <source>Export</source>
   <translation>Exportieren</translation>
  </message>
  <message>
   <source>Export Folder</source>
   <translation>Exportordner</translation>
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
   <source>Format</source>
   <translation>Format</translation>
  </message>
  <message>
   <source>Include open comments</source>
   <translation>Offene Kommentare mitgeben</translation>
  </message>
  <message>
   <source>Its last take ({0})</source>
   <translation>Seine letzte Fassung ({0})</translation>
  </message>
  <message>
   <source>Keep as written</source>
   <translation>Wie geschrieben</translation>
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
   <source>Number only: Chapter 1</source>
   <translation>Nur Nummer: Kapitel 1</translation>
  </message>
  <message>
   <source>Numbered: Chapter 1: Title</source>
   <translation>Nummeriert: Kapitel 1: Titel</translation>
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
   <source>Replace File?</source>
   <translation>Datei ersetzen?</translation>
  </message>
  <message>
   <source>Replacing it deletes its contents, even if it is the original that you imported.</source>
   <translation>Ihr Inhalt geht dabei verloren, auch wenn sie das importierte Original ist.</translation>
  </message>
  <message>
   <source>Rich Text (.rtf)</source>
   <translation>Rich Text (.rtf)</translation>
  </message>
  <message>
   <source>Scene breaks</source>
   <translation>Szenentrenner</translation>
  </message>
  <message>
   <source>Select at least one chapter.</source>
   <translation>Wählen Sie mindestens ein Kapitel aus.</translation>
  </message>
  <message>
   <source>Set like a book: indented paragraphs, each chapter on a new page.</source>
   <translation>Gesetzt wie ein Buch: eingezogene Absätze, jedes Kapitel auf einer neuen Seite.</translation>
  </message>
  <message>
   <source>Shown as margin comments in Word; other formats leave them out</source>
   <translation>In Word als Kommentare am Rand; in anderen Formaten entfallen sie</translation>
  </message>
  <message>
   <source>Space between paragraphs, no other styling.</source>
   <translation>Abstand zwischen den Absätzen, sonst keine Gestaltung.</translation>
  </message>
  <message>
   <source>States how many words were written, drafted, and drafted then edited</source>
   <translation>Nennt, wie viele Wörter geschrieben, entworfen oder entworfen und bearbeitet wurden</translation>
  </message>
  <message>
   <source>Text with marks for headings, italics and bold.</source>
   <translation>Text mit Zeichen für Überschriften, Kursives und Fettes.</translation>
  </message>
  <message>
   <source>The book: chapters selected here</source>
   <translation>Das Buch: die hier ausgewählten Kapitel</translation>
  </message>
  <message>
   <source>The open text ({0})</source>
   <translation>Der geöffnete Text ({0})</translation>
  </message>
  <message>
   <source>The selection ({0})</source>
   <translation>Die Auswahl ({0})</translation>
  </message>
  <message>
   <source>Typewriter font, double-spaced, as agents and editors expect.</source>
   <translation>Schreibmaschinenschrift, doppelter Zeilenabstand, wie Agenturen und Lektorate es wünschen.</translation>
  </message>
  <message>
   <source>Web page (.html)</source>
   <translation>Webseite (.html)</translation>
  </message>
  <message>
   <source>Word document (.docx)</source>
   <translation>Word-Dokument (.docx)</translation>
  </message>
  <message>
   <source>Words only, without italics or bold.</source>
   <translation>Nur die Wörter, ohne Kursives und Fettes.</translation>
  </message>
  <message>
   <source>Writing {0}</source>
   <translation>{0} wird geschrieben</translation>
  </message>
  <message>
   <source>{0} words</source>
   <translation>{0} Wörter</translation>
  </message>
  <message>
   <source>“{0}” already exists in this folder.</source>
   <translation>„{0}“ gibt es in diesem Ordner schon.</translation>
  </message>
 </context>
 <context>
  <name>FigureRows</name>
  <message>
   <source>Take metrics</source>
   <translation>Kennzahlen der Fassung</translation>
  </message>
 </context>
 <context>
  <name>FiguresTable</name>
  <message>
   <source>Metric</source>
   <translation>Kennzahl</translation>
  </message>
  <message>
   <source>Metrics compared</source>
   <translation>Kennzahlen im Vergleich</translation>
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
   <source>Press F8 or Esc to leave focus mode</source>
   <translation>F8 oder Esc beendet den Fokusmodus</translation>
  </message>
  <message>
   <source>Words go to {0}</source>
   <translation>Die Wörter gehen an {0}</translation>
  </message>
 </context>
 <context>
  <name>GoalBar</name>
  <message>
   <source>Progress towards the goal</source>
   <translation>Fortschritt zum Ziel</translation>
  </message>
 </context>
 <context>
  <name>GoalBox</name>
  <message>
   <source>A phrase</source>
   <translation>Eine Wendung</translation>
  </message>
  <message>
   <source>End of chapter</source>
   <translation>Ende des Kapitels</translation>
  </message>
  <message>
   <source>Goal</source>
   <translation>Ziel</translation>
  </message>
  <message>
   <source>Pauses after {0} minutes, including reading time</source>
   <translation>Hält nach {0} Minuten an, Lesezeit eingeschlossen</translation>
  </message>
  <message>
   <source>Stop at a phrase…</source>
   <translation>Bei einer Wendung anhalten…</translation>
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
   <source>Stops at the next chapter heading, or after {0} words at most</source>
   <translation>Hält vor der nächsten Kapitelüberschrift an, spätestens nach {0} Wörtern</translation>
  </message>
  <message>
   <source>{0} minutes</source>
   <translation>{0} Minuten</translation>
  </message>
  <message>
   <source>{0} or after “{1}”</source>
   <translation>{0} oder nach „{1}“</translation>
  </message>
  <message>
   <source>{0} or where the model ends the text</source>
   <translation>{0} oder wo das Modell den Text beendet</translation>
  </message>
  <message>
   <source>{0} or “{1}”</source>
   <translation>{0} oder „{1}“</translation>
  </message>
  <message>
   <source>{0} words</source>
   <translation>{0} Wörter</translation>
  </message>
 </context>
 <context>
  <name>GoalForm</name>
  <message>
   <source>80,000</source>
   <translation>80.000</translation>
  </message>
  <message>
   <source>By a date</source>
   <translation>Bis zu einem Datum</translation>
  </message>
  <message>
   <source>Deadline</source>
   <translation>Abgabetermin</translation>
  </message>
  <message>
   <source>Enter a goal of {0} to {1} words.</source>
   <translation>Geben Sie ein Ziel von {0} bis {1} Wörtern ein.</translation>
  </message>
  <message>
   <source>Goal for the book</source>
   <translation>Ziel für das Buch</translation>
  </message>
  <message>
   <source>Goal reached.</source>
   <translation>Ziel erreicht.</translation>
  </message>
  <message>
   <source>No book goal set.</source>
   <translation>Kein Ziel für das Buch gesetzt.</translation>
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
   <source>Target word count</source>
   <translation>Zielumfang in Wörtern</translation>
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
   <source>{0} to go, but {1} has passed. Choose another date.</source>
   <translation>Noch {0}, aber {1} ist vorbei. Wählen Sie ein anderes Datum.</translation>
  </message>
  <message>
   <source>{0} to go, due today.</source>
   <translation>Noch {0}, fällig heute.</translation>
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
  <name>ImportBar</name>
  <message>
   <source>Importing {0}…</source>
   <translation>{0} wird importiert…</translation>
  </message>
 </context>
 <context>
  <name>ImportDialog</name>
  <message>
   <source>1 block of front matter</source>
   <translation>1 Block mit Angaben zum Text</translation>
  </message>
  <message>
   <source>1 comment</source>
   <translation>1 Kommentar</translation>
  </message>
  <message>
   <source>1 diagram</source>
   <translation>1 Diagramm</translation>
  </message>
  <message>
   <source>1 footnote</source>
   <translation>1 Fußnote</translation>
  </message>
  <message>
   <source>1 header or footer</source>
   <translation>1 Kopf- oder Fußzeile</translation>
  </message>
  <message>
   <source>1 hidden text</source>
   <translation>1 verborgener Text</translation>
  </message>
  <message>
   <source>1 missing page</source>
   <translation>1 fehlende Seite</translation>
  </message>
  <message>
   <source>1 other piece of text</source>
   <translation>1 anderes Stück Text</translation>
  </message>
  <message>
   <source>1 page beside the text</source>
   <translation>1 Seite neben dem Text</translation>
  </message>
  <message>
   <source>1 picture</source>
   <translation>1 Bild</translation>
  </message>
  <message>
   <source>1 table of contents</source>
   <translation>1 Inhaltsverzeichnis</translation>
  </message>
  <message>
   <source>1 text</source>
   <translation>1 Text</translation>
  </message>
  <message>
   <source>1 title page</source>
   <translation>1 Titelseite</translation>
  </message>
  <message>
   <source>Arabic (Windows-1256)</source>
   <translation>Arabisch (Windows-1256)</translation>
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
   <source>Baltic (Windows-1257)</source>
   <translation>Baltisch (Windows-1257)</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Central European (Windows-1250)</source>
   <translation>Mitteleuropäisch (Windows-1250)</translation>
  </message>
  <message>
   <source>Chapter</source>
   <translation>Kapitel</translation>
  </message>
  <message>
   <source>Chinese (Big5)</source>
   <translation>Chinesisch (Big5)</translation>
  </message>
  <message>
   <source>Chinese (GB 18030)</source>
   <translation>Chinesisch (GB 18030)</translation>
  </message>
  <message>
   <source>Cyrillic (KOI8-R)</source>
   <translation>Kyrillisch (KOI8-R)</translation>
  </message>
  <message>
   <source>Cyrillic (Windows-1251)</source>
   <translation>Kyrillisch (Windows-1251)</translation>
  </message>
  <message>
   <source>Encoding</source>
   <translation>Kodierung</translation>
  </message>
  <message>
   <source>File</source>
   <translation>Datei</translation>
  </message>
  <message>
   <source>Greek (Windows-1253)</source>
   <translation>Griechisch (Windows-1253)</translation>
  </message>
  <message>
   <source>Hebrew (Windows-1255)</source>
   <translation>Hebräisch (Windows-1255)</translation>
  </message>
  <message>
   <source>Import</source>
   <translation>Importieren</translation>
  </message>
  <message>
   <source>Import Manuscript</source>
   <translation>Manuskript importieren</translation>
  </message>
  <message>
   <source>Japanese (EUC-JP)</source>
   <translation>Japanisch (EUC-JP)</translation>
  </message>
  <message>
   <source>Japanese (Shift JIS)</source>
   <translation>Japanisch (Shift JIS)</translation>
  </message>
  <message>
   <source>Keep what is left out as a note</source>
   <translation>Was nicht übernommen wird, als Notiz behalten</translation>
  </message>
  <message>
   <source>Kind</source>
   <translation>Art</translation>
  </message>
  <message>
   <source>Korean (Windows-949)</source>
   <translation>Koreanisch (Windows-949)</translation>
  </message>
  <message>
   <source>Only if too long</source>
   <translation>Nur wenn zu lang</translation>
  </message>
  <message>
   <source>Only the text is imported. Left out: {0}.</source>
   <translation>Nur der Text wird importiert. Weggelassen: {0}.</translation>
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
   <source>Split</source>
   <translation>Aufteilen</translation>
  </message>
  <message>
   <source>Texts to be created</source>
   <translation>Texte, die angelegt werden</translation>
  </message>
  <message>
   <source>Thai (Windows-874)</source>
   <translation>Thai (Windows-874)</translation>
  </message>
  <message>
   <source>Title</source>
   <translation>Titel</translation>
  </message>
  <message>
   <source>Turkish (Windows-1254)</source>
   <translation>Türkisch (Windows-1254)</translation>
  </message>
  <message>
   <source>Untitled</source>
   <translation>Ohne Titel</translation>
  </message>
  <message>
   <source>Vietnamese (Windows-1258)</source>
   <translation>Vietnamesisch (Windows-1258)</translation>
  </message>
  <message>
   <source>Western European (DOS)</source>
   <translation>Westeuropäisch (DOS)</translation>
  </message>
  <message>
   <source>Western European (Mac)</source>
   <translation>Westeuropäisch (Mac)</translation>
  </message>
  <message>
   <source>Western European (Windows-1252)</source>
   <translation>Westeuropäisch (Windows-1252)</translation>
  </message>
  <message>
   <source>Words</source>
   <translation>Wörter</translation>
  </message>
  <message>
   <source>Words in it: {0}.</source>
   <translation>Wörter darin: {0}.</translation>
  </message>
  <message>
   <source>Your file is not changed.</source>
   <translation>Ihre Datei wird nicht verändert.</translation>
  </message>
  <message>
   <source>the form of 1 table</source>
   <translation>die Form von 1 Tabelle</translation>
  </message>
  <message>
   <source>the form of {0} tables</source>
   <translation>die Form von {0} Tabellen</translation>
  </message>
  <message>
   <source>{0} blocks of front matter</source>
   <translation>{0} Blöcke mit Angaben zum Text</translation>
  </message>
  <message>
   <source>{0} comments</source>
   <translation>{0} Kommentare</translation>
  </message>
  <message>
   <source>{0} diagrams</source>
   <translation>{0} Diagramme</translation>
  </message>
  <message>
   <source>{0} footnotes</source>
   <translation>{0} Fußnoten</translation>
  </message>
  <message>
   <source>{0} headers and footers</source>
   <translation>{0} Kopf- und Fußzeilen</translation>
  </message>
  <message>
   <source>{0} hidden texts</source>
   <translation>{0} verborgene Texte</translation>
  </message>
  <message>
   <source>{0} missing pages</source>
   <translation>{0} fehlende Seiten</translation>
  </message>
  <message>
   <source>{0} other pieces of text</source>
   <translation>{0} andere Stücke Text</translation>
  </message>
  <message>
   <source>{0} pages beside the text</source>
   <translation>{0} Seiten neben dem Text</translation>
  </message>
  <message>
   <source>{0} pictures</source>
   <translation>{0} Bilder</translation>
  </message>
  <message>
   <source>{0} tables of contents</source>
   <translation>{0} Inhaltsverzeichnisse</translation>
  </message>
  <message>
   <source>{0} texts</source>
   <translation>{0} Texte</translation>
  </message>
  <message>
   <source>{0} title pages</source>
   <translation>{0} Titelseiten</translation>
  </message>
  <message>
   <source>{0}, {1} words.</source>
   <translation>{0}, {1} Wörter.</translation>
  </message>
 </context>
 <context>
  <name>ImportQuestion</name>
  <message>
   <source>Add Quire's training on &amp;novels</source>
   <translation>Quires Training an &amp;Romanen hinzufügen</translation>
  </message>
  <message>
   <source>Import</source>
   <translation>Importieren</translation>
  </message>
  <message>
   <source>Import Model?</source>
   <translation>Modell importieren?</translation>
  </message>
  <message>
   <source>Import {0} and write with it?</source>
   <translation>{0} importieren und damit schreiben?</translation>
  </message>
  <message>
   <source>Import {0}?</source>
   <translation>{0} importieren?</translation>
  </message>
  <message>
   <source>The model then continues a story. Without it, it is what its makers published.</source>
   <translation>Damit führt das Modell eine Geschichte fort. Ohne ist es, wie seine Hersteller es veröffentlicht haben.</translation>
  </message>
  <message>
   <source>The original is not changed; Quire reads it where it is, so keep it there.</source>
   <translation>Die Originaldatei wird nicht verändert; Quire liest sie dort, wo sie liegt, also lassen Sie sie dort.</translation>
  </message>
  <message>
   <source>This takes about {0} of disk space and a few seconds.</source>
   <translation>Das braucht etwa {0} auf der Festplatte und einige Sekunden.</translation>
  </message>
 </context>
 <context>
  <name>ImportStart</name>
  <message>
   <source>Choose File…</source>
   <translation>Datei wählen…</translation>
  </message>
  <message>
   <source>Word, OpenDocument, EPUB, Markdown or plain text. Next, you can check the parts and chapters and add a title and author before anything is created. Your file is not changed.</source>
   <translation>Word, OpenDocument, EPUB, Markdown oder reiner Text. Im nächsten Schritt prüfen Sie Teile und Kapitel und ergänzen Titel und Autor, bevor etwas angelegt wird. Ihre Datei wird nicht verändert.</translation>
  </message>
 </context>
 <context>
  <name>InclusionBox</name>
  <message>
   <source>Always</source>
   <translation>Immer</translation>
  </message>
  <message>
   <source>Never</source>
   <translation>Nie</translation>
  </message>
  <message>
   <source>Tell the model</source>
   <translation>Dem Modell sagen</translation>
  </message>
  <message>
   <source>When mentioned</source>
   <translation>Wenn erwähnt</translation>
  </message>
 </context>
 <context>
  <name>KeywordsEdit</name>
  <message>
   <source>Comma-separated keywords (default: the name)</source>
   <translation>Stichwörter, durch Kommas getrennt (sonst: der Name)</translation>
  </message>
  <message>
   <source>Keywords</source>
   <translation>Stichwörter</translation>
  </message>
  <message>
   <source>The model is told about this card when one of these words appears in recent pages</source>
   <translation>Das Modell erfährt von dieser Karte, wenn eines dieser Wörter auf den letzten Seiten vorkommt</translation>
  </message>
 </context>
 <context>
  <name>KindBox</name>
  <message>
   <source>Kind of card</source>
   <translation>Art der Karte</translation>
  </message>
 </context>
 <context>
  <name>LanguagePage</name>
  <message>
   <source>&amp;Language</source>
   <translation>&amp;Sprache</translation>
  </message>
  <message>
   <source>Applies the next time you start Quire. Your texts are not affected.</source>
   <translation>Gilt ab dem nächsten Start von Quire. Ihre Texte sind nicht betroffen.</translation>
  </message>
  <message>
   <source>Interface language</source>
   <translation>Sprache der Oberfläche</translation>
  </message>
  <message>
   <source>Same as system</source>
   <translation>Wie das System</translation>
  </message>
 </context>
 <context>
  <name>LoreList</name>
  <message>
   <source> (pinned)</source>
   <translation> (angeheftet)</translation>
  </message>
  <message>
   <source>Always included</source>
   <translation>Immer dabei</translation>
  </message>
  <message>
   <source>Edit</source>
   <translation>Bearbeiten</translation>
  </message>
  <message>
   <source>Keywords: {0}</source>
   <translation>Stichwörter: {0}</translation>
  </message>
  <message>
   <source>Lorebook</source>
   <translation>Lexikon</translation>
  </message>
  <message>
   <source>People, places and things. The model sees an entry when the story mentions it.</source>
   <translation>Personen, Orte und Dinge. Das Modell sieht einen Eintrag, sobald er in der Geschichte vorkommt.</translation>
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
   <source>Unnamed</source>
   <translation>Ohne Namen</translation>
  </message>
  <message>
   <source>Unpin</source>
   <translation>Lösen</translation>
  </message>
 </context>
 <context>
  <name>LowMemoryController</name>
  <message>
   <source>Not enough memory to continue. The draft is paused and nothing is lost.</source>
   <translation>Zu wenig Speicher zum Fortsetzen. Der Entwurf ist angehalten, nichts geht verloren.</translation>
  </message>
 </context>
 <context>
  <name>MainWindow</name>
  <message>
   <source>Save Fast Resume F&amp;ile</source>
   <translation>Schnellstartdate&amp;i speichern</translation>
  </message>
  <message>
   <source>Save Fast Resume F&amp;ile (about {0})</source>
   <translation>Schnellstartdate&amp;i speichern (etwa {0})</translation>
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
   <source>Found on {0} of {1} pages</source>
   <translation>Auf {0} von {1} Seiten gefunden</translation>
  </message>
  <message>
   <source>Manual</source>
   <translation>Handbuch</translation>
  </message>
  <message>
   <source>Manual page</source>
   <translation>Handbuchseite</translation>
  </message>
  <message>
   <source>No pages found.</source>
   <translation>Keine Seiten gefunden.</translation>
  </message>
  <message>
   <source>Search the manual</source>
   <translation>Im Handbuch suchen</translation>
  </message>
 </context>
 <context>
  <name>ManuscriptEditor</name>
  <message>
   <source>Go to the end of the draft</source>
   <translation>Zum Ende des Entwurfs</translation>
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
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Delete Permanently</source>
   <translation>Endgültig löschen</translation>
  </message>
  <message>
   <source>Manuscript</source>
   <translation>Manuskript</translation>
  </message>
  <message>
   <source>New chapter, scene or note</source>
   <translation>Neues Kapitel, neue Szene oder Notiz</translation>
  </message>
  <message>
   <source>Permanently delete everything in the trash?</source>
   <translation>Alles im Papierkorb endgültig löschen?</translation>
  </message>
  <message>
   <source>Permanently delete {0}?</source>
   <translation>{0} endgültig löschen?</translation>
  </message>
  <message>
   <source>This also deletes the takes and draft data of these texts. Snapshots are kept.</source>
   <translation>Auch die Fassungen und Entwurfsdaten dieser Texte werden gelöscht. Schnappschüsse bleiben erhalten.</translation>
  </message>
  <message>
   <source>Trash</source>
   <translation>Papierkorb</translation>
  </message>
 </context>
 <context>
  <name>MemoryBar</name>
  <message>
   <source>GPU</source>
   <translation>GPU</translation>
  </message>
  <message>
   <source>RAM</source>
   <translation>RAM</translation>
  </message>
  <message>
   <source>{0} About {1} at the goal.</source>
   <translation>{0} Am Ziel etwa {1}.</translation>
  </message>
  <message>
   <source>{0} The goal would need {1}. Choose a smaller goal or model.</source>
   <translation>{0} Das Ziel bräuchte {1}. Wählen Sie ein kleineres Ziel oder Modell.</translation>
  </message>
  <message>
   <source>{0} {1} of {2}</source>
   <translation>{0} {1} von {2}</translation>
  </message>
  <message>
   <source>{0}: {1} of {2} used, {3} by Quire.</source>
   <translation>{0}: {1} von {2} belegt, {3} davon durch Quire.</translation>
  </message>
 </context>
 <context>
  <name>MemoryVersionsDialog</name>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Memory History</source>
   <translation>Frühere Stände des Gedächtnisses</translation>
  </message>
  <message>
   <source>Text of this version</source>
   <translation>Text dieses Stands</translation>
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
   <source>Versions, newest first</source>
   <translation>Stände, der neueste zuerst</translation>
  </message>
 </context>
 <context>
  <name>MessagePage</name>
  <message>
   <source>New project…</source>
   <translation>Neues Projekt…</translation>
  </message>
  <message>
   <source>Open Last Good Backup</source>
   <translation>Letzte gute Sicherung öffnen</translation>
  </message>
  <message>
   <source>Open…</source>
   <translation>Öffnen…</translation>
  </message>
 </context>
 <context>
  <name>ModelDownloadBox</name>
  <message>
   <source>, about {0} min left</source>
   <translation>, noch etwa {0} Min.</translation>
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
   <source>Finer quantisations are closer to the original. Without a graphics card they need more memory.</source>
   <translation>Feinere Quantisierungen sind näher am Original. Ohne Grafikkarte brauchen sie mehr Speicher.</translation>
  </message>
  <message>
   <source>Fits this computer if you choose Fast.</source>
   <translation>Passt auf diesen Computer, wenn Sie „Schnell“ wählen.</translation>
  </message>
  <message>
   <source>Fits this computer, but without a graphics card it writes slowly.</source>
   <translation>Passt auf diesen Computer, schreibt aber ohne Grafikkarte langsam.</translation>
  </message>
  <message>
   <source>Fits this computer.</source>
   <translation>Passt auf diesen Computer.</translation>
  </message>
  <message>
   <source>Form of the model</source>
   <translation>Form des Modells</translation>
  </message>
  <message>
   <source>Hugging Face name, e.g. maker/model</source>
   <translation>Name bei Hugging Face, z. B. anbieter/modell</translation>
  </message>
  <message>
   <source>Hugging Face token</source>
   <translation>Hugging-Face-Token</translation>
  </message>
  <message>
   <source>Licence: {0}.</source>
   <translation>Lizenz: {0}.</translation>
  </message>
  <message>
   <source>Look Up</source>
   <translation>Nachschlagen</translation>
  </message>
  <message>
   <source>Looking up on Hugging Face…</source>
   <translation>Bei Hugging Face wird nachgesehen…</translation>
  </message>
  <message>
   <source>Model name on Hugging Face</source>
   <translation>Modellname auf Hugging Face</translation>
  </message>
  <message>
   <source>Original</source>
   <translation>Original</translation>
  </message>
  <message>
   <source>Pause</source>
   <translation>Anhalten</translation>
  </message>
  <message>
   <source>Save it in this computer's keychain</source>
   <translation>Im Schlüsselbund dieses Computers speichern</translation>
  </message>
  <message>
   <source>There is not enough free disk space for it.</source>
   <translation>Dafür ist nicht genug Platz auf der Festplatte frei.</translation>
  </message>
  <message>
   <source>Too large for the free memory of this computer.</source>
   <translation>Zu groß für den freien Speicher dieses Computers.</translation>
  </message>
  <message>
   <source>Your access token</source>
   <translation>Ihr Zugangstoken</translation>
  </message>
  <message>
   <source>not stated; see {0}</source>
   <translation>nicht angegeben; siehe {0}</translation>
  </message>
  <message>
   <source>{0} (recommended)</source>
   <translation>{0} (empfohlen)</translation>
  </message>
  <message>
   <source>{0} of {1}</source>
   <translation>{0} von {1}</translation>
  </message>
  <message>
   <source>{0}, {1}</source>
   <translation>{0}, {1}</translation>
  </message>
  <message>
   <source>{0}: {1} to download.</source>
   <translation>{0}: {1} herunterzuladen.</translation>
  </message>
 </context>
 <context>
  <name>ModelDownloadController</name>
  <message>
   <source>Another model is downloading. Wait for it to finish, or pause it.</source>
   <translation>Ein anderes Modell wird gerade heruntergeladen. Warten Sie, bis es fertig ist, oder halten Sie es an.</translation>
  </message>
  <message>
   <source>Download paused. To resume it, select it in the list and choose Resume.</source>
   <translation>Download angehalten. Zum Fortsetzen in der Liste auswählen und „Fortsetzen“ wählen.</translation>
  </message>
  <message>
   <source>{0} is downloaded and imported. Choose Use to draft with it.</source>
   <translation>{0} ist heruntergeladen und importiert. Mit „Verwenden“ entwirft Quire damit.</translation>
  </message>
  <message>
   <source>{0} is downloaded, but not imported yet. Choose Import to draft with it.</source>
   <translation>{0} ist heruntergeladen, aber noch nicht importiert. Wählen Sie „Importieren“, um damit zu entwerfen.</translation>
  </message>
  <message>
   <source>{0} is downloaded. Choose Use to draft with it.</source>
   <translation>{0} ist heruntergeladen. Mit „Verwenden“ entwirft Quire damit.</translation>
  </message>
 </context>
 <context>
  <name>ModelFileDialog</name>
  <message>
   <source>All files (*)</source>
   <translation>Alle Dateien (*)</translation>
  </message>
  <message>
   <source>Choose Model File</source>
   <translation>Modelldatei wählen</translation>
  </message>
  <message>
   <source>Models (*{0})</source>
   <translation>Modelle (*{0})</translation>
  </message>
 </context>
 <context>
  <name>ModelLibraryController</name>
  <message>
   <source>Import stopped.</source>
   <translation>Import abgebrochen.</translation>
  </message>
  <message>
   <source>{0} added.</source>
   <translation>{0} hinzugefügt.</translation>
  </message>
  <message>
   <source>{0} deleted.</source>
   <translation>{0} gelöscht.</translation>
  </message>
  <message>
   <source>{0} is imported. Choose Use to draft with it.</source>
   <translation>{0} ist importiert. Mit „Verwenden“ entwirft Quire damit.</translation>
  </message>
  <message>
   <source>{0} is selected. It is loaded with the next draft.</source>
   <translation>{0} ist ausgewählt und wird mit dem nächsten Entwurf geladen.</translation>
  </message>
  <message>
   <source>{0} models added from this folder.</source>
   <translation>{0} Modelle aus diesem Ordner hinzugefügt.</translation>
  </message>
  <message>
   <source>{0} on {1} removed.</source>
   <translation>{0} auf {1} entfernt.</translation>
  </message>
  <message>
   <source>{0} removed from the list. Its folder was kept.</source>
   <translation>{0} aus der Liste entfernt. Der Ordner bleibt.</translation>
  </message>
 </context>
 <context>
  <name>ModelQuestion</name>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
 </context>
 <context>
  <name>ModelTable</name>
  <message>
   <source>A model is being sped up. Wait until that is done, or stop it.</source>
   <translation>Ein Modell wird gerade beschleunigt. Warten Sie, bis das fertig ist, oder halten Sie es an.</translation>
  </message>
  <message>
   <source>Accelerated (draft model trained)</source>
   <translation>Beschleunigt (Entwurfsmodell trainiert)</translation>
  </message>
  <message>
   <source>As its makers published it, without Quire's training on novels</source>
   <translation>Wie von den Herstellern veröffentlicht, ohne Quires Training an Romanen</translation>
  </message>
  <message>
   <source>Built in</source>
   <translation>Eingebaut</translation>
  </message>
  <message>
   <source>Came with Quire</source>
   <translation>Mit Quire geliefert</translation>
  </message>
  <message>
   <source>Can't be used: {0}</source>
   <translation>Nicht verwendbar: {0}</translation>
  </message>
  <message>
   <source>Chat model</source>
   <translation>Chatmodell</translation>
  </message>
  <message>
   <source>Checked: works in {0}</source>
   <translation>Geprüft: funktioniert in {0}</translation>
  </message>
  <message>
   <source>Checking…</source>
   <translation>Wird geprüft…</translation>
  </message>
  <message>
   <source>Choose a model first.</source>
   <translation>Wählen Sie zuerst ein Modell.</translation>
  </message>
  <message>
   <source>Context</source>
   <translation>Kontext</translation>
  </message>
  <message>
   <source>Downloaded</source>
   <translation>Heruntergeladen</translation>
  </message>
  <message>
   <source>Downloads {0} from huggingface.co/{1}.</source>
   <translation>Lädt {0} von huggingface.co/{1} herunter.</translation>
  </message>
  <message>
   <source>Fast (int8)</source>
   <translation>Schnell (int8)</translation>
  </message>
  <message>
   <source>Faster without a GPU, in about half the memory. Changes the wording.</source>
   <translation>Schneller ohne Grafikkarte, mit etwa halb so viel Speicher. Ändert den Wortlaut.</translation>
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
   <source>Fits, slow</source>
   <translation>Passt, langsam</translation>
  </message>
  <message>
   <source>From</source>
   <translation>Herkunft</translation>
  </message>
  <message>
   <source>Hugging Face cache</source>
   <translation>Hugging-Face-Cache</translation>
  </message>
  <message>
   <source>Import first</source>
   <translation>Erst importieren</translation>
  </message>
  <message>
   <source>Imported</source>
   <translation>Importiert</translation>
  </message>
  <message>
   <source>Imported, original</source>
   <translation>Importiert, Original</translation>
  </message>
  <message>
   <source>Incomplete</source>
   <translation>Unvollständig</translation>
  </message>
  <message>
   <source>Its draft model belongs to another model: choose Speed Up to train a new one</source>
   <translation>Das Entwurfsmodell gehört zu einem anderen Modell: „Beschleunigen“ trainiert ein neues</translation>
  </message>
  <message>
   <source>Licence: same as Quire (MIT)</source>
   <translation>Lizenz: wie Quire (MIT)</translation>
  </message>
  <message>
   <source>Licence: {0}</source>
   <translation>Lizenz: {0}</translation>
  </message>
  <message>
   <source>Model</source>
   <translation>Modell</translation>
  </message>
  <message>
   <source>Not accelerated: choose Speed Up for faster drafts</source>
   <translation>Nicht beschleunigt: „Beschleunigen“ macht Entwürfe schneller</translation>
  </message>
  <message>
   <source>Not usable</source>
   <translation>Nicht nutzbar</translation>
  </message>
  <message>
   <source>On this computer</source>
   <translation>Auf diesem Computer</translation>
  </message>
  <message>
   <source>Quire imports its tokenizer and settings (about {0}), and reads the file where it is.</source>
   <translation>Quire importiert Tokenizer und Einstellungen (etwa {0}) und liest die Datei dort, wo sie liegt.</translation>
  </message>
  <message>
   <source>Recommended</source>
   <translation>Empfohlen</translation>
  </message>
  <message>
   <source>Remembers about {0} words</source>
   <translation>Behält etwa {0} Wörter im Blick</translation>
  </message>
  <message>
   <source>Remembers about {0} words here (at most {1})</source>
   <translation>Behält hier etwa {0} Wörter im Blick (höchstens {1})</translation>
  </message>
  <message>
   <source>Remembers at most {0} words</source>
   <translation>Behält höchstens {0} Wörter im Blick</translation>
  </message>
  <message>
   <source>Runs elsewhere</source>
   <translation>Läuft anderswo</translation>
  </message>
  <message>
   <source>Size</source>
   <translation>Größe</translation>
  </message>
  <message>
   <source>Story model</source>
   <translation>Erzählmodell</translation>
  </message>
  <message>
   <source>The built-in model comes with its draft model: there is nothing to train.</source>
   <translation>Das eingebaute Modell bringt sein Vorschlagsmodell mit: Es gibt nichts zu trainieren.</translation>
  </message>
  <message>
   <source>To download</source>
   <translation>Zum Herunterladen</translation>
  </message>
  <message>
   <source>Too large</source>
   <translation>Zu groß</translation>
  </message>
  <message>
   <source>Training was stopped: choose Speed Up to resume it</source>
   <translation>Training unterbrochen: „Beschleunigen“ setzt es fort</translation>
  </message>
  <message>
   <source>Uses about half the memory and changes the wording. Slower without a GPU: this family of models isn't fast yet.</source>
   <translation>Braucht etwa halb so viel Speicher und ändert den Wortlaut. Ohne Grafikkarte langsamer: Diese Modellfamilie ist noch nicht schnell.</translation>
  </message>
  <message>
   <source>With Quire's training on novels</source>
   <translation>Mit Quires Training an Romanen</translation>
  </message>
  <message>
   <source>Without a graphics card it writes slowly.</source>
   <translation>Ohne Grafikkarte schreibt es langsam.</translation>
  </message>
  <message>
   <source>Your folder</source>
   <translation>Ihr Ordner</translation>
  </message>
  <message>
   <source>not stated</source>
   <translation>nicht angegeben</translation>
  </message>
  <message>
   <source>{0} billion parameters</source>
   <translation>{0} Milliarden Parameter</translation>
  </message>
  <message>
   <source>{0} can't be sped up.</source>
   <translation>{0} kann nicht beschleunigt werden.</translation>
  </message>
  <message>
   <source>{0} million parameters</source>
   <translation>{0} Millionen Parameter</translation>
  </message>
  <message>
   <source>{0} runs on a server: only the server itself can speed it up.</source>
   <translation>{0} läuft auf einem Server: Nur der Server selbst kann es beschleunigen.</translation>
  </message>
  <message>
   <source>{0} words</source>
   <translation>{0} Wörter</translation>
  </message>
 </context>
 <context>
  <name>ModelViewDialog</name>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Context use is estimated until the model is loaded.</source>
   <translation>Der belegte Kontext ist geschätzt, bis das Modell geladen ist.</translation>
  </message>
  <message>
   <source>Left out</source>
   <translation>Weggelassen</translation>
  </message>
  <message>
   <source>Parts of the prompt, in reading order</source>
   <translation>Teile des Prompts, in Lesereihenfolge</translation>
  </message>
  <message>
   <source>Parts, in order</source>
   <translation>Teile, der Reihe nach</translation>
  </message>
  <message>
   <source>Prompt Preview</source>
   <translation>Prompt-Vorschau</translation>
  </message>
  <message>
   <source>Refresh</source>
   <translation>Aktualisieren</translation>
  </message>
  <message>
   <source>Start of the manuscript</source>
   <translation>Anfang des Manuskripts</translation>
  </message>
  <message>
   <source>What is left out, and why</source>
   <translation>Was weggelassen ist, und warum</translation>
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
  <name>ModelsDialog</name>
  <message>
   <source>&amp;Fast (8-bit numbers)</source>
   <translation>&amp;Schnell (8-Bit-Zahlen)</translation>
  </message>
  <message>
   <source>, about {0} min left</source>
   <translation>, noch etwa {0} Min.</translation>
  </message>
  <message>
   <source>8-bit numbers are not available for this model.</source>
   <translation>8-Bit-Zahlen gibt es für dieses Modell nicht.</translation>
  </message>
  <message>
   <source>A model in a single .gguf file</source>
   <translation>Ein Modell in einer einzigen .gguf-Datei</translation>
  </message>
  <message>
   <source>Add File…</source>
   <translation>Datei hinzufügen…</translation>
  </message>
  <message>
   <source>Add Folder…</source>
   <translation>Ordner hinzufügen…</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Checking…</source>
   <translation>Wird geprüft…</translation>
  </message>
  <message>
   <source>Choose Model Folder</source>
   <translation>Modellordner wählen</translation>
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
   <source>Delete Download?</source>
   <translation>Download löschen?</translation>
  </message>
  <message>
   <source>Delete Imported Model?</source>
   <translation>Importiertes Modell löschen?</translation>
  </message>
  <message>
   <source>Delete {0}{1} from this computer?</source>
   <translation>{0}{1} von diesem Computer löschen?</translation>
  </message>
  <message>
   <source>Delete…</source>
   <translation>Löschen…</translation>
  </message>
  <message>
   <source>Download…</source>
   <translation>Herunterladen…</translation>
  </message>
  <message>
   <source>Draft with a model that a server runs</source>
   <translation>Mit einem Modell entwerfen, das auf einem Server läuft</translation>
  </message>
  <message>
   <source>How the model computes is decided where it runs.</source>
   <translation>Wie das Modell rechnet, entscheidet sich dort, wo es läuft.</translation>
  </message>
  <message>
   <source>Importing {0}…</source>
   <translation>{0} wird importiert…</translation>
  </message>
  <message>
   <source>Models</source>
   <translation>Modelle</translation>
  </message>
  <message>
   <source>More ▸</source>
   <translation>Mehr ▸</translation>
  </message>
  <message>
   <source>More ▾</source>
   <translation>Mehr ▾</translation>
  </message>
  <message>
   <source>On Another Computer…</source>
   <translation>Auf anderem Computer…</translation>
  </message>
  <message>
   <source>Remove</source>
   <translation>Entfernen</translation>
  </message>
  <message>
   <source>Remove…</source>
   <translation>Entfernen…</translation>
  </message>
  <message>
   <source>Resume</source>
   <translation>Fortsetzen</translation>
  </message>
  <message>
   <source>Speed Up…</source>
   <translation>Beschleunigen…</translation>
  </message>
  <message>
   <source>Speeding up {0}</source>
   <translation>{0} wird beschleunigt</translation>
  </message>
  <message>
   <source>Speeding up {0}: {1}</source>
   <translation>{0} wird beschleunigt: {1}</translation>
  </message>
  <message>
   <source>Train a draft model: faster drafting, same text</source>
   <translation>Ein Entwurfsmodell trainieren: schnellere Entwürfe, derselbe Text</translation>
  </message>
  <message>
   <source>Use</source>
   <translation>Verwenden</translation>
  </message>
  <message>
   <source>You can download it again. Your texts are not affected.</source>
   <translation>Sie können das Modell wieder herunterladen. Ihre Texte sind nicht betroffen.</translation>
  </message>
  <message>
   <source>You can import it again from its file. Your texts are not affected.</source>
   <translation>Sie können es aus seiner Datei noch einmal importieren. Ihre Texte sind nicht betroffen.</translation>
  </message>
  <message>
   <source>generating text</source>
   <translation>Text wird erzeugt</translation>
  </message>
  <message>
   <source>reading your text</source>
   <translation>Ihr Text wird gelesen</translation>
  </message>
  <message>
   <source>testing</source>
   <translation>wird getestet</translation>
  </message>
  <message>
   <source>training</source>
   <translation>Training</translation>
  </message>
  <message>
   <source>training part 1 of 2</source>
   <translation>Training, Teil 1 von 2</translation>
  </message>
  <message>
   <source>training part 2 of 2</source>
   <translation>Training, Teil 2 von 2</translation>
  </message>
 </context>
 <context>
  <name>NewProjectDialog</name>
  <message>
   <source>A project with this name already exists in that folder.</source>
   <translation>In diesem Ordner gibt es schon ein Projekt mit diesem Namen.</translation>
  </message>
  <message>
   <source>As shown on the title page</source>
   <translation>Wie auf der Titelseite</translation>
  </message>
  <message>
   <source>Author</source>
   <translation>Autorin oder Autor</translation>
  </message>
  <message>
   <source>Blank page</source>
   <translation>Leere Seite</translation>
  </message>
  <message>
   <source>Book language</source>
   <translation>Sprache des Buches</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Change folder</source>
   <translation>Ordner ändern</translation>
  </message>
  <message>
   <source>Change…</source>
   <translation>Ändern…</translation>
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
   <source>How the project starts</source>
   <translation>Womit das Projekt beginnt</translation>
  </message>
  <message>
   <source>Imported text</source>
   <translation>Importierter Text</translation>
  </message>
  <message>
   <source>Language</source>
   <translation>Sprache</translation>
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
   <source>Opening</source>
   <translation>Anfang</translation>
  </message>
  <message>
   <source>Outline</source>
   <translation>Gliederung</translation>
  </message>
  <message>
   <source>Project Folder</source>
   <translation>Projektordner</translation>
  </message>
  <message>
   <source>Start from</source>
   <translation>Beginnen mit</translation>
  </message>
  <message>
   <source>Starts with one empty chapter. Write an opening before you draft: the model continues from your text.</source>
   <translation>Beginnt mit einem leeren Kapitel. Schreiben Sie vor dem Entwerfen einen Anfang: Das Modell setzt Ihren Text fort.</translation>
  </message>
  <message>
   <source>Title</source>
   <translation>Titel</translation>
  </message>
  <message>
   <source>Your book's title</source>
   <translation>Titel Ihres Buches</translation>
  </message>
 </context>
 <context>
  <name>NodeDetails</name>
  <message>
   <source>Export</source>
   <translation>Exportieren</translation>
  </message>
  <message>
   <source>Include in exports and prints</source>
   <translation>In Exporte und Ausdrucke aufnehmen</translation>
  </message>
  <message>
   <source>Stop</source>
   <translation>Stopp</translation>
  </message>
  <message>
   <source>Sum Up Its Chapters with the Model</source>
   <translation>Die Kapitel vom Modell zusammenfassen lassen</translation>
  </message>
  <message>
   <source>Sum Up with the Model</source>
   <translation>Vom Modell zusammenfassen lassen</translation>
  </message>
  <message>
   <source>Synopsis</source>
   <translation>Kurzinhalt</translation>
  </message>
  <message>
   <source>What happens here, in a sentence or two</source>
   <translation>Was hier geschieht, in ein, zwei Sätzen</translation>
  </message>
  <message>
   <source>Writes the synopsis; your own words are never overwritten</source>
   <translation>Schreibt den Kurzinhalt; Ihre eigenen Worte werden nie überschrieben</translation>
  </message>
 </context>
 <context>
  <name>NotesPanel</name>
  <message>
   <source>Let the model see this card when the story mentions it</source>
   <translation>Das Modell sieht diese Karte, wenn die Geschichte sie erwähnt</translation>
  </message>
  <message>
   <source>No notes yet. To add one, choose Manuscript &gt; New Note.</source>
   <translation>Noch keine Notizen. Anlegen unter Manuskript &gt; Neue Notiz.</translation>
  </message>
  <message>
   <source>Note text</source>
   <translation>Text der Notiz</translation>
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
   <source>Tell the model</source>
   <translation>Dem Modell sagen</translation>
  </message>
  <message>
   <source>Untitled</source>
   <translation>Ohne Titel</translation>
  </message>
 </context>
 <context>
  <name>NoticeBar</name>
  <message>
   <source>Choose Model…</source>
   <translation>Modell wählen…</translation>
  </message>
  <message>
   <source>Close Quire</source>
   <translation>Quire schließen</translation>
  </message>
  <message>
   <source>Compress Model Memory (8-bit)</source>
   <translation>Modellspeicher komprimieren (8 Bit)</translation>
  </message>
  <message>
   <source>Continue</source>
   <translation>Fortsetzen</translation>
  </message>
  <message>
   <source>Continue to {0} Words</source>
   <translation>Bis {0} Wörter fortsetzen</translation>
  </message>
  <message>
   <source>Dismiss</source>
   <translation>Verwerfen</translation>
  </message>
  <message>
   <source>Go There</source>
   <translation>Dorthin</translation>
  </message>
  <message>
   <source>Open Last Good Backup</source>
   <translation>Letzte gute Sicherung öffnen</translation>
  </message>
  <message>
   <source>Reload Model</source>
   <translation>Modell neu laden</translation>
  </message>
  <message>
   <source>Restore</source>
   <translation>Wiederherstellen</translation>
  </message>
  <message>
   <source>Rewind and Continue</source>
   <translation>Zurückgehen und fortsetzen</translation>
  </message>
  <message>
   <source>Same wording, shorter draft</source>
   <translation>Derselbe Wortlaut, kürzerer Entwurf</translation>
  </message>
  <message>
   <source>Save Again</source>
   <translation>Noch einmal speichern</translation>
  </message>
  <message>
   <source>Save Under Another Name…</source>
   <translation>Unter anderem Namen speichern…</translation>
  </message>
  <message>
   <source>Show Report</source>
   <translation>Bericht zeigen</translation>
  </message>
  <message>
   <source>Show in Folder</source>
   <translation>Im Ordner zeigen</translation>
  </message>
  <message>
   <source>The model remembers only the newest {0} words or so; the continuation will differ</source>
   <translation>Das Modell behält nur etwa die neuesten {0} Wörter; die Fortsetzung fällt anders aus</translation>
  </message>
  <message>
   <source>Turn Drafting On</source>
   <translation>Entwerfen einschalten</translation>
  </message>
  <message>
   <source>Undo</source>
   <translation>Zurücknehmen</translation>
  </message>
  <message>
   <source>Undo Draft</source>
   <translation>Entwurf zurücknehmen</translation>
  </message>
  <message>
   <source>Use Main Memory</source>
   <translation>Arbeitsspeicher nutzen</translation>
  </message>
  <message>
   <source>Use a Shorter Context</source>
   <translation>Kürzeren Kontext nutzen</translation>
  </message>
  <message>
   <source>Uses half the memory; the continuation will differ</source>
   <translation>Braucht die Hälfte des Speichers; die Fortsetzung fällt anders aus</translation>
  </message>
  <message>
   <source>Uses main memory; slower, and the continuation may differ</source>
   <translation>Nutzt den Arbeitsspeicher; langsamer, und die Fortsetzung kann anders ausfallen</translation>
  </message>
 </context>
 <context>
  <name>OpeningStart</name>
  <message>
   <source>1 word.</source>
   <translation>1 Wort.</translation>
  </message>
  <message>
   <source>A page or more helps the model find the voice, but shorter works too.</source>
   <translation>Eine Seite oder mehr hilft dem Modell, den Ton zu finden, kürzer geht aber auch.</translation>
  </message>
  <message>
   <source>Opening</source>
   <translation>Anfang</translation>
  </message>
  <message>
   <source>Paste or write an opening, or leave this empty.
A page or more helps the model find the voice.</source>
   <translation>Fügen Sie einen Anfang ein, schreiben Sie einen, oder lassen Sie das Feld leer.
Eine Seite oder mehr hilft dem Modell, den Ton zu finden.</translation>
  </message>
  <message>
   <source>{0} words.</source>
   <translation>{0} Wörter.</translation>
  </message>
 </context>
 <context>
  <name>OriginText</name>
  <message>
   <source>Prompt preview</source>
   <translation>Prompt-Vorschau</translation>
  </message>
 </context>
 <context>
  <name>OutlineStart</name>
  <message>
   <source>Outline</source>
   <translation>Gliederung</translation>
  </message>
  <message>
   <source>Outline chapters</source>
   <translation>Kapitel der Gliederung</translation>
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
   <source>Synopsis</source>
   <translation>Kurzinhalt</translation>
  </message>
  <message>
   <source>Title</source>
   <translation>Titel</translation>
  </message>
  <message>
   <source>Written</source>
   <translation>Geschrieben</translation>
  </message>
 </context>
 <context>
  <name>OutlineView</name>
  <message>
   <source>Book outline</source>
   <translation>Gliederung des Buches</translation>
  </message>
  <message>
   <source>Copies the selected rows, or all of them</source>
   <translation>Kopiert die ausgewählten Zeilen oder alle</translation>
  </message>
  <message>
   <source>Copy as CSV</source>
   <translation>Als CSV kopieren</translation>
  </message>
  <message>
   <source>Double-click (or F2) to edit a synopsis or status.</source>
   <translation>Doppelklick (oder F2) ändert Kurzinhalt oder Status.</translation>
  </message>
  <message>
   <source>Outline</source>
   <translation>Gliederung</translation>
  </message>
 </context>
 <context>
  <name>OverlayLayer</name>
  <message>
   <source>Also appears earlier: “{0}”. Ctrl+click to go there.</source>
   <translation>Kommt auch früher vor: „{0}“. Strg+Klick führt dorthin.</translation>
  </message>
  <message>
   <source>Repeated later: “{0}”. Ctrl+click to go there.</source>
   <translation>Kommt später wieder: „{0}“. Strg+Klick führt dorthin.</translation>
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
   <source>Highlight: {0}</source>
   <translation>Hervorhebung: {0}</translation>
  </message>
  <message>
   <source>Highlight: {0} ▾</source>
   <translation>Hervorhebung: {0} ▾</translation>
  </message>
  <message>
   <source>{0}. Press F7 for the next one.</source>
   <translation>{0}. F7 wechselt zur nächsten.</translation>
  </message>
 </context>
 <context>
  <name>OverlayTexts</name>
  <message>
   <source>Acceleration</source>
   <translation>Beschleunigung</translation>
  </message>
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
   <source>Draft model</source>
   <translation>Entwurfsmodell</translation>
  </message>
  <message>
   <source>Drafted</source>
   <translation>Entworfen</translation>
  </message>
  <message>
   <source>Drafted with an older version of Quire: only whole steps are known.</source>
   <translation>Mit einer älteren Version von Quire entworfen: nur ganze Schritte bekannt.</translation>
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
   <source>How likely the model finds the selected words</source>
   <translation>Für wie wahrscheinlich das Modell die ausgewählten Wörter hält</translation>
  </message>
  <message>
   <source>No highlighting</source>
   <translation>Keine Hervorhebung</translation>
  </message>
  <message>
   <source>No nearby repetition found.</source>
   <translation>Keine Wiederholung in der Nähe gefunden.</translation>
  </message>
  <message>
   <source>No text yet.</source>
   <translation>Noch kein Text.</translation>
  </message>
  <message>
   <source>None</source>
   <translation>Keine</translation>
  </message>
  <message>
   <source>Nothing here was drafted, or you have rewritten it all.</source>
   <translation>Hier wurde nichts entworfen, oder Sie haben alles neu geschrieben.</translation>
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
   <source>Repeated later</source>
   <translation>Kommt später wieder</translation>
  </message>
  <message>
   <source>Repeats earlier text</source>
   <translation>Wiederholt früheren Text</translation>
  </message>
  <message>
   <source>Select words and choose Inspect &gt; Alternatives for Selection.</source>
   <translation>Wählen Sie Wörter aus, dann Untersuchen &gt; Alternativen zur Auswahl.</translation>
  </message>
  <message>
   <source>Six or more words repeated nearby</source>
   <translation>Sechs oder mehr Wörter, die sich in der Nähe wiederholen</translation>
  </message>
  <message>
   <source>Source</source>
   <translation>Herkunft</translation>
  </message>
  <message>
   <source>Surprise</source>
   <translation>Überraschung</translation>
  </message>
  <message>
   <source>Which words came from acceleration, which never changes the text</source>
   <translation>Welche Wörter aus der Beschleunigung stammen; sie ändert den Text nie</translation>
  </message>
  <message>
   <source>Who wrote each part of the text</source>
   <translation>Wer welchen Teil des Textes geschrieben hat</translation>
  </message>
  <message>
   <source>You wrote</source>
   <translation>Von Ihnen geschrieben</translation>
  </message>
 </context>
 <context>
  <name>PassCurve</name>
  <message>
   <source>Tokens per pass by thousand words</source>
   <translation>Token pro Durchgang je tausend Wörter</translation>
  </message>
 </context>
 <context>
  <name>PassageList</name>
  <message>
   <source>&amp;Copy as CSV</source>
   <translation>Als CSV &amp;kopieren</translation>
  </message>
  <message>
   <source>&amp;Refresh</source>
   <translation>Neu s&amp;uchen</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Copy the list as CSV</source>
   <translation>Die Liste als CSV kopieren</translation>
  </message>
  <message>
   <source>{0} of {1}</source>
   <translation>{0} von {1}</translation>
  </message>
 </context>
 <context>
  <name>PhraseDialog</name>
  <message>
   <source>Also stop where the model ends the text</source>
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
   <source>Set Phrase</source>
   <translation>Festlegen</translation>
  </message>
  <message>
   <source>Stop at a Phrase</source>
   <translation>Bei einer Wendung anhalten</translation>
  </message>
  <message>
   <source>The draft stops when it writes exactly this, or at its goal, whichever comes first. The phrase stays in the text. Leave this empty to stop only at the goal.</source>
   <translation>Der Entwurf hält an, sobald genau dies geschrieben wurde, oder an seinem Ziel, je nachdem, was zuerst kommt. Die Wendung bleibt im Text. Leer lassen, um nur am Ziel anzuhalten.</translation>
  </message>
  <message>
   <source>Where should the draft stop?</source>
   <translation>Wo soll der Entwurf anhalten?</translation>
  </message>
  <message>
   <source>e.g. The End</source>
   <translation>z. B. Ende</translation>
  </message>
 </context>
 <context>
  <name>PhraseList</name>
  <message>
   <source>&amp;Avoid This Phrase</source>
   <translation>Diese Wendung &amp;vermeiden</translation>
  </message>
  <message>
   <source>&amp;Go There</source>
   <translation>&amp;Dorthin</translation>
  </message>
  <message>
   <source>Add it to the words to avoid: the next draft does without it</source>
   <translation>Zu den zu vermeidenden Wörtern hinzufügen: Der nächste Entwurf kommt ohne sie aus</translation>
  </message>
  <message>
   <source>Avoided</source>
   <translation>Wird vermieden</translation>
  </message>
  <message>
   <source>Counting phrases…</source>
   <translation>Wendungen werden gezählt…</translation>
  </message>
  <message>
   <source>Frequent Phrases</source>
   <translation>Häufige Wendungen</translation>
  </message>
  <message>
   <source>Phrases</source>
   <translation>Wendungen</translation>
  </message>
 </context>
 <context>
  <name>PhraseRows</name>
  <message>
   <source>How often it occurs in 100,000 words of 171 published novels, 1605 to 1929</source>
   <translation>Wie oft sie in 100.000 Wörtern von 171 veröffentlichten Romanen von 1605 bis 1929 vorkommt</translation>
  </message>
  <message>
   <source>In novels</source>
   <translation>In Romanen</translation>
  </message>
  <message>
   <source>No phrase of three words or more stands out ({0} words checked).</source>
   <translation>Keine Wendung aus drei oder mehr Wörtern fällt auf ({0} Wörter geprüft).</translation>
  </message>
  <message>
   <source>No text yet.</source>
   <translation>Noch kein Text.</translation>
  </message>
  <message>
   <source>Per 100,000 words</source>
   <translation>Je 100.000 Wörter</translation>
  </message>
  <message>
   <source>Phrase</source>
   <translation>Wendung</translation>
  </message>
  <message>
   <source>Phrases of three words or more that occur at least {0} times ({1} words checked).</source>
   <translation>Wendungen aus drei oder mehr Wörtern, die mindestens {0}-mal vorkommen ({1} Wörter geprüft).</translation>
  </message>
  <message>
   <source>Times</source>
   <translation>Male</translation>
  </message>
  <message>
   <source>Used more often than in published novels, the most striking first ({0} words checked).</source>
   <translation>Häufiger als in veröffentlichten Romanen, die auffälligsten zuerst ({0} Wörter geprüft).</translation>
  </message>
  <message>
   <source>under {0}</source>
   <translation>unter {0}</translation>
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
  <name>PreflightController</name>
  <message>
   <source>The end of “{0}”</source>
   <translation>Ans Ende von „{0}“</translation>
  </message>
 </context>
 <context>
  <name>PreflightPanel</name>
  <message>
   <source> words or more</source>
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
   <source>Show for</source>
   <translation>Zeigen für</translation>
  </message>
  <message>
   <source>Show this panel for goals of at least this many words</source>
   <translation>Diesen Bereich bei Zielen ab dieser Wortzahl zeigen</translation>
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
   <source>About {0} words</source>
   <translation>Etwa {0} Wörter</translation>
  </message>
  <message>
   <source>About {0} {1}, {2} free</source>
   <translation>Etwa {0} {1}, {2} frei</translation>
  </message>
  <message>
   <source>About {0} {1}, {2} free: choose a smaller goal or model</source>
   <translation>Etwa {0} {1}, {2} frei: Wählen Sie ein kleineres Ziel oder Modell</translation>
  </message>
  <message>
   <source>About {0} {1}, {2} free: close other programs</source>
   <translation>Etwa {0} {1}, {2} frei: Schließen Sie andere Programme</translation>
  </message>
  <message>
   <source>About {0} {1}; free amount unknown</source>
   <translation>Etwa {0} {1}; freier Platz unbekannt</translation>
  </message>
  <message>
   <source>Context</source>
   <translation>Kontext</translation>
  </message>
  <message>
   <source>Fits: about {0} of {1} words at the goal</source>
   <translation>Passt: am Ziel etwa {0} von {1} Wörtern</translation>
  </message>
  <message>
   <source>Goal</source>
   <translation>Ziel</translation>
  </message>
  <message>
   <source>Loading the model…</source>
   <translation>Das Modell wird geladen…</translation>
  </message>
  <message>
   <source>Location</source>
   <translation>Ort</translation>
  </message>
  <message>
   <source>Longer than the model can remember (about {0} of {1} words): it will forget the oldest part as it writes</source>
   <translation>Länger, als das Modell behalten kann (etwa {0} von {1} Wörtern): Beim Schreiben vergisst es den ältesten Teil</translation>
  </message>
  <message>
   <source>Memory needed</source>
   <translation>Speicherbedarf</translation>
  </message>
  <message>
   <source>No effect there</source>
   <translation>Dort ohne Wirkung</translation>
  </message>
  <message>
   <source>None here. Words go to {0}</source>
   <translation>Keiner hier. Die Wörter gehen an {0}</translation>
  </message>
  <message>
   <source>Not known yet</source>
   <translation>Noch nicht bekannt</translation>
  </message>
  <message>
   <source>Not known: it depends on the server</source>
   <translation>Unbekannt: Das hängt vom Server ab</translation>
  </message>
  <message>
   <source>Not needed: this resumes the last draft</source>
   <translation>Nicht nötig: Der letzte Entwurf wird fortgesetzt</translation>
  </message>
  <message>
   <source>Nothing: the model has already read the text</source>
   <translation>Nichts: das Modell hat den Text schon gelesen</translation>
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
   <source>Unknown until this model has drafted in this project</source>
   <translation>Unbekannt, bis dieses Modell in diesem Projekt entworfen hat</translation>
  </message>
  <message>
   <source>of RAM</source>
   <translation>RAM</translation>
  </message>
  <message>
   <source>on the GPU</source>
   <translation>auf der GPU</translation>
  </message>
  <message>
   <source>{0} (from earlier drafts)</source>
   <translation>{0} (laut früheren Entwürfen)</translation>
  </message>
  <message>
   <source>{0} at most</source>
   <translation>{0}, höchstens</translation>
  </message>
  <message>
   <source>{0} min at most</source>
   <translation>Höchstens {0} Min.</translation>
  </message>
  <message>
   <source>{0} minutes, including reading time</source>
   <translation>{0} Minuten, Lesezeit eingeschlossen</translation>
  </message>
  <message>
   <source>{0} words, to the end of a sentence</source>
   <translation>{0} Wörter, bis zum Ende eines Satzes</translation>
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
   <source>&amp;Time</source>
   <translation>&amp;Dauer</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Choose Text Files…</source>
   <translation>Textdateien wählen…</translation>
  </message>
  <message>
   <source>Choose UTF-8 Text Files</source>
   <translation>UTF-8-Textdateien wählen</translation>
  </message>
  <message>
   <source>Everything (hours)</source>
   <translation>Alles (Stunden)</translation>
  </message>
  <message>
   <source>No files chosen</source>
   <translation>Keine Dateien gewählt</translation>
  </message>
  <message>
   <source>Quire trains a small draft model that predicts what this model will write, so drafts come faster. It never changes the text. A few minutes help and longer training helps more; you can stop and resume it at any time. More text is better: a novel's worth or more.</source>
   <translation>Quire trainiert ein kleines Entwurfsmodell, das vorhersagt, was dieses Modell schreiben wird; so geht das Schreiben schneller. Am Text ändert es nie etwas. Schon wenige Minuten helfen, längeres Training hilft mehr; Sie können es jederzeit anhalten und fortsetzen. Mehr Text ist besser: mindestens so viel wie ein Roman.</translation>
  </message>
  <message>
   <source>Resume</source>
   <translation>Fortsetzen</translation>
  </message>
  <message>
   <source>Speed Up</source>
   <translation>Beschleunigen</translation>
  </message>
  <message>
   <source>Speed Up {0}</source>
   <translation>{0} beschleunigen</translation>
  </message>
  <message>
   <source>Text files (*.txt *.md)</source>
   <translation>Textdateien (*.txt *.md)</translation>
  </message>
  <message>
   <source>Training was stopped earlier. It will resume where it left off, with the same texts.</source>
   <translation>Das Training wurde unterbrochen. Es macht mit denselben Texten dort weiter, wo es war.</translation>
  </message>
  <message>
   <source>Use the open book</source>
   <translation>Das geöffnete Buch verwenden</translation>
  </message>
  <message>
   <source>{0} minutes</source>
   <translation>{0} Minuten</translation>
  </message>
 </context>
 <context>
  <name>PresetBox</name>
  <message>
   <source>Edit Presets…</source>
   <translation>Voreinstellungen bearbeiten…</translation>
  </message>
  <message>
   <source>How freely the model chooses its words. Applies from the next draft.</source>
   <translation>Wie frei das Modell seine Wörter wählt. Gilt ab dem nächsten Entwurf.</translation>
  </message>
  <message>
   <source>Preset</source>
   <translation>Voreinstellung</translation>
  </message>
  <message>
   <source>{0}. Applies from the next draft.</source>
   <translation>{0}. Gilt ab dem nächsten Entwurf.</translation>
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
   <source>Export…</source>
   <translation>Exportieren…</translation>
  </message>
  <message>
   <source>Import Presets</source>
   <translation>Voreinstellungen importieren</translation>
  </message>
  <message>
   <source>Import…</source>
   <translation>Importieren…</translation>
  </message>
  <message>
   <source>Preset name</source>
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
   <source>Quire adapts the temperature and penalty of {0} to each model.</source>
   <translation>Temperatur und Wiederholungsstrafe von {0} passt Quire jedem Modell an.</translation>
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
   <source>Save your changes to {0}, or enter another name to save a new preset.</source>
   <translation>Speichern Sie Ihre Änderungen an {0}, oder geben Sie für eine neue Voreinstellung einen anderen Namen ein.</translation>
  </message>
  <message>
   <source>Use Preset</source>
   <translation>Voreinstellung verwenden</translation>
  </message>
  <message>
   <source>{0} (in use)</source>
   <translation>{0} (in Gebrauch)</translation>
  </message>
  <message>
   <source>{0} is built in. To keep your changes, save them under another name.</source>
   <translation>{0} ist eingebaut. Um Ihre Änderungen zu behalten, speichern Sie sie unter einem anderen Namen.</translation>
  </message>
 </context>
 <context>
  <name>PresetForm</name>
  <message>
   <source>Adaptive cutoff (eta)</source>
   <translation>Angepasste Grenze (eta)</translation>
  </message>
  <message>
   <source>Always choose the most likely word (greedy)</source>
   <translation>Immer das wahrscheinlichste Wort wählen (greedy)</translation>
  </message>
  <message>
   <source>Boldness (temperature)</source>
   <translation>Kühnheit (Temperatur)</translation>
  </message>
  <message>
   <source>Cuts more where the model is confident, less where it is not. 0 turns it off.</source>
   <translation>Verwirft mehr, wo das Modell sicher ist, weniger, wo nicht. 0 schaltet es aus.</translation>
  </message>
  <message>
   <source>Drop unlikely words (min-p)</source>
   <translation>Unwahrscheinliche Wörter verwerfen (min-p)</translation>
  </message>
  <message>
   <source>Drops words less likely than this fraction of the most likely one. 0 drops none.</source>
   <translation>Verwirft Wörter, die unwahrscheinlicher sind als dieser Bruchteil des wahrscheinlichsten. 0 verwirft keine.</translation>
  </message>
  <message>
   <source>In tokens; a token is about three quarters of a word.</source>
   <translation>In Token; ein Token ist etwa drei Viertel eines Wortes.</translation>
  </message>
  <message>
   <source>Keep the most likely words (top-p)</source>
   <translation>Wahrscheinlichste Wörter behalten (top-p)</translation>
  </message>
  <message>
   <source>Keeps only this many of the most likely words. 0 keeps all.</source>
   <translation>Behält nur so viele der wahrscheinlichsten Wörter. 0 behält alle.</translation>
  </message>
  <message>
   <source>Keeps the most likely words up to this total probability. 1 keeps all.</source>
   <translation>Behält die wahrscheinlichsten Wörter bis zu dieser Gesamtwahrscheinlichkeit. 1 behält alle.</translation>
  </message>
  <message>
   <source>Limit the number of choices (top-k)</source>
   <translation>Zahl der Möglichkeiten begrenzen (top-k)</translation>
  </message>
  <message>
   <source>Lower values favour likely words; higher values allow surprising ones.</source>
   <translation>Niedrige Werte bevorzugen wahrscheinliche Wörter, hohe lassen überraschende zu.</translation>
  </message>
  <message>
   <source>Makes recently used words less likely. 1 has no effect.</source>
   <translation>Macht zuletzt verwendete Wörter weniger wahrscheinlich. 1 hat keine Wirkung.</translation>
  </message>
  <message>
   <source>No randomness. Long drafts soon start to loop.</source>
   <translation>Kein Zufall. Lange Entwürfe geraten so bald in Schleifen.</translation>
  </message>
  <message>
   <source>Penalty range</source>
   <translation>Reichweite der Strafe</translation>
  </message>
  <message>
   <source>Raises the penalty while the text repeats itself more than novels do. 0: never.</source>
   <translation>Verstärkt die Strafe, solange sich der Text mehr wiederholt als Romane. 0: nie.</translation>
  </message>
  <message>
   <source>Repetition penalty</source>
   <translation>Wiederholungsstrafe</translation>
  </message>
  <message>
   <source>Stronger against repetition</source>
   <translation>Stärker gegen Wiederholung</translation>
  </message>
 </context>
 <context>
  <name>PrintDialog</name>
  <message>
   <source>Chapters to print</source>
   <translation>Kapitel zum Drucken</translation>
  </message>
  <message>
   <source>Preparing pages</source>
   <translation>Seiten werden vorbereitet</translation>
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
   <source>Progress towards the goal</source>
   <translation>Fortschritt zum Ziel</translation>
  </message>
 </context>
 <context>
  <name>ProjectFileDialog</name>
  <message>
   <source>All files (*)</source>
   <translation>Alle Dateien (*)</translation>
  </message>
  <message>
   <source>Open Project</source>
   <translation>Projekt öffnen</translation>
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
   <source>Add Current Chapter</source>
   <translation>Aktuelles Kapitel hinzufügen</translation>
  </message>
  <message>
   <source>Add One per Beat</source>
   <translation>Einen pro Handlungsschritt hinzufügen</translation>
  </message>
  <message>
   <source>Author's note: {0}</source>
   <translation>Autorennotiz: {0}</translation>
  </message>
  <message>
   <source>Clear Finished</source>
   <translation>Fertige entfernen</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Deleted text</source>
   <translation>Gelöschter Text</translation>
  </message>
  <message>
   <source>Down</source>
   <translation>Nach unten</translation>
  </message>
  <message>
   <source>Draft Queue</source>
   <translation>Entwurfs-Warteschlange</translation>
  </message>
  <message>
   <source>Drafts to write, in order</source>
   <translation>Zu schreibende Entwürfe, der Reihe nach</translation>
  </message>
  <message>
   <source>Each draft is added at the end of its chapter. Nothing runs until you start the queue.</source>
   <translation>Jeder Entwurf wird am Ende seines Kapitels angefügt. Nichts läuft, bevor Sie die Warteschlange starten.</translation>
  </message>
  <message>
   <source>Remove</source>
   <translation>Entfernen</translation>
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
   <source>The open chapter with the current goal, preset and author's note</source>
   <translation>Das offene Kapitel mit aktuellem Ziel, aktueller Voreinstellung und Autorennotiz</translation>
  </message>
  <message>
   <source>Up</source>
   <translation>Nach oben</translation>
  </message>
  <message>
   <source>drafting</source>
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
   <source>✓ finished</source>
   <translation>✓ fertig</translation>
  </message>
 </context>
 <context>
  <name>ReadingDialog</name>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Continue without rereading</source>
   <translation>Fortsetzen, ohne neu zu lesen</translation>
  </message>
  <message>
   <source>Remember my answer</source>
   <translation>Meine Antwort merken</translation>
  </message>
  <message>
   <source>Reread ({0})</source>
   <translation>Neu lesen ({0})</translation>
  </message>
  <message>
   <source>Reread Text?</source>
   <translation>Text neu lesen?</translation>
  </message>
  <message>
   <source>Reread from {0} ({1})</source>
   <translation>Neu lesen ab {0} ({1})</translation>
  </message>
  <message>
   <source>Reread it, and the draft continues from your new words. Continue without rereading, and the draft starts at once but the model remembers the old wording.</source>
   <translation>Liest das Modell neu, geht der Entwurf von Ihren neuen Wörtern aus weiter. Ohne neues Lesen geht es sofort weiter, aber das Modell erinnert sich an den alten Wortlaut.</translation>
  </message>
  <message>
   <source>You can change this in Preferences</source>
   <translation>Lässt sich in den Einstellungen ändern</translation>
  </message>
  <message>
   <source>You edited text the model has already read</source>
   <translation>Sie haben Text geändert, den das Modell schon gelesen hat</translation>
  </message>
  <message>
   <source>about {0} words</source>
   <translation>etwa {0} Wörter</translation>
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
   <source>Find in book</source>
   <translation>Im Buch suchen</translation>
  </message>
  <message>
   <source>Go to a chapter</source>
   <translation>Zu einem Kapitel gehen</translation>
  </message>
  <message>
   <source>Not found</source>
   <translation>Nicht gefunden</translation>
  </message>
 </context>
 <context>
  <name>ReadingView</name>
  <message>
   <source>Reading view</source>
   <translation>Leseansicht</translation>
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
   <source>opened earlier</source>
   <translation>früher geöffnet</translation>
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
   <source>Could not save the report there ({0}). Choose another folder.</source>
   <translation>Der Bericht ließ sich dort nicht speichern ({0}). Wählen Sie einen anderen Ordner.</translation>
  </message>
  <message>
   <source>Problem report</source>
   <translation>Problembericht</translation>
  </message>
  <message>
   <source>Report a Problem</source>
   <translation>Ein Problem melden</translation>
  </message>
  <message>
   <source>Report text</source>
   <translation>Berichtstext</translation>
  </message>
  <message>
   <source>Saved.</source>
   <translation>Gespeichert.</translation>
  </message>
  <message>
   <source>Save…</source>
   <translation>Speichern…</translation>
  </message>
  <message>
   <source>This report lists versions, places in the program and types of error. It contains none of your writing and no file names. Quire sends nothing by itself: copy the report into an email or an issue, and add a sentence about what you were doing.</source>
   <translation>Dieser Bericht nennt Versionen, Stellen im Programm und Arten von Fehlern. Er enthält nichts von Ihrem Text und keine Dateinamen. Quire sendet von sich aus nichts: Kopieren Sie den Bericht in eine E-Mail oder einen Fehlerbericht, und schreiben Sie einen Satz dazu, was Sie gerade getan haben.</translation>
  </message>
 </context>
 <context>
  <name>ReportFileDialog</name>
  <message>
   <source>All files (*)</source>
   <translation>Alle Dateien (*)</translation>
  </message>
  <message>
   <source>Save Report</source>
   <translation>Bericht speichern</translation>
  </message>
  <message>
   <source>Text files (*.txt)</source>
   <translation>Textdateien (*.txt)</translation>
  </message>
 </context>
 <context>
  <name>RestoreDialog</name>
  <message>
   <source>At closing</source>
   <translation>Beim Schließen</translation>
  </message>
  <message>
   <source>Backups, newest first</source>
   <translation>Sicherungen, die neueste zuerst</translation>
  </message>
  <message>
   <source>Before an update of Quire</source>
   <translation>Vor einem Update von Quire</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Daily</source>
   <translation>Täglich</translation>
  </message>
  <message>
   <source>Made by you</source>
   <translation>Von Ihnen angelegt</translation>
  </message>
  <message>
   <source>Restore</source>
   <translation>Wiederherstellen</translation>
  </message>
  <message>
   <source>Restore from Backup</source>
   <translation>Aus Sicherung wiederherstellen</translation>
  </message>
  <message>
   <source>Restoring makes a new project beside this one. Neither this one nor the backup changes.</source>
   <translation>Beim Wiederherstellen entsteht ein neues Projekt neben diesem. Weder dieses noch die Sicherung ändert sich.</translation>
  </message>
  <message>
   <source>Text of this backup</source>
   <translation>Text dieser Sicherung</translation>
  </message>
  <message>
   <source>counting words…</source>
   <translation>Wörter werden gezählt …</translation>
  </message>
  <message>
   <source>damaged</source>
   <translation>beschädigt</translation>
  </message>
  <message>
   <source>{0} words</source>
   <translation>{0} Wörter</translation>
  </message>
 </context>
 <context>
  <name>ResultBar</name>
  <message>
   <source>Bring the draft back into the text (Ctrl+Shift+Z)</source>
   <translation>Den Entwurf in den Text zurückholen (Strg+Umschalt+Z)</translation>
  </message>
  <message>
   <source>Draft again from the cursor (Ctrl+Shift+Return)</source>
   <translation>Ab der Schreibmarke neu entwerfen (Strg+Umschalt+Eingabe)</translation>
  </message>
  <message>
   <source>Draft again; this draft is kept as a take (Alt+R)</source>
   <translation>Noch einmal entwerfen; dieser Entwurf bleibt als Fassung erhalten (Alt+R)</translation>
  </message>
  <message>
   <source>Keep</source>
   <translation>Behalten</translation>
  </message>
  <message>
   <source>Keep the draft; its tint and this bar go away</source>
   <translation>Den Entwurf behalten; die Tönung und diese Leiste verschwinden</translation>
  </message>
  <message>
   <source>Next take (Alt+PgDown)</source>
   <translation>Nächste Fassung (Alt+Bild ab)</translation>
  </message>
  <message>
   <source>Previous take (Alt+PgUp)</source>
   <translation>Vorige Fassung (Alt+Bild auf)</translation>
  </message>
  <message>
   <source>Redo Draft</source>
   <translation>Entwurf zurückholen</translation>
  </message>
  <message>
   <source>Redraft From Here</source>
   <translation>Ab hier neu entwerfen</translation>
  </message>
  <message>
   <source>Remove the draft from the text; it is kept as a take (Ctrl+Z)</source>
   <translation>Den Entwurf aus dem Text nehmen; er bleibt als Fassung erhalten (Strg+Z)</translation>
  </message>
  <message>
   <source>Retry</source>
   <translation>Noch einmal</translation>
  </message>
  <message>
   <source>Take {0} of {1}</source>
   <translation>Fassung {0} von {1}</translation>
  </message>
  <message>
   <source>The last draft</source>
   <translation>Der letzte Entwurf</translation>
  </message>
  <message>
   <source>Undo</source>
   <translation>Zurücknehmen</translation>
  </message>
 </context>
 <context>
  <name>RewriteBar</name>
  <message>
   <source>Ask again; this answer is kept beside</source>
   <translation>Noch einmal fragen; diese Antwort bleibt daneben erhalten</translation>
  </message>
  <message>
   <source>Describe</source>
   <translation>Beschreiben</translation>
  </message>
  <message>
   <source>Discard</source>
   <translation>Verwerfen</translation>
  </message>
  <message>
   <source>Expand</source>
   <translation>Ausführen</translation>
  </message>
  <message>
   <source>How the passage should change</source>
   <translation>Wie die Stelle sich ändern soll</translation>
  </message>
  <message>
   <source>In Other Words</source>
   <translation>Mit anderen Worten</translation>
  </message>
  <message>
   <source>Keep</source>
   <translation>Behalten</translation>
  </message>
  <message>
   <source>Leave the passage as it is (Esc)</source>
   <translation>Die Stelle lassen, wie sie ist (Esc)</translation>
  </message>
  <message>
   <source>More to see, hear, smell and feel</source>
   <translation>Mehr zu sehen, zu hören, zu riechen und zu fühlen</translation>
  </message>
  <message>
   <source>Next answer</source>
   <translation>Nächste Antwort</translation>
  </message>
  <message>
   <source>Or say how: sadder, from her side, in the past tense…</source>
   <translation>Oder sagen Sie, wie: trauriger, aus ihrer Sicht, in der Vergangenheit …</translation>
  </message>
  <message>
   <source>Previous answer</source>
   <translation>Vorige Antwort</translation>
  </message>
  <message>
   <source>Put the answer in place of the passage</source>
   <translation>Die Antwort an die Stelle der Passage setzen</translation>
  </message>
  <message>
   <source>Retry</source>
   <translation>Noch einmal</translation>
  </message>
  <message>
   <source>Rewrite</source>
   <translation>Umschreiben</translation>
  </message>
  <message>
   <source>Rewrite the selection</source>
   <translation>Die Auswahl umschreiben</translation>
  </message>
  <message>
   <source>Shorten</source>
   <translation>Kürzen</translation>
  </message>
  <message>
   <source>Stop</source>
   <translation>Stopp</translation>
  </message>
  <message>
   <source>Stop writing this answer (Esc)</source>
   <translation>Diese Antwort abbrechen (Esc)</translation>
  </message>
  <message>
   <source>The model's answer</source>
   <translation>Die Antwort des Modells</translation>
  </message>
  <message>
   <source>The same at half the length</source>
   <translation>Dasselbe, halb so lang</translation>
  </message>
  <message>
   <source>The same at twice the length</source>
   <translation>Dasselbe, doppelt so lang</translation>
  </message>
  <message>
   <source>The same, better told</source>
   <translation>Dasselbe, besser erzählt</translation>
  </message>
  <message>
   <source>The same, sentence by sentence</source>
   <translation>Dasselbe, Satz für Satz</translation>
  </message>
  <message>
   <source>Writing an answer</source>
   <translation>Eine Antwort wird geschrieben</translation>
  </message>
  <message>
   <source>You changed these words, so no answer can replace them. Copy what you need.</source>
   <translation>Sie haben diese Wörter geändert, deshalb kann keine Antwort sie ersetzen. Kopieren Sie, was Sie brauchen.</translation>
  </message>
  <message>
   <source>{0} of {1}</source>
   <translation>{0} von {1}</translation>
  </message>
 </context>
 <context>
  <name>RewritingController</name>
  <message>
   <source>Asking the model…</source>
   <translation>Das Modell wird gefragt …</translation>
  </message>
  <message>
   <source>The answer went on and on, so it was cut here.</source>
   <translation>Die Antwort nahm kein Ende und wurde deshalb hier abgeschnitten.</translation>
  </message>
  <message>
   <source>This model is small, so expect little. A larger chat model rewrites better.</source>
   <translation>Dieses Modell ist klein; erwarten Sie wenig. Ein größeres Chat-Modell schreibt besser um.</translation>
  </message>
  <message>
   <source>This model only continues stories. A chat model rewrites better.</source>
   <translation>Dieses Modell setzt nur Geschichten fort. Ein Chat-Modell schreibt besser um.</translation>
  </message>
  <message>
   <source>Waiting for the answer before this one…</source>
   <translation>Wartet auf die Antwort davor …</translation>
  </message>
 </context>
 <context>
  <name>RightPanel</name>
  <message>
   <source>Right panels</source>
   <translation>Rechte Bereiche</translation>
  </message>
 </context>
 <context>
  <name>Rule</name>
  <message>
   <source>Adaptive cutoff (eta)</source>
   <translation>Angepasste Grenze (eta)</translation>
  </message>
  <message>
   <source>Boldness (temperature)</source>
   <translation>Kühnheit (Temperatur)</translation>
  </message>
  <message>
   <source>Cuts more where the model is confident, less where it is not. 0 turns it off.</source>
   <translation>Verwirft mehr, wo das Modell sicher ist, weniger, wo nicht. 0 schaltet es aus.</translation>
  </message>
  <message>
   <source>Drop unlikely words (min-p)</source>
   <translation>Unwahrscheinliche Wörter verwerfen (min-p)</translation>
  </message>
  <message>
   <source>Drops words less likely than this fraction of the most likely one. 0 drops none.</source>
   <translation>Verwirft Wörter, die unwahrscheinlicher sind als dieser Bruchteil des wahrscheinlichsten. 0 verwirft keine.</translation>
  </message>
  <message>
   <source>In tokens; a token is about three quarters of a word.</source>
   <translation>In Token; ein Token ist etwa drei Viertel eines Wortes.</translation>
  </message>
  <message>
   <source>Keep the most likely words (top-p)</source>
   <translation>Wahrscheinlichste Wörter behalten (top-p)</translation>
  </message>
  <message>
   <source>Keeps only this many of the most likely words. 0 keeps all.</source>
   <translation>Behält nur so viele der wahrscheinlichsten Wörter. 0 behält alle.</translation>
  </message>
  <message>
   <source>Keeps the most likely words up to this total probability. 1 keeps all.</source>
   <translation>Behält die wahrscheinlichsten Wörter bis zu dieser Gesamtwahrscheinlichkeit. 1 behält alle.</translation>
  </message>
  <message>
   <source>Limit the number of choices (top-k)</source>
   <translation>Zahl der Möglichkeiten begrenzen (top-k)</translation>
  </message>
  <message>
   <source>Lower values favour likely words; higher values allow surprising ones.</source>
   <translation>Niedrige Werte bevorzugen wahrscheinliche Wörter, hohe lassen überraschende zu.</translation>
  </message>
  <message>
   <source>Makes recently used words less likely. 1 has no effect.</source>
   <translation>Macht zuletzt verwendete Wörter weniger wahrscheinlich. 1 hat keine Wirkung.</translation>
  </message>
  <message>
   <source>Penalty range</source>
   <translation>Reichweite der Strafe</translation>
  </message>
  <message>
   <source>Raises the penalty while the text repeats itself more than novels do. 0: never.</source>
   <translation>Verstärkt die Strafe, solange sich der Text mehr wiederholt als Romane. 0: nie.</translation>
  </message>
  <message>
   <source>Repetition penalty</source>
   <translation>Wiederholungsstrafe</translation>
  </message>
  <message>
   <source>Stronger against repetition</source>
   <translation>Stärker gegen Wiederholung</translation>
  </message>
 </context>
 <context>
  <name>RunDataDialog</name>
  <message>
   <source>Export Run Data</source>
   <translation>Laufdaten exportieren</translation>
  </message>
  <message>
   <source>JSON, one line per run (*.json)</source>
   <translation>JSON, eine Zeile pro Lauf (*.json)</translation>
  </message>
  <message>
   <source>Table of all steps (*.csv)</source>
   <translation>Tabelle aller Schritte (*.csv)</translation>
  </message>
 </context>
 <context>
  <name>RunStrip</name>
  <message>
   <source>Boost {0}</source>
   <translation>Schub {0}</translation>
  </message>
  <message>
   <source>Charts</source>
   <translation>Diagramme</translation>
  </message>
  <message>
   <source>Checking model</source>
   <translation>Modell wird geprüft</translation>
  </message>
  <message>
   <source>Continue will write at the end of the text</source>
   <translation>„Fortsetzen“ schreibt am Ende des Textes</translation>
  </message>
  <message>
   <source>Continue will write at the end of “{0}”</source>
   <translation>„Fortsetzen“ schreibt am Ende von „{0}“</translation>
  </message>
  <message>
   <source>Draft status</source>
   <translation>Stand des Entwurfs</translation>
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
   <source>How many times faster than without acceleration, over the last 60 seconds of drafting. Click for more.</source>
   <translation>Wievielmal so schnell wie ohne Beschleunigung, in den letzten 60 Sekunden des Entwurfs. Ein Klick zeigt mehr.</translation>
  </message>
  <message>
   <source>Loading model</source>
   <translation>Modell wird geladen</translation>
  </message>
  <message>
   <source>Loading model {0}%</source>
   <translation>Modell wird geladen: {0} %</translation>
  </message>
  <message>
   <source>No model</source>
   <translation>Kein Modell</translation>
  </message>
  <message>
   <source>Opening project</source>
   <translation>Projekt wird geöffnet</translation>
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
   <source>Preparing Quire for this processor {0}%</source>
   <translation>Quire stellt sich auf den Prozessor ein: {0} %</translation>
  </message>
  <message>
   <source>Read-only</source>
   <translation>Schreibgeschützt</translation>
  </message>
  <message>
   <source>Reading manuscript</source>
   <translation>Manuskript wird gelesen</translation>
  </message>
  <message>
   <source>Reading manuscript {0}%</source>
   <translation>Manuskript wird gelesen, {0} %</translation>
  </message>
  <message>
   <source>Ready</source>
   <translation>Bereit</translation>
  </message>
  <message>
   <source>Saving</source>
   <translation>Wird gespeichert</translation>
  </message>
  <message>
   <source>Stopped</source>
   <translation>Gestoppt</translation>
  </message>
  <message>
   <source>To draft, Quire sends the newest part of this text there, with what steers the draft.</source>
   <translation>Zum Entwerfen sendet Quire den neuesten Teil dieses Texts dorthin, mit allem, was den Entwurf steuert.</translation>
  </message>
  <message>
   <source>Waiting for the server</source>
   <translation>Wartet auf den Server</translation>
  </message>
  <message>
   <source>Words go to {0}</source>
   <translation>Die Wörter gehen an {0}</translation>
  </message>
  <message>
   <source>Words per minute over the last 60 seconds of drafting. Click for charts.</source>
   <translation>Wörter pro Minute in den letzten 60 Sekunden des Entwurfs. Ein Klick zeigt die Diagramme.</translation>
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
   <source>edit, or press Continue</source>
   <translation>bearbeiten oder Fortsetzen drücken</translation>
  </message>
  <message>
   <source>edit, or press Continue for more</source>
   <translation>bearbeiten oder Fortsetzen für mehr drücken</translation>
  </message>
  <message>
   <source>everything written so far is saved</source>
   <translation>alles bisher Geschriebene ist gespeichert</translation>
  </message>
  <message>
   <source>finishing the last word</source>
   <translation>das letzte Wort wird beendet</translation>
  </message>
  <message>
   <source>in “{0}”; you can edit finished paragraphs</source>
   <translation>in „{0}“; fertige Absätze können Sie bearbeiten</translation>
  </message>
  <message>
   <source>notes are not drafted; open a chapter to continue the book</source>
   <translation>Notizen werden nicht entworfen; öffnen Sie ein Kapitel</translation>
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
   <source>write freely; choose a model to draft</source>
   <translation>Sie können schreiben; zum Entwerfen ein Modell wählen</translation>
  </message>
  <message>
   <source>you can edit finished paragraphs</source>
   <translation>fertige Absätze lassen sich bearbeiten</translation>
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
  <name>SaveProjectDialog</name>
  <message>
   <source>Quire projects (*{0})</source>
   <translation>Quire-Projekte (*{0})</translation>
  </message>
  <message>
   <source>Save Under Another Name</source>
   <translation>Unter anderem Namen speichern</translation>
  </message>
  <message>
   <source>Save a Copy</source>
   <translation>Kopie speichern</translation>
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
   <source>Find in book</source>
   <translation>Im Buch suchen</translation>
  </message>
  <message>
   <source>First {0}; there are more</source>
   <translation>Die ersten {0}; es gibt mehr</translation>
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
   <source>Replace selected</source>
   <translation>Ausgewähltes ersetzen</translation>
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
   <source>Search again before replacing.</source>
   <translation>Suchen Sie vor dem Ersetzen noch einmal.</translation>
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
   <source>The earlier version is saved as snapshot “{0}”.</source>
   <translation>Die frühere Fassung ist als Schnappschuss „{0}“ gespeichert.</translation>
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
   <source>collapsed</source>
   <translation>zugeklappt</translation>
  </message>
  <message>
   <source>expanded</source>
   <translation>aufgeklappt</translation>
  </message>
  <message>
   <source>{0}, {1}</source>
   <translation>{0}, {1}</translation>
  </message>
 </context>
 <context>
  <name>SelfCheckController</name>
  <message>
   <source>Accelerated</source>
   <translation>Beschleunigt</translation>
  </message>
  <message>
   <source>Drafting twice…</source>
   <translation>Es wird zweimal entworfen…</translation>
  </message>
  <message>
   <source>Loading the model…</source>
   <translation>Das Modell wird geladen…</translation>
  </message>
  <message>
   <source>Plain</source>
   <translation>Einfach</translation>
  </message>
  <message>
   <source>Plain and accelerated drafting produced the same {0} tokens.</source>
   <translation>Einfaches und beschleunigtes Entwerfen ergaben dieselben {0} Token.</translation>
  </message>
  <message>
   <source>Seconds</source>
   <translation>Sekunden</translation>
  </message>
  <message>
   <source>Speed</source>
   <translation>Tempo</translation>
  </message>
  <message>
   <source>Stopped. Nothing was saved.</source>
   <translation>Gestoppt. Nichts wurde gespeichert.</translation>
  </message>
  <message>
   <source>The first {0} of {1} tokens match; they differ from token {2}.</source>
   <translation>Die ersten {0} von {1} Token stimmen überein; ab Token {2} unterscheiden sie sich.</translation>
  </message>
  <message>
   <source>This model runs on a server. Choose a model on this computer to use this.</source>
   <translation>Dieses Modell läuft auf einem Server. Wählen Sie dafür ein Modell auf diesem Computer.</translation>
  </message>
  <message>
   <source>{0} Results are not reproducible with this model on this computer, so this can happen: the words differ, but they are just as likely.</source>
   <translation>{0} Mit diesem Modell sind Ergebnisse auf diesem Computer nicht reproduzierbar, das kann also vorkommen: Die Wörter sind andere, aber ebenso wahrscheinliche.</translation>
  </message>
  <message>
   <source>{0} This should not happen. Please report it (Help &gt; Report a Problem).</source>
   <translation>{0} Das sollte nicht vorkommen. Bitte melden Sie es (Hilfe &gt; Ein Problem melden).</translation>
  </message>
  <message>
   <source>{0} tokens/s</source>
   <translation>{0} Token/s</translation>
  </message>
 </context>
 <context>
  <name>SelfCheckDialog</name>
  <message>
   <source>Acceleration should never change a single word. Quire drafts 256 tokens from the end of your text twice with the same seed, with and without acceleration, and compares the results. Nothing is added to your text.</source>
   <translation>Die Beschleunigung darf kein einziges Wort ändern. Quire entwirft vom Ende Ihres Textes an zweimal 256 Token mit demselben Startwert, mit und ohne Beschleunigung, und vergleicht die Ergebnisse. Ihrem Text wird nichts hinzugefügt.</translation>
  </message>
  <message>
   <source>Check</source>
   <translation>Prüfen</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Progress</source>
   <translation>Fortschritt</translation>
  </message>
  <message>
   <source>Self-Check</source>
   <translation>Selbstprüfung</translation>
  </message>
  <message>
   <source>Stop</source>
   <translation>Stopp</translation>
  </message>
 </context>
 <context>
  <name>ServerController</name>
  <message>
   <source>Asking {0}…</source>
   <translation>{0} wird gefragt…</translation>
  </message>
  <message>
   <source>Looking on the usual ports of this computer…</source>
   <translation>Die üblichen Ports dieses Computers werden abgesucht…</translation>
  </message>
  <message>
   <source>This computer has no keychain, so Quire keeps the key only until you quit.</source>
   <translation>Dieser Computer hat keinen Schlüsselbund, daher behält Quire den Schlüssel nur, bis Sie es beenden.</translation>
  </message>
  <message>
   <source>{0} on {1} is selected. Your words go there with the next draft, which is not reproducible.</source>
   <translation>{0} auf {1} ist gewählt. Ihre Wörter gehen mit dem nächsten Entwurf dorthin; er ist nicht wiederholbar.</translation>
  </message>
 </context>
 <context>
  <name>ServerDialog</name>
  <message>
   <source>&amp;Address</source>
   <translation>&amp;Adresse</translation>
  </message>
  <message>
   <source>&amp;Key</source>
   <translation>&amp;Schlüssel</translation>
  </message>
  <message>
   <source>&amp;Look on This Computer</source>
   <translation>Auf &amp;diesem Computer suchen</translation>
  </message>
  <message>
   <source>&amp;Model</source>
   <translation>&amp;Modell</translation>
  </message>
  <message>
   <source>&amp;Test</source>
   <translation>&amp;Testen</translation>
  </message>
  <message>
   <source>&amp;Use This Model</source>
   <translation>Dieses Modell &amp;verwenden</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Choose a model above to see what it can do.</source>
   <translation>Wählen Sie oben ein Modell, um zu sehen, was es kann.</translation>
  </message>
  <message>
   <source>Draft with a model that runs elsewhere: on a larger computer of yours, or at a provider. vLLM, SGLang, llama.cpp's server, Ollama, LM Studio and others can be used.</source>
   <translation>Entwerfen Sie mit einem Modell, das anderswo läuft: auf einem größeren Computer von Ihnen oder bei einem Anbieter. vLLM, SGLang, der Server von llama.cpp, Ollama, LM Studio und andere sind möglich.</translation>
  </message>
  <message>
   <source>Kept in this computer's keychain, and nowhere else.</source>
   <translation>Liegt im Schlüsselbund dieses Computers und nirgendwo sonst.</translation>
  </message>
  <message>
   <source>Model on Another Computer</source>
   <translation>Modell auf einem anderen Computer</translation>
  </message>
  <message>
   <source>No server answers on the usual ports (Ollama 11434, LM Studio 1234, KoboldCpp 5001, llama.cpp 8080). Start one, or type its address.</source>
   <translation>An den üblichen Ports antwortet kein Server (Ollama 11434, LM Studio 1234, KoboldCpp 5001, llama.cpp 8080). Starten Sie einen, oder geben Sie seine Adresse ein.</translation>
  </message>
  <message>
   <source>Only if the server asks for one</source>
   <translation>Nur wenn der Server einen verlangt</translation>
  </message>
  <message>
   <source>Send Anyway</source>
   <translation>Trotzdem senden</translation>
  </message>
  <message>
   <source>Send It Unencrypted?</source>
   <translation>Unverschlüsselt senden?</translation>
  </message>
  <message>
   <source>Send your words to {0} without encryption?</source>
   <translation>Ihre Wörter ohne Verschlüsselung an {0} senden?</translation>
  </message>
  <message>
   <source>Server</source>
   <translation>Server</translation>
  </message>
  <message>
   <source>Servers on this computer</source>
   <translation>Server auf diesem Computer</translation>
  </message>
  <message>
   <source>Test asks the server for a few words and shows what it can do. Nothing of your text is sent before you use the model.</source>
   <translation>Testen lässt den Server ein paar Wörter schreiben und zeigt, was er kann. Von Ihrem Text wird nichts gesendet, bevor Sie das Modell verwenden.</translation>
  </message>
  <message>
   <source>This computer has no keychain, so Quire keeps the key only until you quit.</source>
   <translation>Dieser Computer hat keinen Schlüsselbund, daher behält Quire den Schlüssel nur, bis Sie es beenden.</translation>
  </message>
  <message>
   <source>https://example.org or http://localhost:8080</source>
   <translation>https://example.org oder http://localhost:8080</translation>
  </message>
  <message>
   <source>{0} at {1}</source>
   <translation>{0} unter {1}</translation>
  </message>
 </context>
 <context>
  <name>ServerTexts</name>
  <message>
   <source>Acceptance charts show the server's own figures</source>
   <translation>Diagramme der Annahme zeigen die Zahlen des Servers</translation>
  </message>
  <message>
   <source>Alternatives and surprise need a model on this computer</source>
   <translation>Alternativen und Überraschung brauchen ein Modell auf diesem Computer</translation>
  </message>
  <message>
   <source>Chat only: it is asked to continue your text, and may answer with a comment instead</source>
   <translation>Nur Chat: Das Modell wird gebeten, Ihren Text fortzusetzen, und antwortet vielleicht mit einer Bemerkung</translation>
  </message>
  <message>
   <source>Continues your text</source>
   <translation>Setzt Ihren Text fort</translation>
  </message>
  <message>
   <source>Doesn't say how much text it remembers; the first draft shows it</source>
   <translation>Sagt nicht, an wie viel Text es sich erinnert; das zeigt der erste Entwurf</translation>
  </message>
  <message>
   <source>Doesn't say whether words to avoid can be forbidden</source>
   <translation>Sagt nicht, ob sich zu vermeidende Wörter verbieten lassen</translation>
  </message>
  <message>
   <source>It has one model.</source>
   <translation>Er hat ein Modell.</translation>
  </message>
  <message>
   <source>It has {0} models.</source>
   <translation>Er hat {0} Modelle.</translation>
  </message>
  <message>
   <source>May show alternatives and surprise; the first selection shows it</source>
   <translation>Zeigt vielleicht Alternativen und Überraschung; die erste Auswahl zeigt es</translation>
  </message>
  <message>
   <source>No acceptance charts: the server tells no figures</source>
   <translation>Keine Diagramme der Annahme: Der Server nennt keine Zahlen</translation>
  </message>
  <message>
   <source>Not encrypted: whoever is on the network between here and {0} can read your words and the key. If the server offers https, use that.</source>
   <translation>Unverschlüsselt: Wer im Netz zwischen hier und {0} sitzt, kann Ihre Wörter und den Schlüssel lesen. Bietet der Server https an, nehmen Sie das.</translation>
  </message>
  <message>
   <source>Not reproducible there: the same seed may write other words</source>
   <translation>Dort nicht wiederholbar: Derselbe Startwert kann andere Wörter schreiben</translation>
  </message>
  <message>
   <source>Pausing, continuing, takes, steering, goals and chapters work as at home</source>
   <translation>Anhalten, Fortsetzen, Fassungen, Steuerung, Ziele und Kapitel gehen wie daheim</translation>
  </message>
  <message>
   <source>Remembers about {0} words</source>
   <translation>Behält etwa {0} Wörter im Blick</translation>
  </message>
  <message>
   <source>Should continue your text; the first draft shows it</source>
   <translation>Sollte Ihren Text fortsetzen; das zeigt der erste Entwurf</translation>
  </message>
  <message>
   <source>Shows alternatives and surprise, for about {0} words at a time</source>
   <translation>Zeigt Alternativen und Überraschung, für etwa {0} Wörter auf einmal</translation>
  </message>
  <message>
   <source>The server answers.</source>
   <translation>Der Server antwortet.</translation>
  </message>
  <message>
   <source>Words to avoid are forbidden there too</source>
   <translation>Zu vermeidende Wörter sind auch dort verboten</translation>
  </message>
  <message>
   <source>Words to avoid can't be forbidden there</source>
   <translation>Zu vermeidende Wörter lassen sich dort nicht verbieten</translation>
  </message>
  <message>
   <source>Your words go to another program on this computer ({0}).</source>
   <translation>Ihre Wörter gehen an ein anderes Programm auf diesem Computer ({0}).</translation>
  </message>
  <message>
   <source>Your words go to {0}. Whoever runs it can read them.</source>
   <translation>Ihre Wörter gehen an {0}. Wer ihn betreibt, kann sie lesen.</translation>
  </message>
  <message>
   <source>{0} answers.</source>
   <translation>{0} antwortet.</translation>
  </message>
 </context>
 <context>
  <name>SessionTable</name>
  <message>
   <source>Day</source>
   <translation>Tag</translation>
  </message>
  <message>
   <source>From – to</source>
   <translation>Von – bis</translation>
  </message>
  <message>
   <source>Time</source>
   <translation>Dauer</translation>
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
   <source>Export Writing Sessions</source>
   <translation>Schreibsitzungen exportieren</translation>
  </message>
  <message>
   <source>Spreadsheet table (*.csv)</source>
   <translation>Tabelle für die Tabellenkalkulation (*.csv)</translation>
  </message>
 </context>
 <context>
  <name>ShortcutsDialog</name>
  <message>
   <source>Action</source>
   <translation>Aktion</translation>
  </message>
  <message>
   <source>Actions and keys</source>
   <translation>Aktionen und Tasten</translation>
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
   <source>No matching action or key.</source>
   <translation>Keine passende Aktion oder Taste.</translation>
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
   <source>&amp;Clear</source>
   <translation>&amp;Leeren</translation>
  </message>
  <message>
   <source>&amp;Reset</source>
   <translation>&amp;Zurücksetzen</translation>
  </message>
  <message>
   <source>Action</source>
   <translation>Aktion</translation>
  </message>
  <message>
   <source>Actions and keys</source>
   <translation>Aktionen und Tasten</translation>
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
   <source>Press new keys</source>
   <translation>Drücken Sie die neuen Tasten</translation>
  </message>
  <message>
   <source>Re&amp;assign</source>
   <translation>Neu &amp;zuweisen</translation>
  </message>
  <message>
   <source>Reset &amp;All</source>
   <translation>&amp;Alle zurücksetzen</translation>
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
   <source>{0} (changed)</source>
   <translation>{0} (geändert)</translation>
  </message>
  <message>
   <source>{0} is already assigned to “{1}”. Reassigning removes it there.</source>
   <translation>{0} ist schon „{1}“ zugewiesen. Neu zuweisen entfernt es dort.</translation>
  </message>
  <message>
   <source>{0} is needed for typing. Add Ctrl or Alt, or use a function key.</source>
   <translation>{0} wird zum Tippen gebraucht. Nehmen Sie Strg oder Alt dazu, oder eine Funktionstaste.</translation>
  </message>
  <message>
   <source>{0} is now assigned to “{1}”.</source>
   <translation>{0} ist jetzt „{1}“ zugewiesen.</translation>
  </message>
  <message>
   <source>{0} opens a menu. Choose different keys.</source>
   <translation>{0} öffnet ein Menü. Wählen Sie andere Tasten.</translation>
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
   <source>1 word</source>
   <translation>1 Wort</translation>
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
   <source>Compare</source>
   <translation>Vergleichen</translation>
  </message>
  <message>
   <source>No snapshots yet. Quire takes one before each draft.</source>
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
   <source>{0} words</source>
   <translation>{0} Wörter</translation>
  </message>
  <message>
   <source>{0}, {1}</source>
   <translation>{0}, {1}</translation>
  </message>
 </context>
 <context>
  <name>SpaceBar</name>
  <message>
   <source>Context use not known yet</source>
   <translation>Belegter Kontext noch nicht bekannt</translation>
  </message>
  <message>
   <source>Context used</source>
   <translation>Kontext</translation>
  </message>
  <message>
   <source>Context used: {0}{1} of {2} words</source>
   <translation>Belegter Kontext: {0}{1} von {2} Wörtern</translation>
  </message>
  <message>
   <source>Room to write</source>
   <translation>Platz zum Schreiben</translation>
  </message>
  <message>
   <source>about </source>
   <translation>etwa </translation>
  </message>
  <message>
   <source>room to write {0}</source>
   <translation>Platz zum Schreiben {0}</translation>
  </message>
  <message>
   <source>{0} words</source>
   <translation>{0} Wörter</translation>
  </message>
  <message>
   <source>{0} words ({1}{2} tokens)</source>
   <translation>{0} Wörter ({1}{2} Token)</translation>
  </message>
  <message>
   <source>{0}{1} of {2} words</source>
   <translation>{0}{1} von {2} Wörtern</translation>
  </message>
 </context>
 <context>
  <name>SpellingController</name>
  <message>
   <source>Dictionary for {0} added. This book now uses it.</source>
   <translation>Wörterbuch für {0} hinzugefügt. Es gilt jetzt für dieses Buch.</translation>
  </message>
  <message>
   <source>No dictionary for {0}</source>
   <translation>Kein Wörterbuch für {0}</translation>
  </message>
  <message>
   <source>No misspellings found.</source>
   <translation>Keine Rechtschreibfehler gefunden.</translation>
  </message>
  <message>
   <source>Spelling is off: no dictionary for {0}. Add one or choose another language in Edit &gt; Spelling.</source>
   <translation>Rechtschreibprüfung aus: kein Wörterbuch für {0}. Fügen Sie unter Bearbeiten &gt; Rechtschreibung eines hinzu, oder wählen Sie eine andere Sprache.</translation>
  </message>
  <message>
   <source>Spelling off</source>
   <translation>Rechtschreibung aus</translation>
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
   <source>Chinese and Japanese are counted in characters, Thai in its words; Lao, Khmer and Burmese in what spaces part.</source>
   <translation>Chinesisch und Japanisch werden in Zeichen gezählt, Thai in seinen Wörtern, Laotisch, Khmer und Birmanisch in dem, was Leerzeichen trennen.</translation>
  </message>
  <message>
   <source>Fast (int8)</source>
   <translation>Schnell (int8)</translation>
  </message>
  <message>
   <source>Model precision</source>
   <translation>Genauigkeit des Modells</translation>
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
   <source>Saving…</source>
   <translation>Wird gespeichert…</translation>
  </message>
  <message>
   <source>Spelling language. Change it in Edit &gt; Spelling.</source>
   <translation>Sprache der Rechtschreibprüfung. Ändern unter Bearbeiten &gt; Rechtschreibung.</translation>
  </message>
  <message>
   <source>Today: {0}</source>
   <translation>Heute: {0}</translation>
  </message>
  <message>
   <source>Words you wrote and words drafted today. See Tools &gt; Writing Statistics.</source>
   <translation>Heute von Ihnen geschriebene und entworfene Wörter. Mehr unter Extras &gt; Schreibstatistik.</translation>
  </message>
  <message>
   <source>{0} drafted</source>
   <translation>{0} entworfen</translation>
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
   <source>{0} of {1} written</source>
   <translation>{0} von {1} geschrieben</translation>
  </message>
  <message>
   <source>{0} words</source>
   <translation>{0} Wörter</translation>
  </message>
  <message>
   <source>{0} written</source>
   <translation>{0} geschrieben</translation>
  </message>
 </context>
 <context>
  <name>SteerPanel</name>
  <message>
   <source>+ New Card</source>
   <translation>+ Neue Karte</translation>
  </message>
  <message>
   <source>1 entry</source>
   <translation>1 Eintrag</translation>
  </message>
  <message>
   <source>1 paragraph from the end</source>
   <translation>1 Absatz vor dem Ende</translation>
  </message>
  <message>
   <source>A few paragraphs from the end</source>
   <translation>Einige Absätze vor dem Ende</translation>
  </message>
  <message>
   <source>A style sample in the book's voice; the model reads it before the story</source>
   <translation>Eine Stilprobe im Ton des Buches; das Modell liest sie vor der Geschichte</translation>
  </message>
  <message>
   <source>Add a new card, or one that is in the tree</source>
   <translation>Eine neue Karte hinzufügen, oder eine aus dem Baum</translation>
  </message>
  <message>
   <source>Add to the Lorebook</source>
   <translation>Ins Lexikon aufnehmen</translation>
  </message>
  <message>
   <source>All beats have been used.</source>
   <translation>Alle Handlungsschritte sind verwendet.</translation>
  </message>
  <message>
   <source>Author's Note</source>
   <translation>Autorennotiz</translation>
  </message>
  <message>
   <source>Author's note</source>
   <translation>Autorennotiz</translation>
  </message>
  <message>
   <source>Beats</source>
   <translation>Handlungsschritte</translation>
  </message>
  <message>
   <source>Beats of {0}</source>
   <translation>Handlungsschritte von {0}</translation>
  </message>
  <message>
   <source>Earlier versions</source>
   <translation>Frühere Stände</translation>
  </message>
  <message>
   <source>For chat models: sends Memory as the request and the story as the reply</source>
   <translation>Für Chatmodelle: schickt das Gedächtnis als Anfrage und die Geschichte als Antwort</translation>
  </message>
  <message>
   <source>From Your Cards</source>
   <translation>Aus Ihren Karten</translation>
  </message>
  <message>
   <source>Ignored lines: {0}. The limit is {1} lines of {2} characters each.</source>
   <translation>Nicht beachtete Zeilen: {0}. Möglich sind {1} Zeilen mit je {2} Zeichen.</translation>
  </message>
  <message>
   <source>Last used: {0}</source>
   <translation>Zuletzt verwendet: {0}</translation>
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
   <source>New Card…</source>
   <translation>Neue Karte…</translation>
  </message>
  <message>
   <source>Next: {0}</source>
   <translation>Als Nächstes: {0}</translation>
  </message>
  <message>
   <source>One line per event. Each new draft uses the next one.</source>
   <translation>Eine Zeile pro Ereignis. Jeder neue Entwurf nimmt die nächste.</translation>
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
   <source>Prompt Preview</source>
   <translation>Prompt-Vorschau</translation>
  </message>
  <message>
   <source>Shows everything the model will read (Ctrl+Shift+M)</source>
   <translation>Zeigt alles, was das Modell lesen wird (Strg+Umschalt+M)</translation>
  </message>
  <message>
   <source>Steer</source>
   <translation>Steuern</translation>
  </message>
  <message>
   <source>Steering</source>
   <translation>Steuerung</translation>
  </message>
  <message>
   <source>The model avoids these from the next draft. Other spellings can still occur, and longer words that start the same way may be avoided too.</source>
   <translation>Das Modell vermeidet diese ab dem nächsten Entwurf. Andere Schreibweisen können noch vorkommen, und längere Wörter mit gleichem Anfang werden vielleicht auch vermieden.</translation>
  </message>
  <message>
   <source>The nearer to the end, the more the note weighs</source>
   <translation>Je näher am Ende, desto mehr Gewicht hat die Notiz</translation>
  </message>
  <message>
   <source>Untitled</source>
   <translation>Ohne Titel</translation>
  </message>
  <message>
   <source>Use Again</source>
   <translation>Noch einmal verwenden</translation>
  </message>
  <message>
   <source>Use chat format</source>
   <translation>Chatformat verwenden</translation>
  </message>
  <message>
   <source>What the model keeps in mind while it writes, until you change it</source>
   <translation>Was das Modell beim Schreiben im Sinn behält, bis Sie es ändern</translation>
  </message>
  <message>
   <source>What the model must not forget: who, where, when and what has happened</source>
   <translation>Was das Modell nicht vergessen darf: wer, wo, wann und was bisher geschah</translation>
  </message>
  <message>
   <source>Where the note stands in the text</source>
   <translation>Wo die Notiz im Text steht</translation>
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
   <source>{0} in use</source>
   <translation>{0} verwendet</translation>
  </message>
  <message>
   <source>{0} of {1} used</source>
   <translation>{0} von {1} verwendet</translation>
  </message>
  <message>
   <source>{0} paragraphs from the end</source>
   <translation>{0} Absätze vor dem Ende</translation>
  </message>
 </context>
 <context>
  <name>Steering</name>
  <message>
   <source>1 word</source>
   <translation>1 Wort</translation>
  </message>
  <message>
   <source>Author's Note</source>
   <translation>Autorennotiz</translation>
  </message>
  <message>
   <source>Beat</source>
   <translation>Handlungsschritt</translation>
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
   <source>The Story So Far</source>
   <translation>Was bisher geschah</translation>
  </message>
  <message>
   <source>What Is to Come</source>
   <translation>Was noch kommt</translation>
  </message>
  <message>
   <source>longer than the model can remember</source>
   <translation>länger, als das Modell behalten kann</translation>
  </message>
  <message>
   <source>no keyword in recent pages</source>
   <translation>kein Stichwort auf den letzten Seiten</translation>
  </message>
  <message>
   <source>no room before the story</source>
   <translation>kein Platz vor der Geschichte</translation>
  </message>
  <message>
   <source>too long; end left out</source>
   <translation>zu lang; Ende weggelassen</translation>
  </message>
  <message>
   <source>turned off</source>
   <translation>ausgeschaltet</translation>
  </message>
  <message>
   <source>{0} words</source>
   <translation>{0} Wörter</translation>
  </message>
 </context>
 <context>
  <name>SuggestionMenu</name>
  <message>
   <source>&amp;Add “{0}” to Dictionary</source>
   <translation>„{0}“ zum Wörterbuch &amp;hinzufügen</translation>
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
   <source>Spelling suggestions for {0}</source>
   <translation>Schreibvorschläge für {0}</translation>
  </message>
 </context>
 <context>
  <name>SynopsisDelegate</name>
  <message>
   <source>Synopsis</source>
   <translation>Kurzinhalt</translation>
  </message>
 </context>
 <context>
  <name>TakeActions</name>
  <message>
   <source>&amp;Compare</source>
   <translation>&amp;Vergleichen</translation>
  </message>
  <message>
   <source>&amp;Delete Permanently…</source>
   <translation>&amp;Endgültig löschen…</translation>
  </message>
  <message>
   <source>&amp;Empty Trash…</source>
   <translation>Pa&amp;pierkorb leeren…</translation>
  </message>
  <message>
   <source>&amp;Redraft This Take</source>
   <translation>Diese Fassung &amp;neu entwerfen</translation>
  </message>
  <message>
   <source>&amp;Rename…</source>
   <translation>&amp;Umbenennen…</translation>
  </message>
  <message>
   <source>&amp;Restore</source>
   <translation>&amp;Wiederherstellen</translation>
  </message>
  <message>
   <source>Deleted after 30 days</source>
   <translation>Wird nach 30 Tagen gelöscht</translation>
  </message>
  <message>
   <source>Drafts this take again, word for word</source>
   <translation>Entwirft diese Fassung noch einmal, Wort für Wort</translation>
  </message>
  <message>
   <source>Move to T&amp;rash</source>
   <translation>In den &amp;Papierkorb verschieben</translation>
  </message>
  <message>
   <source>Open as &amp;Second Text</source>
   <translation>Als &amp;zweiten Text öffnen</translation>
  </message>
  <message>
   <source>Show in C&amp;harts</source>
   <translation>In den &amp;Diagrammen zeigen</translation>
  </message>
  <message>
   <source>Use &amp;This Take</source>
   <translation>Diese Fassung &amp;verwenden</translation>
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
   <source>Acceptance rate</source>
   <translation>Annahmequote</translation>
  </message>
  <message>
   <source>After … {0}</source>
   <translation>Nach … {0}</translation>
  </message>
  <message>
   <source>All words in this take, drafted and written</source>
   <translation>Alle Wörter dieser Fassung, entworfen und geschrieben</translation>
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
   <source>Drafting time</source>
   <translation>Entwurfszeit</translation>
  </message>
  <message>
   <source>Echoes</source>
   <translation>Echos</translation>
  </message>
  <message>
   <source>Excluding reading and pauses</source>
   <translation>Ohne Lesen und Pausen</translation>
  </message>
  <message>
   <source>From the start</source>
   <translation>Von Anfang an</translation>
  </message>
  <message>
   <source>How freely the model chose its words</source>
   <translation>Wie frei das Modell seine Wörter gewählt hat</translation>
  </message>
  <message>
   <source>Model</source>
   <translation>Modell</translation>
  </message>
  <message>
   <source>No differences.</source>
   <translation>Keine Unterschiede.</translation>
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
   <source>Share of distinct word pairs in 2,000 words, including those before the take. Published novels: 0.59 to 0.90. Needs 2,000 words</source>
   <translation>Anteil der verschiedenen Wortpaare in 2.000 Wörtern, auch denen vor der Fassung. Veröffentlichte Romane: 0,59 bis 0,90. Braucht 2.000 Wörter</translation>
  </message>
  <message>
   <source>Share of draft tokens the model accepted. Says nothing about quality</source>
   <translation>Anteil der Vorschläge, die das Modell angenommen hat. Sagt nichts über die Qualität</translation>
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
   <source>The model that drafted it</source>
   <translation>Das Modell, das sie entworfen hat</translation>
  </message>
  <message>
   <source>The same seed and settings give the same take</source>
   <translation>Gleicher Startwert und gleiche Einstellungen ergeben die gleiche Fassung</translation>
  </message>
  <message>
   <source>Tokens per step</source>
   <translation>Token pro Schritt</translation>
  </message>
  <message>
   <source>Tokens written per step of the full model</source>
   <translation>Token je Schritt des vollen Modells</translation>
  </message>
  <message>
   <source>Variety</source>
   <translation>Vielfalt</translation>
  </message>
  <message>
   <source>When it was last drafted</source>
   <translation>Wann zuletzt daran entworfen wurde</translation>
  </message>
  <message>
   <source>While drafting</source>
   <translation>Während des Entwerfens</translation>
  </message>
  <message>
   <source>Words</source>
   <translation>Wörter</translation>
  </message>
  <message>
   <source>Words per minute</source>
   <translation>Wörter pro Minute</translation>
  </message>
  <message>
   <source>custom</source>
   <translation>eigene Einstellungen</translation>
  </message>
  <message>
   <source>{0} (on a server, not reproducible)</source>
   <translation>{0} (auf einem Server, nicht wiederholbar)</translation>
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
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Compare</source>
   <translation>Vergleichen</translation>
  </message>
  <message>
   <source>Delete Permanently</source>
   <translation>Endgültig löschen</translation>
  </message>
  <message>
   <source>In the trash</source>
   <translation>Im Papierkorb</translation>
  </message>
  <message>
   <source>Items are deleted after 30 days.</source>
   <translation>Wird nach 30 Tagen gelöscht.</translation>
  </message>
  <message>
   <source>Name (leave empty to use its number)</source>
   <translation>Name (leer lassen für die Nummer)</translation>
  </message>
  <message>
   <source>No takes yet. Use Retry or Redraft From Here to create one.</source>
   <translation>Noch keine Fassungen. Noch einmal oder Ab hier neu entwerfen legt eine an.</translation>
  </message>
  <message>
   <source>Permanently delete all takes in this text's trash?</source>
   <translation>Alle Fassungen im Papierkorb dieses Textes endgültig löschen?</translation>
  </message>
  <message>
   <source>Permanently delete {0}?</source>
   <translation>{0} endgültig löschen?</translation>
  </message>
  <message>
   <source>Rename Take</source>
   <translation>Fassung umbenennen</translation>
  </message>
  <message>
   <source>Takes</source>
   <translation>Fassungen</translation>
  </message>
  <message>
   <source>This also deletes takes that begin in it and its draft data. Snapshots are kept.</source>
   <translation>Auch Fassungen, die darin beginnen, und die Entwurfsdaten werden gelöscht. Schnappschüsse bleiben erhalten.</translation>
  </message>
  <message>
   <source>Trash</source>
   <translation>Papierkorb</translation>
  </message>
  <message>
   <source>Use This Take</source>
   <translation>Diese Fassung verwenden</translation>
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
   <source>{0} hours</source>
   <translation>{0} Stunden</translation>
  </message>
  <message>
   <source>{0} written</source>
   <translation>{0} geschrieben</translation>
  </message>
 </context>
 <context>
  <name>TextBeside</name>
  <message>
   <source>Close this text</source>
   <translation>Diesen Text schließen</translation>
  </message>
  <message>
   <source>Edit</source>
   <translation>Bearbeiten</translation>
  </message>
  <message>
   <source>Second text</source>
   <translation>Zweiter Text</translation>
  </message>
  <message>
   <source>Swaps the two texts, so that you can edit this one on the left</source>
   <translation>Tauscht die beiden Texte: Dieser kommt nach links und lässt sich dort bearbeiten</translation>
  </message>
  <message>
   <source>Text to show</source>
   <translation>Text, der gezeigt wird</translation>
  </message>
  <message>
   <source>{0} (read-only)</source>
   <translation>{0}, zum Lesen</translation>
  </message>
 </context>
 <context>
  <name>TextFileDialog</name>
  <message>
   <source>All files (*)</source>
   <translation>Alle Dateien (*)</translation>
  </message>
  <message>
   <source>Import Manuscript</source>
   <translation>Manuskript importieren</translation>
  </message>
  <message>
   <source>Manuscripts (*.txt *.md *.markdown *.docx *.odt *.epub *.rtf *.html *.htm)</source>
   <translation>Manuskripte (*.txt *.md *.markdown *.docx *.odt *.epub *.rtf *.html *.htm)</translation>
  </message>
 </context>
 <context>
  <name>TextSample</name>
  <message>
   <source>Text preview</source>
   <translation>Textvorschau</translation>
  </message>
  <message>
   <source>The ferry left without him. He stood on the wet boards and counted the lamps along the other shore until the rain had put out all but one, and that one, he thought, might be hers. Nobody came. Behind him the harbour went on with its night: a chain, a dog, a laugh at some window.</source>
   <translation>Die Fähre fuhr ohne ihn ab. Er stand auf den nassen Planken und zählte die Lampen am anderen Ufer, bis der Regen alle bis auf eine gelöscht hatte, und die, dachte er, mochte ihre sein. Niemand kam. Hinter ihm ging der Hafen seiner Nacht nach: eine Kette, ein Hund, ein Lachen an einem Fenster.</translation>
  </message>
 </context>
 <context>
  <name>ThemeCards</name>
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
   <source>Same as system</source>
   <translation>Wie das System</translation>
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
  <name>Toast</name>
  <message>
   <source>Dismiss</source>
   <translation>Verwerfen</translation>
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
  <name>TreeLabels</name>
  <message>
   <source>&amp;Undo Move</source>
   <translation>Verschieben &amp;rückgängig</translation>
  </message>
  <message>
   <source>&amp;Undo Move to Trash</source>
   <translation>Löschen &amp;rückgängig</translation>
  </message>
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
   <source>Untitled</source>
   <translation>Ohne Titel</translation>
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
  <name>UndoChain</name>
  <message>
   <source>&amp;Redo</source>
   <translation>&amp;Wiederholen</translation>
  </message>
  <message>
   <source>&amp;Redo Draft</source>
   <translation>Entwurf Entwurf &amp;wiederherstellenzurückholen</translation>
  </message>
  <message>
   <source>&amp;Undo</source>
   <translation>&amp;Rückgängig</translation>
  </message>
  <message>
   <source>&amp;Undo Draft</source>
   <translation>Entwurf &amp;zurücknehmen</translation>
  </message>
 </context>
 <context>
  <name>UseQuestion</name>
  <message>
   <source>It was imported before.</source>
   <translation>Es wurde schon importiert.</translation>
  </message>
  <message>
   <source>Its folder stays where it is.</source>
   <translation>Sein Ordner bleibt, wo er ist.</translation>
  </message>
  <message>
   <source>Use</source>
   <translation>Verwenden</translation>
  </message>
  <message>
   <source>Use Model?</source>
   <translation>Modell verwenden?</translation>
  </message>
  <message>
   <source>Write with {0}?</source>
   <translation>Mit {0} schreiben?</translation>
  </message>
 </context>
 <context>
  <name>WelcomePage</name>
  <message>
   <source>A blank page. No model loads until you ask for one.</source>
   <translation>Eine leere Seite. Kein Modell wird geladen, bevor Sie es wollen.</translation>
  </message>
  <message>
   <source>A sample with {0}: press Continue and watch it write.</source>
   <translation>Ein Beispiel mit {0}: Drücken Sie Fortsetzen und sehen Sie beim Schreiben zu.</translation>
  </message>
  <message>
   <source>Everything stays on this computer: no account, no telemetry, nothing sent anywhere.</source>
   <translation>Alles bleibt auf diesem Computer: kein Konto, keine Telemetrie, nichts wird gesendet.</translation>
  </message>
  <message>
   <source>Import…</source>
   <translation>Importieren…</translation>
  </message>
  <message>
   <source>Just Write</source>
   <translation>Einfach schreiben</translation>
  </message>
  <message>
   <source>New Project…</source>
   <translation>Neues Projekt…</translation>
  </message>
  <message>
   <source>Open…</source>
   <translation>Öffnen…</translation>
  </message>
  <message>
   <source>Quire shows size, source and licence before it downloads anything.</source>
   <translation>Bevor Quire etwas herunterlädt, zeigt es Größe, Quelle und Lizenz.</translation>
  </message>
  <message>
   <source>Quire suggests some that fit this computer ({0} of memory free), and shows size, source and licence before it downloads anything.</source>
   <translation>Quire schlägt einige vor, die auf diesen Computer passen ({0} Speicher frei), und zeigt Größe, Quelle und Lizenz, bevor es etwas herunterlädt.</translation>
  </message>
  <message>
   <source>Recent projects</source>
   <translation>Letzte Projekte</translation>
  </message>
  <message>
   <source>Set Up a Larger Model…</source>
   <translation>Ein größeres Modell einrichten…</translation>
  </message>
  <message>
   <source>Setting up {0}…</source>
   <translation>{0} wird eingerichtet…</translation>
  </message>
  <message>
   <source>Skip</source>
   <translation>Überspringen</translation>
  </message>
  <message>
   <source>The built-in model is small. A larger one will write better.</source>
   <translation>Das eingebaute Modell ist klein. Ein größeres schreibt besser.</translation>
  </message>
  <message>
   <source>The first time, this takes a few seconds.</source>
   <translation>Beim ersten Mal dauert das ein paar Sekunden.</translation>
  </message>
  <message>
   <source>Try It Now</source>
   <translation>Ausprobieren</translation>
  </message>
  <message>
   <source>Untitled</source>
   <translation>Ohne Titel</translation>
  </message>
  <message>
   <source>Welcome to Quire</source>
   <translation>Willkommen bei Quire</translation>
  </message>
  <message>
   <source>Write with the built-in model</source>
   <translation>Mit dem eingebauten Modell schreiben</translation>
  </message>
  <message>
   <source>the built-in model</source>
   <translation>dem eingebauten Modell</translation>
  </message>
  <message>
   <source>{0} is small. A larger one will write better.</source>
   <translation>{0} ist klein. Ein größeres Modell schreibt besser.</translation>
  </message>
 </context>
 <context>
  <name>WordFileDialog</name>
  <message>
   <source>All files (*)</source>
   <translation>Alle Dateien (*)</translation>
  </message>
  <message>
   <source>Export Personal Dictionary</source>
   <translation>Persönliches Wörterbuch exportieren</translation>
  </message>
  <message>
   <source>Import Words</source>
   <translation>Wörter importieren</translation>
  </message>
  <message>
   <source>Word lists (*.txt *.dic)</source>
   <translation>Wortlisten (*.txt *.dic)</translation>
  </message>
  <message>
   <source>words.txt</source>
   <translation>woerter.txt</translation>
  </message>
 </context>
 <context>
  <name>WordListController</name>
  <message>
   <source>1 word added.</source>
   <translation>1 Wort hinzugefügt.</translation>
  </message>
  <message>
   <source>This project is read-only. Words you add are lost when you close it.</source>
   <translation>Dieses Projekt ist schreibgeschützt. Hinzugefügte Wörter gehen beim Schließen verloren.</translation>
  </message>
  <message>
   <source>Words exported to {0}.</source>
   <translation>Wörter nach {0} exportiert.</translation>
  </message>
  <message>
   <source>{0} words added.</source>
   <translation>{0} Wörter hinzugefügt.</translation>
  </message>
 </context>
 <context>
  <name>WordListDialog</name>
  <message>
   <source>&amp;Add</source>
   <translation>&amp;Hinzufügen</translation>
  </message>
  <message>
   <source>&amp;Export…</source>
   <translation>&amp;Exportieren…</translation>
  </message>
  <message>
   <source>&amp;Import…</source>
   <translation>&amp;Importieren…</translation>
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
   <source>A name or word from your book</source>
   <translation>Ein Name oder Wort aus Ihrem Buch</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Personal Dictionary</source>
   <translation>Persönliches Wörterbuch</translation>
  </message>
  <message>
   <source>Personal dictionary ({0})</source>
   <translation>Persönliches Wörterbuch ({0})</translation>
  </message>
  <message>
   <source>Word to add</source>
   <translation>Neues Wort</translation>
  </message>
  <message>
   <source>Words in the personal dictionary</source>
   <translation>Wörter im persönlichen Wörterbuch</translation>
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
   <source>Stopping…</source>
   <translation>Hält an…</translation>
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
   <source>Export CSV…</source>
   <translation>Als CSV exportieren…</translation>
  </message>
  <message>
   <source>Nothing written in this project yet.</source>
   <translation>In diesem Projekt ist noch nichts geschrieben.</translation>
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
   <source>Write today to start a streak</source>
   <translation>Schreiben Sie heute, um eine Serie zu beginnen</translation>
  </message>
  <message>
   <source>Writing Statistics</source>
   <translation>Schreibstatistik</translation>
  </message>
  <message>
   <source>Writing sessions, newest first</source>
   <translation>Schreibsitzungen, die neueste zuerst</translation>
  </message>
  <message>
   <source>in a row</source>
   <translation>in Folge</translation>
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
   <source>&amp;Check spelling</source>
   <translation>Rechtschreibung &amp;prüfen</translation>
  </message>
  <message>
   <source>&amp;Language</source>
   <translation>&amp;Sprache</translation>
  </message>
  <message>
   <source>&amp;Smart quotes, dashes and ellipses</source>
   <translation>&amp;Typografische Anführungszeichen, Striche und Punkte</translation>
  </message>
  <message>
   <source>&amp;Typewriter scrolling</source>
   <translation>Sc&amp;hreibmaschinen-Scrollen</translation>
  </message>
  <message>
   <source>Applies only to what you type, never to pasted or drafted text.</source>
   <translation>Gilt nur für Getipptes, nie für Eingefügtes oder Entworfenes.</translation>
  </message>
  <message>
   <source>Same as system</source>
   <translation>Wie das System</translation>
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
  <name>self._details</name>
  <message>
   <source>Asking the model…</source>
   <translation>Das Modell wird gefragt …</translation>
  </message>
  <message>
   <source>Loading the model…</source>
   <translation>Das Modell wird geladen…</translation>
  </message>
  <message>
   <source>Summing up chapter {0} of {1}…</source>
   <translation>Kapitel {0} von {1} wird zusammengefasst …</translation>
  </message>
 </context>
 <context>
  <name>self._window</name>
  <message>
   <source>Current text</source>
   <translation>Aktueller Text</translation>
  </message>
 </context>
</TS>
