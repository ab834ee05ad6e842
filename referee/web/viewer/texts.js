// All texts of the page, in five languages, in the terms of the printed rules where they have one.
// textIn() fills in `{a}` and the like. Names of bots are never translated and never markup. If a
// language lacks a text, the English one is shown.

const TEXTS = {
    en: {
        language: 'English', title: 'Replay', round: 'Round', turn: 'Turn', decision: 'Decision',
        of: '{a} of {b}', pair: '{a}: {b}', quote: '“{text}”', play: 'Play', pause: 'Pause', speed: 'Speed',
        start: 'Start', end: 'End',
        back: 'Previous decision', on: 'Next decision', eventBack: 'Previous event', eventOn: 'Next event',
        nextKnock: 'Next knock', nextClear: 'Next clear', nextFault: 'Next fault', nextRound: 'Next round',
        view: 'View', everyone: 'What everyone sees', open: 'All cards open',
        seatView: 'Seat {n}: {a}', languageLabel: 'Language', theme: 'Colours', system: 'System',
        light: 'Light', dark: 'Dark', openLog: 'Open a log', drop: 'Drop a log here', help: 'Keys',
        close: 'Close', link: 'Link to this moment', copied: 'The link is copied.',
        copyByHand: 'Copy this link:', table: 'Table', players: 'Players', events: 'Events',
        timeline: 'Timeline', points: 'Points, if the round ended here', thinking: 'Thinking time',
        asText: 'The table as text', position: 'Position in the match', draw: 'Draw pile',
        discard: 'Discard pile', down: 'face down', gap: 'gap', hole: 'hole',
        autopilot: 'autopilot', given: 'from another log',
        out: 'dismissed: {a}', trigger: 'trigger', active: 'to move', dealer: 'dealer', drawn: 'drawn',
        hand: 'hand', taken: 'taken', aside: 'set aside', pass: 'passes', knock: 'knocks',
        offer: 'knocks, would place at {cell}', place: 'Place {n}', asked: 'Question', line: 'Its line',
        ending: 'How it ended', stderr: 'The end of its stderr', marks: 'Marks: knock, clear, fault, round',
        hashRight: 'The hash of the log is correct.', hashWrong: 'The hash does not match: the log was changed.',
        hashNone: 'The log is incomplete: hidden cards are unknown.',
        misfit: 'The events do not match the cards of this seed.',
        bad: 'This log cannot be shown ({a}).',
        packed: 'This browser cannot decompress logs. Use zstd -d first, or the page that referee replay --html makes.',
        keys: [['←  →', 'previous, next decision'], ['Shift ←  →', 'previous, next event'],
            ['Home  End', 'start, end'],
            ['Space', 'play, pause'], ['+  −', 'faster, slower'],
            ['k  c  f  r', 'next knock, clear, fault, round'],
            ['K  C  F  R', 'the same, backwards'], ['0 – 5', 'view of that seat'], ['p', 'what everyone sees'],
            ['o', 'all cards open'], ['l', 'link to this moment'], ['?', 'this help']],
        chances: 'Winning chances; dashed lines are costly decisions', nextCostly: 'Next costly decision',
        percent: '{n}\u00a0%', chance: 'chance {a}', luck: 'card luck {a}',
        bestAnswer: '{a}: {b} was the best answer found',
        costly: '{a}: {b} was better by {c} points and {d} (±\u00a0{e}) of the win',
        better: 'Best answers (points, wins): {a}',
        reviewKeys: [['b  B', 'next, previous costly decision']],
        noneKnock: 'No more knocks.', noneClear: 'No more clears.', noneFault: 'No more faults.',
        noneRound: 'No more rounds.', noneCostly: 'No more costly decisions.', knocker: 'knocker',
        victory: 'Victory for {a}', pointsNow: '{n} now', toJob: 'Job {n}',
        previousMatch: 'Previous match', nextMatch: 'Next match', matches: 'Matches',
        linkKeys: [['n  N', 'next, previous match']],
        event: {
            round: 'Round {n} begins, {a} deals, the discard pile starts with {card}',
            turned: '{a} turns up {cell}: {card}', turn: 'Turn {n}: {a}',
            reshuffled: 'The discard pile becomes a draw pile of {n} cards',
            drew_pile: '{a} draws {card} from the draw pile',
            drew_discard: '{a} takes {card} from the discard pile',
            passed: '{a} passes', knocked: '{a} knocks', offered: '{a} knocks, would place at {cell}',
            again: '{a} calls for bidding round {n}', declined: '{a} declines',
            accepted: '{a} accepts the knock of {b}', kept: '{a} keeps {card} at {cell} in place of {old}',
            dropped: '{a} discards {card}', placed: '{a} places {card} at {cell} and holds {old}',
            took: '{a} takes {card} from {b}’s {cell}', put: '{a} puts {card} at {cell} in place of {old}',
            tossed: '{a} tosses {card}', returned: '{a} places {card} in the hole at {cell}',
            cleared: '{a} clears {cells}: three times {card}', discarded: '{a} tosses {card} on the discard pile',
            final: '{a} has no face-down cards left: the final round begins',
            limit: 'The turn limit ends the round after turn {n}',
            exhausted: '{a} chooses the empty draw pile: the round ends', shown: '{a} shows {cell}: {card}',
            scored: '{a} scores {raw}, counted as {counted}; {total} in total', over: 'The match is over',
            said: '{a} says: “{text}”', dismissed: '{a} is dismissed: {text}', answered: '{a} answers: {text}',
        },
    },
    de: {
        language: 'Deutsch', title: 'Wiedergabe', round: 'Partie', turn: 'Zug', decision: 'Entscheidung',
        of: '{a} von {b}', pair: '{a}: {b}', quote: '„{text}“', play: 'Abspielen', pause: 'Anhalten',
        speed: 'Tempo', start: 'Anfang', end: 'Ende',
        back: 'Vorige Entscheidung', on: 'Nächste Entscheidung', eventBack: 'Voriges Ereignis',
        eventOn: 'Nächstes Ereignis', nextKnock: 'Nächstes Klopfen', nextClear: 'Nächstes Abräumen',
        nextFault: 'Nächster Fehler', nextRound: 'Nächste Partie',
        view: 'Ansicht', everyone: 'Was alle sehen', open: 'Alle Karten offen', seatView: 'Platz {n}: {a}',
        languageLabel: 'Sprache', theme: 'Farben', system: 'Systemeinstellung', light: 'Hell', dark: 'Dunkel',
        openLog: 'Protokoll öffnen', drop: 'Protokoll hier ablegen', help: 'Tasten', close: 'Schließen',
        link: 'Link zu diesem Moment', copied: 'Der Link ist kopiert.', copyByHand: 'Dies ist der Link:',
        table: 'Tisch', players: 'Spieler', events: 'Ereignisse', timeline: 'Verlauf',
        points: 'Punkte, wenn die Partie hier endete', thinking: 'Bedenkzeit', asText: 'Der Tisch in Worten',
        position: 'Stelle im Spiel', draw: 'Nachziehstapel', discard: 'Ablagestapel', down: 'verdeckt',
        gap: 'Lücke', hole: 'freier Platz',
        autopilot: 'Autopilot', given: 'aus anderem Protokoll', out: 'ausgeschlossen: {a}', trigger: 'Auslöser',
        active: 'am Zug', dealer: 'Geber', drawn: 'gezogen', hand: 'Hand', taken: 'genommen',
        aside: 'beiseite', pass: 'passt', knock: 'klopft', offer: 'klopft, will auf {cell}', place: 'Rang {n}',
        asked: 'Frage', line: 'Seine Zeile', ending: 'Wie er endete', stderr: 'Das Ende seines stderr',
        marks: 'Marken: Klopfen, Abräumen, Fehler, Partie', hashRight: 'Die Prüfsumme des Protokolls stimmt.',
        hashWrong: 'Die Prüfsumme stimmt nicht: Das Protokoll wurde geändert.',
        hashNone: 'Das Protokoll ist unvollständig: Verdeckte Karten sind unbekannt.',
        misfit: 'Die Ereignisse passen nicht zu den Karten dieses Startwerts.',
        bad: 'Dieses Protokoll kann nicht gezeigt werden ({a}).',
        packed: 'Dieser Browser kann Protokolle nicht entpacken. Das tut zstd -d, und referee replay --html macht eine '
            + 'Seite daraus.',
        keys: [['←  →', 'vorige, nächste Entscheidung'], ['Umschalt ←  →', 'voriges, nächstes Ereignis'],
            ['Pos1  Ende', 'Anfang, Ende'], ['Leertaste', 'abspielen, anhalten'], ['+  −', 'schneller, langsamer'],
            ['k  c  f  r', 'nächstes Klopfen, Abräumen, nächster Fehler, nächste Partie'],
            ['K  C  F  R', 'dasselbe rückwärts'], ['0 – 5', 'Ansicht dieses Platzes'], ['p', 'was alle sehen'],
            ['o', 'alle Karten offen'], ['l', 'Link zu diesem Moment'], ['?', 'diese Hilfe']],
        chances: 'Gewinnchancen; gestrichelt: teure Entscheidungen', nextCostly: 'Nächste teure Entscheidung',
        percent: '{n}\u00a0%', chance: 'Chance {a}', luck: 'Kartenglück {a}',
        bestAnswer: '{a}: {b} war die beste gefundene Antwort',
        costly: '{a}: {b} war um {c} Punkte und {d} (±\u00a0{e}) Gewinnchance besser',
        better: 'Beste Antworten (Punkte, Siege): {a}',
        reviewKeys: [['b  B', 'nächste, vorige teure Entscheidung']],
        noneKnock: 'Kein weiteres Klopfen.', noneClear: 'Kein weiteres Abräumen.', noneFault: 'Kein weiterer Fehler.',
        noneRound: 'Keine weitere Partie.', noneCostly: 'Keine weitere teure Entscheidung.', knocker: 'Klopfer',
        victory: 'Sieg für {a}', pointsNow: 'jetzt {n}', toJob: 'Auftrag {n}',
        previousMatch: 'Voriges Spiel', nextMatch: 'Nächstes Spiel', matches: 'Spiele',
        linkKeys: [['n  N', 'nächstes, voriges Spiel']],
        event: {
            round: 'Partie {n} beginnt, {a} gibt, der Ablagestapel beginnt mit {card}',
            turned: '{a} deckt {cell} auf: {card}', turn: 'Zug {n}: {a}',
            reshuffled: 'Aus dem Ablagestapel wird ein Nachziehstapel von {n} Karten',
            drew_pile: '{a} zieht {card} vom Nachziehstapel', drew_discard: '{a} zieht {card} vom Ablagestapel',
            passed: '{a} passt', knocked: '{a} klopft', offered: '{a} klopft, will auf {cell}',
            again: '{a} eröffnet Bietrunde {n}', declined: '{a} lehnt ab',
            accepted: '{a} nimmt das Klopfen von {b} an',
            kept: '{a} behält {card} und tauscht sie gegen {old} auf {cell}',
            dropped: '{a} wirft {card} ab', placed: '{a} legt {card} auf {cell} und nimmt {old} auf die Hand',
            took: '{a} nimmt {card} von {cell} bei {b}', put: '{a} legt {card} auf {cell} anstelle von {old}',
            tossed: '{a} wirft {card} ab', returned: '{a} legt {card} auf den freien Platz {cell}',
            cleared: '{a} räumt {cells} ab: dreimal {card}', discarded: '{a} legt {card} auf den Ablagestapel',
            final: '{a} hat keine verdeckte Karte mehr: Die Schlussrunde beginnt',
            limit: 'Das Zuglimit beendet die Partie nach Zug {n}',
            exhausted: '{a} wählt den leeren Nachziehstapel: Die Partie endet', shown: '{a} zeigt {cell}: {card}',
            scored: '{a} hat {raw}, gewertet {counted}; insgesamt {total}', over: 'Das Spiel ist aus',
            said: '{a} sagt: „{text}“', dismissed: '{a} wird ausgeschlossen: {text}',
            answered: '{a} antwortet: {text}',
        },
    },
    nl: {
        language: 'Nederlands', title: 'Terugkijken', round: 'Ronde', turn: 'Beurt', decision: 'Beslissing',
        of: '{a} van {b}', pair: '{a}: {b}', quote: '“{text}”', play: 'Afspelen', pause: 'Pauze',
        speed: 'Snelheid', start: 'Begin', end: 'Einde',
        back: 'Vorige beslissing', on: 'Volgende beslissing', eventBack: 'Vorige gebeurtenis',
        eventOn: 'Volgende gebeurtenis', nextKnock: 'Volgende klop', nextClear: 'Volgende aflegactie',
        nextFault: 'Volgende fout', nextRound: 'Volgende ronde',
        view: 'Weergave', everyone: 'Wat iedereen ziet', open: 'Alle kaarten open', seatView: 'Plaats {n}: {a}',
        languageLabel: 'Taal', theme: 'Kleuren', system: 'Systeeminstelling', light: 'Licht', dark: 'Donker',
        openLog: 'Logboek openen', drop: 'Laat hier een logboek los', help: 'Toetsen', close: 'Sluiten',
        link: 'Link naar dit moment', copied: 'De link is gekopieerd.', copyByHand: 'Dit is de link:',
        table: 'Tafel', players: 'Spelers', events: 'Gebeurtenissen', timeline: 'Tijdlijn',
        points: 'Punten, als de ronde hier eindigde', thinking: 'Bedenktijd', asText: 'De tafel in woorden',
        position: 'Plaats in het spel', draw: 'Trekstapel', discard: 'Aflegstapel', down: 'gedekt',
        gap: 'lege plek', hole: 'vrije plek',
        autopilot: 'automatische piloot', given: 'uit ander logboek', out: 'uitgesloten: {a}',
        trigger: 'activeert laatste beurt',
        active: 'aan de beurt', dealer: 'deler', drawn: 'getrokken', hand: 'hand', taken: 'gepakt',
        aside: 'opzij', pass: 'past', knock: 'klopt', offer: 'klopt, voor {cell}', place: 'Rang {n}',
        asked: 'Vraag', line: 'Zijn regel', ending: 'Hoe hij eindigde', stderr: 'Het einde van zijn stderr',
        marks: 'Tekens: klop, aflegactie, fout, ronde', hashRight: 'De controlesom van het logboek klopt.',
        hashWrong: 'De controlesom klopt niet: het logboek is gewijzigd.',
        hashNone: 'Het logboek is onvolledig: gedekte kaarten zijn onbekend.',
        misfit: 'De gebeurtenissen passen niet bij de kaarten van deze startwaarde.',
        bad: 'Dit logboek kan niet worden getoond ({a}).',
        packed: 'Deze browser kan logboeken niet uitpakken. Dat doet zstd -d, en referee replay --html maakt er een '
            + 'pagina van.',
        keys: [['←  →', 'vorige, volgende beslissing'], ['Shift ←  →', 'vorige, volgende gebeurtenis'],
            ['Home  End', 'begin, einde'], ['Spatie', 'afspelen, pauze'], ['+  −', 'sneller, langzamer'],
            ['k  c  f  r', 'volgende klop, aflegactie, fout, ronde'], ['K  C  F  R', 'hetzelfde terug'],
            ['0 – 5', 'weergave van die plaats'], ['p', 'wat iedereen ziet'], ['o', 'alle kaarten open'],
            ['l', 'link naar dit moment'], ['?', 'deze hulp']],
        chances: 'Winstkansen; gestippeld: dure beslissingen', nextCostly: 'Volgende dure beslissing',
        percent: '{n}%', chance: 'kans {a}', luck: 'kaartgeluk {a}',
        bestAnswer: '{a}: {b} was het beste gevonden antwoord',
        costly: '{a}: {b} was {c} punten en {d} (±\u00a0{e}) winstkans beter',
        better: 'Beste antwoorden (punten, winst): {a}',
        reviewKeys: [['b  B', 'volgende, vorige dure beslissing']],
        noneKnock: 'Geen klop meer.', noneClear: 'Geen aflegactie meer.', noneFault: 'Geen fout meer.',
        noneRound: 'Geen ronde meer.', noneCostly: 'Geen dure beslissing meer.', knocker: 'klopper',
        victory: 'Winst voor {a}', pointsNow: 'nu {n}', toJob: 'Opdracht {n}',
        previousMatch: 'Vorige partij', nextMatch: 'Volgende partij', matches: 'Partijen',
        linkKeys: [['n  N', 'volgende, vorige partij']],
        event: {
            round: 'Ronde {n} begint, {a} deelt, de aflegstapel begint met {card}',
            turned: '{a} draait {cell} open: {card}', turn: 'Beurt {n}: {a}',
            reshuffled: 'De aflegstapel wordt een trekstapel van {n} kaarten',
            drew_pile: '{a} trekt {card} van de trekstapel', drew_discard: '{a} trekt {card} van de aflegstapel',
            passed: '{a} past', knocked: '{a} klopt', offered: '{a} klopt, voor {cell}',
            again: '{a} vraagt om biedronde {n}', declined: '{a} gaat er niet op in',
            accepted: '{a} gaat in op de klop van {b}', kept: '{a} houdt {card} en ruilt die op {cell} met {old}',
            dropped: '{a} legt {card} af', placed: '{a} legt {card} op {cell} en houdt {old} in de hand',
            took: '{a} pakt {card} van {cell} bij {b}', put: '{a} legt {card} op {cell} in plaats van {old}',
            tossed: '{a} legt {card} af', returned: '{a} legt {card} op de vrije plek {cell}',
            cleared: '{a} legt {cells} af: driemaal {card}', discarded: '{a} legt {card} op de aflegstapel',
            final: '{a} heeft geen gedekte kaart meer: iedereen heeft nog één laatste beurt',
            limit: 'De beurtlimiet beëindigt de ronde na beurt {n}',
            exhausted: '{a} kiest de lege trekstapel: de ronde eindigt', shown: '{a} toont {cell}: {card}',
            scored: '{a} heeft {raw}, geteld als {counted}; in totaal {total}', over: 'Het spel is afgelopen',
            said: '{a} zegt: “{text}”', dismissed: '{a} wordt uitgesloten: {text}',
            answered: '{a} antwoordt: {text}',
        },
    },
    fr: {
        language: 'Français', title: 'Revoir la partie', round: 'Manche', turn: 'Tour', decision: 'Décision',
        of: '{a} sur {b}', pair: '{a}\u00a0: {b}', quote: '«\u00a0{text}\u00a0»', play: 'Lecture', pause: 'Pause',
        speed: 'Vitesse', start: 'Début', end: 'Fin',
        back: 'Décision précédente', on: 'Décision suivante', eventBack: 'Événement précédent',
        eventOn: 'Événement suivant', nextKnock: 'Prochain toc', nextClear: 'Prochain retrait',
        nextFault: 'Prochaine faute', nextRound: 'Prochaine manche',
        view: 'Vue', everyone: 'Ce que tous voient', open: 'Toutes les cartes visibles',
        seatView: 'Place {n}\u00a0: {a}', languageLabel: 'Langue', theme: 'Couleurs', system: 'Réglage du système',
        light: 'Clair', dark: 'Sombre', openLog: 'Ouvrir un journal', drop: 'Déposez un journal ici',
        help: 'Touches', close: 'Fermer', link: 'Lien vers ce moment', copied: 'Le lien est copié.',
        copyByHand: 'Voici le lien\u00a0:', table: 'Table', players: 'Joueurs', events: 'Événements',
        timeline: 'Déroulement', points: 'Points, si la manche se terminait ici', thinking: 'Temps de réflexion',
        asText: 'La table en mots', position: 'Position dans la partie', draw: 'Pioche', discard: 'Défausse',
        down: 'cachée', gap: 'vide', hole: 'emplacement libre',
        autopilot: 'pilote automatique', given: 'd’un autre journal', out: 'exclu\u00a0: {a}',
        trigger: 'déclencheur', active: 'joueur actif', dealer: 'donneur', drawn: 'piochée', hand: 'main',
        taken: 'prise', aside: 'de côté', pass: 'passe', knock: 'toque', offer: 'toque, pour {cell}',
        place: 'Rang {n}', asked: 'Question', line: 'Sa ligne', ending: 'Comment il a fini',
        stderr: 'La fin de son stderr', marks: 'Marques\u00a0: toc, retrait, faute, manche',
        hashRight: 'L’empreinte du journal est correcte.',
        hashWrong: 'L’empreinte ne correspond pas\u00a0: le journal a été modifié.',
        hashNone: 'Le journal est incomplet\u00a0: les cartes cachées sont inconnues.',
        misfit: 'Les événements ne correspondent pas aux cartes de cette graine.',
        bad: 'Ce journal ne peut pas être affiché ({a}).',
        packed: 'Ce navigateur ne sait pas décompresser les journaux. Utilisez zstd -d, ou la page que produit '
            + 'referee replay --html.',
        keys: [['←  →', 'décision précédente, suivante'], ['Maj ←  →', 'événement précédent, suivant'],
            ['Début  Fin', 'début, fin'], ['Espace', 'lecture, pause'], ['+  −', 'plus vite, moins vite'],
            ['k  c  f  r', 'prochain toc, retrait, prochaine faute, manche'],
            ['K  C  F  R', 'la même chose en arrière'],
            ['0 – 5', 'vue de cette place'], ['p', 'ce que tous voient'], ['o', 'toutes les cartes visibles'],
            ['l', 'lien vers ce moment'], ['?', 'cette aide']],
        chances: 'Chances de gagner\u00a0; en pointillé, les décisions coûteuses',
        nextCostly: 'Prochaine décision coûteuse', percent: '{n}\u00a0%', chance: 'chances {a}',
        luck: 'chance aux cartes {a}', bestAnswer: '{a}\u00a0: {b} était la meilleure réponse trouvée',
        costly: '{a}\u00a0: {b} était meilleur de {c} points et de {d} (±\u00a0{e}) de chances',
        better: 'Meilleures réponses (points, victoires)\u00a0: {a}',
        reviewKeys: [['b  B', 'décision coûteuse suivante, précédente']],
        noneKnock: 'Plus aucun toc.', noneClear: 'Plus aucun retrait.', noneFault: 'Plus aucune faute.',
        noneRound: 'Plus aucune manche.', noneCostly: 'Plus aucune décision coûteuse.', knocker: 'a toqué',
        victory: 'Victoire de {a}', pointsNow: '{n} maintenant', toJob: 'Tâche {n}',
        previousMatch: 'Partie précédente', nextMatch: 'Partie suivante', matches: 'Parties',
        linkKeys: [['n  N', 'partie suivante, précédente']],
        event: {
            round: 'La manche {n} commence, {a} distribue, la défausse commence par {card}',
            turned: '{a} révèle {cell}\u00a0: {card}', turn: 'Tour {n}\u00a0: {a}',
            reshuffled: 'La défausse devient une pioche de {n} cartes',
            drew_pile: '{a} pioche {card}', drew_discard: '{a} prend {card} dans la défausse',
            passed: '{a} passe', knocked: '{a} toque', offered: '{a} toque, pour {cell}',
            again: '{a} ouvre le tour d’enchères {n}', declined: '{a} refuse',
            accepted: '{a} accepte le toc de {b}',
            kept: '{a} garde {card} en {cell} à la place de {old}', dropped: '{a} défausse la carte {card}',
            placed: '{a} pose {card} en {cell} et garde {old} en main',
            took: '{a} prend {card} en {cell} chez {b}',
            put: '{a} pose {card} en {cell} à la place de {old}', tossed: '{a} jette {card}',
            returned: '{a} replace {card} à l’emplacement libre {cell}',
            cleared: '{a} se débarrasse de {cells}\u00a0: trois fois {card}',
            discarded: '{a} met {card} sur la défausse',
            final: '{a} n’a plus de carte cachée\u00a0: le dernier tour commence',
            limit: 'La limite de tours met fin à la manche après le tour {n}',
            exhausted: '{a} choisit la pioche vide\u00a0: la manche se termine',
            shown: '{a} montre {cell}\u00a0: {card}',
            scored: '{a} a {raw}, compté {counted}\u00a0; {total} au total', over: 'La partie est terminée',
            said: '{a} dit\u00a0: «\u00a0{text}\u00a0»', dismissed: '{a} est exclu\u00a0: {text}',
            answered: '{a} répond\u00a0: {text}',
        },
    },
    es: {
        language: 'Español', title: 'Repetición', round: 'Ronda', turn: 'Turno', decision: 'Decisión',
        of: '{a} de {b}', pair: '{a}: {b}', quote: '«{text}»', play: 'Reproducir', pause: 'Pausa',
        speed: 'Velocidad', start: 'Inicio', end: 'Final',
        back: 'Decisión anterior', on: 'Decisión siguiente', eventBack: 'Suceso anterior',
        eventOn: 'Suceso siguiente', nextKnock: 'Próximo toc toc', nextClear: 'Próximo despeje',
        nextFault: 'Próxima falta', nextRound: 'Próxima ronda', view: 'Vista',
        everyone: 'Lo que todos ven', open: 'Todas las cartas a la vista', seatView: 'Asiento {n}: {a}',
        languageLabel: 'Idioma', theme: 'Colores', system: 'Según el sistema', light: 'Claro', dark: 'Oscuro',
        openLog: 'Abrir un registro', drop: 'Suelta aquí un registro', help: 'Teclas', close: 'Cerrar',
        link: 'Enlace a este momento', copied: 'Enlace copiado.', copyByHand: 'Este es el enlace:',
        table: 'Mesa', players: 'Jugadores', events: 'Sucesos', timeline: 'Desarrollo',
        points: 'Puntos, si la ronda acabara aquí', thinking: 'Tiempo de reflexión',
        asText: 'La mesa en palabras', position: 'Lugar en la partida', draw: 'Mazo',
        discard: 'Pila de descartes',
        down: 'boca abajo', gap: 'vacío', hole: 'hueco',
        autopilot: 'piloto automático', given: 'de otro registro', out: 'excluido: {a}',
        trigger: 'inicia el final', active: 'jugador activo', dealer: 'reparte', drawn: 'robada', hand: 'mano',
        taken: 'tomada',
        aside: 'apartada', pass: 'pasa', knock: 'hace toc toc', offer: 'hace toc toc, para {cell}',
        place: 'Puesto {n}',
        asked: 'Pregunta', line: 'Su línea', ending: 'Cómo terminó', stderr: 'El final de su stderr',
        marks: 'Marcas: toc toc, despeje, falta, ronda',
        hashRight: 'La suma de comprobación del registro es correcta.',
        hashWrong: 'La suma de comprobación no coincide: el registro ha sido modificado.',
        hashNone: 'El registro está incompleto: las cartas boca abajo no se conocen.',
        misfit: 'Los sucesos no corresponden a las cartas de esta semilla.',
        bad: 'Este registro no se puede mostrar ({a}).',
        packed: 'Este navegador no puede descomprimir registros. Usa zstd -d, o la página que crea '
            + 'referee replay --html.',
        keys: [['←  →', 'decisión anterior, siguiente'], ['Mayús ←  →', 'suceso anterior, siguiente'],
            ['Inicio  Fin', 'inicio, final'], ['Espacio', 'reproducir, pausa'], ['+  −', 'más rápido, más lento'],
            ['k  c  f  r', 'próximo toc toc, despeje, próxima falta, ronda'],
            ['K  C  F  R', 'lo mismo hacia atrás'],
            ['0 – 5', 'vista de ese asiento'], ['p', 'lo que todos ven'], ['o', 'todas las cartas a la vista'],
            ['l', 'enlace a este momento'], ['?', 'esta ayuda']],
        chances: 'Probabilidad de ganar; en trazos, las decisiones costosas',
        nextCostly: 'Siguiente decisión costosa', percent: '{n}\u00a0%', chance: 'probabilidad {a}',
        luck: 'suerte de cartas {a}', bestAnswer: '{a}: {b} fue la mejor respuesta encontrada',
        costly: '{a}: {b} era mejor por {c} puntos y {d} (±\u00a0{e}) de probabilidad',
        better: 'Mejores respuestas (puntos, victorias): {a}',
        reviewKeys: [['b  B', 'decisión costosa siguiente, anterior']],
        noneKnock: 'No hay más toc toc.', noneClear: 'No hay más despejes.', noneFault: 'No hay más faltas.',
        noneRound: 'No hay más rondas.', noneCostly: 'No hay más decisiones costosas.', knocker: 'hizo toc toc',
        victory: 'Victoria de {a}', pointsNow: '{n} ahora', toJob: 'Trabajo {n}',
        previousMatch: 'Partida anterior', nextMatch: 'Partida siguiente', matches: 'Partidas',
        linkKeys: [['n  N', 'partida siguiente, anterior']],
        event: {
            round: 'Empieza la ronda {n}, reparte {a}, la pila de descartes empieza con {card}',
            turned: '{a} destapa {cell}: {card}', turn: 'Turno {n}: {a}',
            reshuffled: 'La pila de descartes pasa a ser un mazo de {n} cartas',
            drew_pile: '{a} roba {card} del mazo', drew_discard: '{a} toma {card} de la pila de descartes',
            passed: '{a} pasa', knocked: '{a} hace toc toc', offered: '{a} hace toc toc, para {cell}',
            again: '{a} pide la ronda de ofertas {n}', declined: '{a} rechaza',
            accepted: '{a} acepta el toc toc de {b}',
            kept: '{a} se queda {card} y la intercambia en {cell} por {old}',
            dropped: '{a} descarta {card}', placed: '{a} pone {card} en {cell} y se queda con {old} en la mano',
            took: '{a} toma {card} de {cell} de {b}', put: '{a} pone {card} en {cell} en lugar de {old}',
            tossed: '{a} tira {card}', returned: '{a} pone {card} en el hueco de {cell}',
            cleared: '{a} despeja {cells}: tres veces {card}', discarded: '{a} descarta {card}',
            final: '{a} ya no tiene cartas boca abajo: empieza la ronda final',
            limit: 'El límite de turnos pone fin a la ronda tras el turno {n}',
            exhausted: '{a} elige el mazo vacío: la ronda termina', shown: '{a} muestra {cell}: {card}',
            scored: '{a} tiene {raw}, cuenta {counted}; {total} en total', over: 'La partida ha terminado',
            said: '{a} dice: «{text}»', dismissed: '{a} queda excluido: {text}', answered: '{a} responde: {text}',
        },
    },
};

