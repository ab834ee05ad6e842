// All texts of the pages, in five languages. textIn() fills in `{a}` and the like. Names, titles and messages
// of the daemon are never translated and never markup.

'use strict';

const TEXTS = {
    en: {
        pinned: 'Pinned', pin: 'Pin {a}', timeLeft: 'about {a} left', timeNeeded: 'will take about {a}',
        scrollHint: 'Scroll sideways for more columns',
        language: 'English', languageLabel: 'Language', skip: 'Skip to content', overview: 'Overview',
        bots: 'Bots', live: 'Live', lost: 'Reconnecting …', ending: 'The referee is shutting down',
        trouble: 'This could not be loaded: {a}',
        queued: 'waiting', playing: 'playing', done: 'done', paused: 'paused', failed: 'failed',
        cancelled: 'cancelled', match: 'match', tournament: 'tournament', upload: 'uploaded',
        command: 'on this machine', remote: 'from another machine',
        countPlaying: 'playing', countWaiting: 'waiting', countOver: 'finished', countBots: 'bots',
        countWatchers: 'watching', now: 'Now', nothingNow: 'Nothing is playing or waiting.',
        recent: 'Finished', nothingRecent: 'Nothing has finished yet.', older: 'Older', newer: 'Newer',
        progress: '{a} of {b} matches', unknownLength: '{a} matches', job: 'Job {n}',
        by: '{kind}, submitted by {user}', submitted: 'submitted {a}', ended: 'ended {a}',
        standings: 'Standings', noStandings: 'No deal has been decided yet.', matches: 'Matches',
        published: 'A deal is shown once it has been played in all seatings, so that nobody is dealt known cards.',
        filters: 'Filters', bot: 'Bot', any: 'all', fault: 'Fault', withFault: 'any fault',
        withoutFault: 'no fault', place: 'Place', placeOf: 'Place {n}:', search: 'Search', shown: '{a} of {b}',
        more: 'Show more',
        noMatches: 'No matches found.', watch: 'Watch', log: 'Log', watchMatch: 'Watch match {a}',
        logOfMatch: 'Log of match {a}', report: 'Full report', tableCsv: 'Standings (CSV)',
        crossCsv: 'Cross table (CSV)', matchesCsv: 'Matches (CSV)', rating: 'Rating',
        ranks: 'Possible places', score: 'Points',
        winShare: 'Wins', faults: 'Faults', median: 'Median time', p99: '99\u00a0% within', name: 'Name',
        version: 'Version', user: 'User', kind: 'Type', noBots: 'There are no bots yet.',
        figures: 'The figures count only jobs submitted by the bot’s own user or by the owner of the referee.',
        olderVersions: 'Older versions of {a}', withdrawn: 'withdrawn',
        interval: '95\u00a0%: {a} to {b}', missing: 'Page not found',
        missingText: 'This page does not exist, or it has not been published yet.', back: 'Back to the overview',
        titleOfJob: 'Title', state: 'Status', number: 'No.', date: 'Date',
        adjusted: 'Adjusted', suspicious: 'suspicious',
        aboutLuck: 'Adjusted: without what the cards gave; the same mean, mostly less chance.',
        knowsCards: '{bot} may know the cards: its choices among hidden cards gain {a} points per match, and chance '
            + 'allows {b}. Honest bots have that much luck in at most one of {n} tournaments.',
        signIn: 'Sign in', signOut: 'Sign out', token: 'Token',
        aboutToken: 'Tokens come from the owner of this referee. Yours is sent only to this referee; you stay signed in for twelve hours.',
    },
    de: {
        pinned: 'Angeheftet', pin: '{a} anheften', timeLeft: 'noch etwa {a}', timeNeeded: 'wird etwa {a} dauern',
        scrollHint: 'Für weitere Spalten seitwärts rollen',
        language: 'Deutsch', languageLabel: 'Sprache', skip: 'Zum Inhalt', overview: 'Übersicht',
        bots: 'Bots', live: 'Live', lost: 'Verbindung wird wiederhergestellt …',
        ending: 'Der Schiedsrichter wird beendet',
        trouble: 'Das konnte nicht geladen werden: {a}',
        queued: 'wartet', playing: 'läuft', done: 'fertig', paused: 'ausgesetzt', failed: 'fehlgeschlagen',
        cancelled: 'abgebrochen', match: 'Spiel', tournament: 'Turnier', upload: 'hochgeladen',
        command: 'von diesem Rechner', remote: 'von einem anderen Rechner',
        countPlaying: 'laufen', countWaiting: 'warten', countOver: 'zu Ende', countBots: 'Bots',
        countWatchers: 'sehen zu', now: 'Jetzt', nothingNow: 'Es läuft nichts, und nichts wartet.',
        recent: 'Zu Ende', nothingRecent: 'Es ist noch nichts zu Ende.', older: 'Ältere', newer: 'Neuere',
        progress: '{a} von {b} Spielen', unknownLength: '{a} Spiele', job: 'Auftrag {n}',
        by: '{kind}, eingereicht von {user}', submitted: 'eingereicht am {a}', ended: 'beendet am {a}',
        standings: 'Tabelle', noStandings: 'Noch ist keine Kartenverteilung ausgespielt.', matches: 'Spiele',
        published: 'Eine Kartenverteilung wird gezeigt, sobald sie in allen Sitzordnungen gespielt ist: So bekommt niemand bekannte Karten.',
        filters: 'Filter', bot: 'Bot', any: 'alle', fault: 'Fehler', withFault: 'irgendein Fehler',
        withoutFault: 'kein Fehler', place: 'Rang', placeOf: 'Rang {n}:', search: 'Suche', shown: '{a} von {b}',
        more: 'Mehr zeigen',
        noMatches: 'Keine passenden Spiele.', watch: 'Ansehen', log: 'Protokoll', watchMatch: 'Spiel {a} ansehen',
        logOfMatch: 'Protokoll von Spiel {a}', report: 'Vollständiger Bericht', tableCsv: 'Tabelle (CSV)',
        crossCsv: 'Kreuztabelle (CSV)', matchesCsv: 'Spiele (CSV)', rating: 'Spielstärke',
        ranks: 'Mögliche Ränge', score: 'Punkte',
        winShare: 'Siege', faults: 'Fehler', median: 'Zeit (Median)', p99: '99\u00a0% innerhalb', name: 'Name',
        version: 'Version', user: 'Benutzer', kind: 'Art', noBots: 'Es gibt noch keine Bots.',
        figures: 'Gezählt wird nur, was der Benutzer des Bots selbst oder der Betreiber des Schiedsrichters eingereicht hat.',
        olderVersions: 'Ältere Versionen von {a}', withdrawn: 'zurückgezogen',
        interval: '95\u00a0%: {a} bis {b}', missing: 'Seite nicht gefunden',
        missingText: 'Diese Seite gibt es nicht, oder sie ist noch nicht veröffentlicht.', back: 'Zur Übersicht',
        titleOfJob: 'Titel', state: 'Status', number: 'Nr.', date: 'Datum',
        adjusted: 'Bereinigt', suspicious: 'verdächtig',
        aboutLuck: 'Bereinigt: ohne das, was die Karten gaben; im Mittel gleich, meist mit weniger Zufall.',
        knowsCards: '{bot} kennt vielleicht die Karten: Seine Wahl unter verdeckten Karten bringt {a} Punkte pro '
            + 'Spiel, und der Zufall erlaubt {b}. Ehrliche Bots haben so viel Glück höchstens in einem von {n} '
            + 'Turnieren.',
        signIn: 'Anmelden', signOut: 'Abmelden', token: 'Token',
        aboutToken: 'Tokens vergibt der Betreiber dieses Schiedsrichters. Das Token wird nur an ihn gesendet; die Anmeldung gilt zwölf Stunden.',
    },
    nl: {
        pinned: 'Vastgezet', pin: '{a} vastzetten', timeLeft: 'nog ongeveer {a}', timeNeeded: 'duurt ongeveer {a}',
        scrollHint: 'Veeg opzij voor meer kolommen',
        language: 'Nederlands', languageLabel: 'Taal', skip: 'Naar de inhoud', overview: 'Overzicht',
        bots: 'Bots', live: 'Live', lost: 'Opnieuw verbinden …', ending: 'De scheidsrechter wordt afgesloten',
        trouble: 'Dit kon niet worden geladen: {a}',
        queued: 'wacht', playing: 'bezig', done: 'klaar', paused: 'onderbroken', failed: 'mislukt',
        cancelled: 'afgebroken', match: 'partij', tournament: 'toernooi', upload: 'geüpload',
        command: 'van deze machine', remote: 'van een andere machine',
        countPlaying: 'bezig', countWaiting: 'wachten', countOver: 'afgelopen', countBots: 'bots',
        countWatchers: 'kijken mee', now: 'Nu', nothingNow: 'Er wordt niets gespeeld en er wacht niets.',
        recent: 'Afgelopen', nothingRecent: 'Er is nog niets afgelopen.', older: 'Ouder', newer: 'Nieuwer',
        progress: '{a} van {b} partijen', unknownLength: '{a} partijen', job: 'Opdracht {n}',
        by: '{kind}, ingediend door {user}', submitted: 'ingediend op {a}', ended: 'beëindigd op {a}',
        standings: 'Stand', noStandings: 'Er is nog geen verdeling uitgespeeld.', matches: 'Partijen',
        published: 'Een verdeling wordt getoond zodra ze in alle opstellingen gespeeld is, zodat niemand bekende kaarten krijgt.',
        filters: 'Filters', bot: 'Bot', any: 'alle', fault: 'Fout', withFault: 'een fout',
        withoutFault: 'geen fout', place: 'Rang', placeOf: 'Rang {n}:', search: 'Zoeken', shown: '{a} van {b}',
        more: 'Meer tonen',
        noMatches: 'Geen partijen gevonden.', watch: 'Bekijken', log: 'Logboek', watchMatch: 'Partij {a} bekijken',
        logOfMatch: 'Logboek van partij {a}', report: 'Volledig verslag', tableCsv: 'Stand (CSV)',
        crossCsv: 'Kruistabel (CSV)', matchesCsv: 'Partijen (CSV)', rating: 'Rating',
        ranks: 'Mogelijke rangen', score: 'Punten',
        winShare: 'Gewonnen', faults: 'Fouten', median: 'Mediaantijd', p99: '99% binnen', name: 'Naam',
        version: 'Versie', user: 'Gebruiker', kind: 'Soort', noBots: 'Er zijn nog geen bots.',
        figures: 'Alleen opdrachten van de gebruiker van de bot zelf of van de eigenaar van de scheidsrechter tellen mee.',
        olderVersions: 'Oudere versies van {a}', withdrawn: 'teruggetrokken',
        interval: '95%: {a} tot {b}', missing: 'Pagina niet gevonden',
        missingText: 'Deze pagina bestaat niet, of is nog niet gepubliceerd.', back: 'Naar het overzicht',
        titleOfJob: 'Titel', state: 'Status', number: 'Nr.', date: 'Datum',
        adjusted: 'Gecorrigeerd', suspicious: 'verdacht',
        aboutLuck: 'Gecorrigeerd: zonder wat de kaarten gaven; hetzelfde gemiddelde, meestal minder toeval.',
        knowsCards: '{bot} kent misschien de kaarten: zijn keuzes tussen verborgen kaarten leveren {a} punten per '
            + 'partij op, en het toeval staat {b} toe. Eerlijke bots hebben zoveel geluk in hoogstens één van '
            + '{n} toernooien.',
        signIn: 'Aanmelden', signOut: 'Afmelden', token: 'Token',
        aboutToken: 'Tokens komen van de eigenaar van deze scheidsrechter. Het token wordt alleen daarheen gestuurd; de aanmelding geldt twaalf uur.',
    },
    fr: {
        pinned: 'Épinglées', pin: 'Épingler {a}', timeLeft: 'encore {a} environ', timeNeeded: 'durera environ {a}',
        scrollHint: 'Faites défiler pour voir les autres colonnes',
        language: 'Français', languageLabel: 'Langue', skip: 'Aller au contenu', overview: 'Aperçu',
        bots: 'Bots', live: 'En direct', lost: 'Reconnexion…', ending: 'L’arbitre va s’arrêter',
        trouble: 'Chargement impossible\u00a0: {a}',
        queued: 'en attente', playing: 'en cours', done: 'terminée', paused: 'suspendue', failed: 'échouée',
        cancelled: 'annulée', match: 'partie', tournament: 'tournoi', upload: 'téléversé',
        command: 'de cette machine', remote: 'd’une autre machine',
        countPlaying: 'en cours', countWaiting: 'en attente', countOver: 'terminées', countBots: 'bots',
        countWatchers: 'spectateurs', now: 'Maintenant', nothingNow: 'Aucune partie en cours ni en attente.',
        recent: 'Terminées', nothingRecent: 'Rien n’est encore terminé.', older: 'Plus anciennes',
        newer: 'Plus récentes',
        progress: '{a} parties sur {b}', unknownLength: '{a} parties', job: 'Tâche {n}',
        by: '{kind}, par {user}', submitted: 'remise le {a}', ended: 'terminée le {a}',
        standings: 'Classement', noStandings: 'Aucune donne n’est encore terminée.', matches: 'Parties',
        published: 'Une donne est affichée dès qu’elle a été jouée dans toutes les dispositions, pour que personne ne reçoive une donne connue.',
        filters: 'Filtres', bot: 'Bot', any: 'tous', fault: 'Faute', withFault: 'une faute',
        withoutFault: 'sans faute', place: 'Rang', placeOf: 'Rang {n}\u00a0:', search: 'Recherche',
        shown: '{a} sur {b}', more: 'Afficher plus',
        noMatches: 'Aucune partie trouvée.', watch: 'Regarder', log: 'Journal',
        watchMatch: 'Regarder la partie {a}',
        logOfMatch: 'Journal de la partie {a}', report: 'Rapport complet', tableCsv: 'Classement (CSV)',
        crossCsv: 'Tableau croisé (CSV)', matchesCsv: 'Parties (CSV)', rating: 'Cote',
        ranks: 'Rangs possibles', score: 'Points',
        winShare: 'Victoires', faults: 'Fautes', median: 'Temps médian', p99: '99\u00a0% en moins de', name: 'Nom',
        version: 'Version', user: 'Utilisateur', kind: 'Type', noBots: 'Il n’y a pas encore de bots.',
        figures: 'Seules comptent les demandes de l’utilisateur du bot lui-même ou du propriétaire de l’arbitre.',
        olderVersions: 'Anciennes versions de {a}', withdrawn: 'retiré',
        interval: '95\u00a0%\u00a0: {a} à {b}', missing: 'Page introuvable',
        missingText: 'Cette page n’existe pas, ou n’est pas encore publiée.', back: 'Retour à l’aperçu',
        titleOfJob: 'Titre', state: 'État', number: 'N°', date: 'Date',
        adjusted: 'Corrigés', suspicious: 'suspect',
        aboutLuck: 'Corrigés\u00a0: sans ce que les cartes ont donné\u00a0; la même moyenne, le plus souvent moins de hasard.',
        knowsCards: '{bot} connaît peut-être les cartes\u00a0: ses choix parmi les cartes cachées lui rapportent {a} '
            + 'points par partie, et le hasard en permet {b}. Des bots honnêtes ont autant de chance dans un '
            + 'tournoi sur {n} au plus.',
        signIn: 'Se connecter', signOut: 'Se déconnecter', token: 'Jeton',
        aboutToken: 'Les jetons viennent du propriétaire de cet arbitre. Le jeton n’est envoyé qu’à cet arbitre\u00a0; la connexion dure douze heures.',
    },
    es: {
        pinned: 'Fijados', pin: 'Fijar {a}', timeLeft: 'aún {a} aprox.', timeNeeded: 'durará {a} aprox.',
        scrollHint: 'Desliza para ver más columnas',
        language: 'Español', languageLabel: 'Idioma', skip: 'Ir al contenido', overview: 'Resumen',
        bots: 'Bots', live: 'En vivo', lost: 'Reconectando …', ending: 'El árbitro se está cerrando',
        trouble: 'No se pudo cargar: {a}',
        queued: 'en espera', playing: 'en juego', done: 'terminado', paused: 'en pausa', failed: 'fallido',
        cancelled: 'cancelado', match: 'partida', tournament: 'torneo', upload: 'subido',
        command: 'de esta máquina', remote: 'de otra máquina',
        countPlaying: 'en juego', countWaiting: 'en espera', countOver: 'terminados', countBots: 'bots',
        countWatchers: 'mirando', now: 'Ahora', nothingNow: 'No hay nada en juego ni en espera.',
        recent: 'Terminados', nothingRecent: 'Aún no ha terminado nada.', older: 'Más antiguos',
        newer: 'Más recientes',
        progress: '{a} de {b} partidas', unknownLength: '{a} partidas', job: 'Trabajo {n}',
        by: '{kind}, de {user}', submitted: 'enviado el {a}', ended: 'terminado el {a}',
        standings: 'Clasificación', noStandings: 'Aún no ha terminado ningún reparto.', matches: 'Partidas',
        published: 'Un reparto se muestra cuando se ha jugado en todas las disposiciones, para que nadie reciba un reparto conocido.',
        filters: 'Filtros', bot: 'Bot', any: 'todos', fault: 'Falta', withFault: 'alguna falta',
        withoutFault: 'sin falta', place: 'Puesto', placeOf: 'Puesto {n}:', search: 'Buscar', shown: '{a} de {b}',
        more: 'Mostrar más',
        noMatches: 'Ninguna partida coincide.', watch: 'Ver', log: 'Registro', watchMatch: 'Ver la partida {a}',
        logOfMatch: 'Registro de la partida {a}', report: 'Informe completo', tableCsv: 'Clasificación (CSV)',
        crossCsv: 'Tabla cruzada (CSV)', matchesCsv: 'Partidas (CSV)', rating: 'Valoración',
        ranks: 'Puestos posibles', score: 'Puntos',
        winShare: 'Victorias', faults: 'Faltas', median: 'Tiempo mediano', p99: '99\u00a0% en menos de',
        name: 'Nombre',
        version: 'Versión', user: 'Usuario', kind: 'Tipo', noBots: 'Aún no hay bots.',
        figures: 'Solo cuentan los encargos del propio usuario del bot o del dueño del árbitro.',
        olderVersions: 'Versiones anteriores de {a}', withdrawn: 'retirado',
        interval: '95\u00a0%: {a} a {b}', missing: 'Página no encontrada',
        missingText: 'Esta página no existe, o aún no se ha publicado.', back: 'Volver al resumen',
        titleOfJob: 'Título', state: 'Estado', number: 'N.º', date: 'Fecha',
        adjusted: 'Ajustados', suspicious: 'sospechoso',
        aboutLuck: 'Ajustados: sin lo que dieron las cartas; la misma media, casi siempre menos azar.',
        knowsCards: '{bot} quizá conoce las cartas: sus elecciones entre cartas ocultas le dan {a} puntos por '
            + 'partida, y el azar permite {b}. Los bots honrados tienen tanta suerte a lo sumo en uno de cada '
            + '{n} torneos.',
        signIn: 'Iniciar sesión', signOut: 'Cerrar sesión', token: 'Token',
        aboutToken: 'Los tokens los da el dueño de este árbitro. El token solo se envía a este árbitro; la sesión dura doce horas.',
    },
};

function fill(pattern, values) {
    return pattern.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
}

// A text of the page in that language.
function textIn(language, name, values = {}) {
    return fill(TEXTS[language][name] ?? TEXTS.en[name], values);
}

// The reader's own variant of that language, for familiar dates and numbers.
function localeOf(language) {
    return globalThis.navigator?.languages?.find(name => name.slice(0, 2) === language) ?? language;
}

function formatNumber(number, language, digits = 0) {
    return new Intl.NumberFormat(localeOf(language), {minimumFractionDigits: digits, maximumFractionDigits: digits})
        .format(number);
}

function formatShare(share, language) {
    return new Intl.NumberFormat(localeOf(language), {style: 'percent', maximumFractionDigits: 1}).format(share);
}

function formatTime(us, language) {
    const [value, unit] = us < 1000 ? [us, 'µs'] : us < 1e6 ? [us / 1e3, 'ms'] : [us / 1e6, 's'];
    const digits = unit === 'µs' ? 0 : value < 10 ? 2 : 1;
    return new Intl.NumberFormat(localeOf(language), {maximumFractionDigits: digits}).format(value) + '\u00a0' + unit;
}

// A rough duration, in one unit.
function formatDuration(seconds, language) {
    const [value, unit] = seconds < 90 ? [seconds, 'second'] : seconds < 5400 ? [seconds / 60, 'minute'] :
        seconds < 172800 ? [seconds / 3600, 'hour'] : [seconds / 86400, 'day'];
    return new Intl.NumberFormat(localeOf(language), {style: 'unit', unit, maximumFractionDigits: 0}).format(value);
}

function formatDate(seconds, language) {
    return new Intl.DateTimeFormat(localeOf(language), {dateStyle: 'medium', timeStyle: 'short'})
        .format(new Date(seconds * 1000));
}