function fill(pattern, values) {
    return pattern.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
}

// A text of the page in that language.
function textIn(language, name, values = {}) {
    return fill(TEXTS[language][name] ?? TEXTS.en[name], values);
}

function cardText(card) {
    return card === null || card === undefined ? '?' : String(card).replace('-', '−');
}

function pointsText(points, language) {
    return new Intl.NumberFormat(language, {maximumFractionDigits: 1}).format(points);
}

function formatTime(us, language) {
    const [value, unit] = us < 1000 ? [us, 'µs'] : us < 1e6 ? [us / 1e3, 'ms'] : [us / 1e6, 's'];
    const digits = unit === 'µs' ? 0 : value < 10 ? 2 : 1;
    return new Intl.NumberFormat(language, {maximumFractionDigits: digits}).format(value) + '\u00a0' + unit;
}

function eventValues(step, names, language) {
    const name = seat => names[Number(seat)] ?? seat;
    const place = cell => ({a: name(String(cell).split(':')[0]), cell: String(cell).split(':')[1]});
    const [kind, one, two, three, four] = step.fields;
    const points = value => pointsText(Number(value), language);
    switch (kind) {
    case 'round': return {n: one, a: name(two), card: cardText(three)};
    case 'turned': case 'shown': case 'returned': return {...place(one), card: cardText(two)};
    case 'turn': return {n: one, a: name(two)};
    case 'drew': return {a: name(two), card: cardText(three)};
    case 'knocked': return {a: name(one), cell: two && place(two).cell};
    case 'again': return {a: name(one), n: two};
    case 'accepted': return {a: name(one), b: name(two)};
    case 'kept': case 'put': case 'placed': return {...place(one), card: cardText(two), old: cardText(three)};
    case 'took': return {...place(two), a: name(one), b: place(two).a, card: cardText(three)};
    case 'cleared': return {...place(one), cells: [one, two, three].map(cell => place(cell).cell).join(' '),
        card: cardText(four)};
    case 'scored': return {a: name(one), raw: points(two), counted: points(three), total: points(four)};
    case 'limit': case 'reshuffled': return {n: one};
    default: return {a: name(one), card: cardText(two)};
    }
}

// A step as a sentence. `hides` is set if the viewer may not know the card in a knocker's hand.
function stepText(step, names, language, hides) {
    const patterns = TEXTS[language].event;
    if (step.fields === undefined)
        return fill(patterns[step.kind], {a: names[step.seat], text: step.text ??
            step.fault.code + (step.fault.message === '' ? '' : ', ' + step.fault.message)});
    const key = step.kind === 'drew' ? 'drew_' + step.fields[1] :
        step.kind === 'knocked' && step.fields.length > 2 ? 'offered' : step.kind;
    if (!Object.hasOwn(patterns, key))
        return step.fields.join(' ');
    const values = eventValues(step, names, language);
    return fill(patterns[key], hides ? {...values, old: '?'} : values);
}
