// Every word of the pages, in five languages. `{a}` and the like are filled in by say(); names, titles
// and what the daemon says in a sentence are never translated and never markup.

'use strict';

const WORDS = {
    en: {
        language: 'English', languageLabel: 'Language', skip: 'To the content', overview: 'Overview',
        bots: 'Bots', live: 'Live', lost: 'Connecting again …', ending: 'The referee is about to end',
        trouble: 'This could not be loaded: {a}', loading: 'Loading …',
        queued: 'waiting', playing: 'playing', done: 'done', paused: 'paused', failed: 'failed',
        cancelled: 'cancelled', match: 'match', tournament: 'tournament', upload: 'uploaded',
        command: 'of this machine', remote: 'from elsewhere',
        countPlaying: 'playing', countWaiting: 'waiting', countOver: 'over', countBots: 'bots',
        countWatchers: 'watching', now: 'Now', nothingNow: 'Nothing is being played and nothing waits.',
        recent: 'Over', nothingRecent: 'Nothing is over yet.', older: 'Older', newer: 'Newer',
        progress: '{a} of {b} matches', unknownLength: '{a} matches', work: 'Work {n}',
        by: '{kind}, given by {user}', given: 'given {a}', ended: 'ended {a}',
        standings: 'Standings', noStandings: 'No deal is decided yet.', matches: 'Matches',
        published: 'A deal is shown when all its seatings are decided, so that nobody meets a deal that is known.',
        filters: 'Filters', bot: 'Bot', any: 'all', fault: 'Fault', withFault: 'any fault',
        withoutFault: 'no fault', place: 'Place', search: 'Search', shown: '{a} of {b}', more: 'Show more',
        noMatches: 'No match fits.', watch: 'Watch', log: 'Log', watchMatch: 'Watch match {a}',
        logOfMatch: 'Log of match {a}', report: 'Full report', tableCsv: 'Standings (CSV)',
        crossCsv: 'Cross table (CSV)', matchesCsv: 'Matches (CSV)', rating: 'Rating', score: 'Points',
        winShare: 'Wins', faults: 'Faults', median: 'Median time', p99: '99 % within', name: 'Name',
        version: 'Version', user: 'User', kind: 'Kind', noBots: 'There are no bots yet.',
        olderVersions: 'Older versions of {a}', withdrawn: 'withdrawn', seat: 'Seat {n}',
        interval: '95 %: {a} to {b}', missing: 'This is not here',
        missingText: 'There is no such page, or it is not published yet.', back: 'To the overview',
        titleOfWork: 'Title', state: 'State', number: 'No.', date: 'Date',
    },
    de: {
        language: 'Deutsch', languageLabel: 'Sprache', skip: 'Zum Inhalt', overview: 'Übersicht',
        bots: 'Bots', live: 'Live', lost: 'Verbinde wieder …', ending: 'Der Schiedsrichter hört gleich auf',
        trouble: 'Das konnte nicht geladen werden: {a}', loading: 'Wird geladen …',
        queued: 'wartet', playing: 'läuft', done: 'fertig', paused: 'ausgesetzt', failed: 'gescheitert',
        cancelled: 'abgebrochen', match: 'Spiel', tournament: 'Turnier', upload: 'hochgeladen',
        command: 'von diesem Rechner', remote: 'von anderswo',
        countPlaying: 'laufen', countWaiting: 'warten', countOver: 'zu Ende', countBots: 'Bots',
        countWatchers: 'sehen zu', now: 'Jetzt', nothingNow: 'Es läuft nichts und nichts wartet.',
        recent: 'Zu Ende', nothingRecent: 'Noch ist nichts zu Ende.', older: 'Ältere', newer: 'Neuere',
        progress: '{a} von {b} Spielen', unknownLength: '{a} Spiele', work: 'Auftrag {n}',
        by: '{kind}, gegeben von {user}', given: 'gegeben {a}', ended: 'beendet {a}',
        standings: 'Tabelle', noStandings: 'Noch ist keine Kartenverteilung entschieden.', matches: 'Spiele',
        published: 'Eine Kartenverteilung wird gezeigt, wenn sie in allen Sitzordnungen entschieden ist: So trifft niemand auf bekannte Karten.',
        filters: 'Filter', bot: 'Bot', any: 'alle', fault: 'Fehler', withFault: 'irgendein Fehler',
        withoutFault: 'kein Fehler', place: 'Rang', search: 'Suche', shown: '{a} von {b}', more: 'Mehr zeigen',
        noMatches: 'Kein Spiel passt.', watch: 'Ansehen', log: 'Protokoll', watchMatch: 'Spiel {a} ansehen',
        logOfMatch: 'Protokoll von Spiel {a}', report: 'Voller Bericht', tableCsv: 'Tabelle (CSV)',
        crossCsv: 'Kreuztabelle (CSV)', matchesCsv: 'Spiele (CSV)', rating: 'Wertung', score: 'Punkte',
        winShare: 'Siege', faults: 'Fehler', median: 'Mittlere Zeit', p99: '99 % innerhalb', name: 'Name',
        version: 'Version', user: 'Benutzer', kind: 'Art', noBots: 'Es gibt noch keine Bots.',
        olderVersions: 'Ältere Versionen von {a}', withdrawn: 'zurückgezogen', seat: 'Platz {n}',
        interval: '95 %: {a} bis {b}', missing: 'Das ist nicht hier',
        missingText: 'Diese Seite gibt es nicht, oder sie ist noch nicht veröffentlicht.', back: 'Zur Übersicht',
        titleOfWork: 'Titel', state: 'Stand', number: 'Nr.', date: 'Datum',
    },
    nl: {
        language: 'Nederlands', languageLabel: 'Taal', skip: 'Naar de inhoud', overview: 'Overzicht',
        bots: 'Bots', live: 'Live', lost: 'Opnieuw verbinden …', ending: 'De scheidsrechter stopt zo',
        trouble: 'Dit kon niet worden geladen: {a}', loading: 'Laden …',
        queued: 'wacht', playing: 'bezig', done: 'klaar', paused: 'onderbroken', failed: 'mislukt',
        cancelled: 'afgebroken', match: 'partij', tournament: 'toernooi', upload: 'geüpload',
        command: 'van deze machine', remote: 'van elders',
        countPlaying: 'bezig', countWaiting: 'wachten', countOver: 'voorbij', countBots: 'bots',
        countWatchers: 'kijken mee', now: 'Nu', nothingNow: 'Er wordt niets gespeeld en er wacht niets.',
        recent: 'Voorbij', nothingRecent: 'Er is nog niets voorbij.', older: 'Ouder', newer: 'Nieuwer',
        progress: '{a} van {b} partijen', unknownLength: '{a} partijen', work: 'Opdracht {n}',
        by: '{kind}, gegeven door {user}', given: 'gegeven {a}', ended: 'geëindigd {a}',
        standings: 'Stand', noStandings: 'Er is nog geen deling beslist.', matches: 'Partijen',
        published: 'Een deling wordt getoond als alle zitplaatsen ervan beslist zijn, zodat niemand een bekende deling treft.',
        filters: 'Filters', bot: 'Bot', any: 'alle', fault: 'Fout', withFault: 'een fout',
        withoutFault: 'geen fout', place: 'Rang', search: 'Zoeken', shown: '{a} van {b}', more: 'Meer tonen',
        noMatches: 'Geen partij past.', watch: 'Bekijken', log: 'Logboek', watchMatch: 'Partij {a} bekijken',
        logOfMatch: 'Logboek van partij {a}', report: 'Volledig verslag', tableCsv: 'Stand (CSV)',
        crossCsv: 'Kruistabel (CSV)', matchesCsv: 'Partijen (CSV)', rating: 'Rating', score: 'Punten',
        winShare: 'Winst', faults: 'Fouten', median: 'Mediane tijd', p99: '99 % binnen', name: 'Naam',
        version: 'Versie', user: 'Gebruiker', kind: 'Soort', noBots: 'Er zijn nog geen bots.',
        olderVersions: 'Oudere versies van {a}', withdrawn: 'teruggetrokken', seat: 'Plaats {n}',
        interval: '95 %: {a} tot {b}', missing: 'Dit is hier niet',
        missingText: 'Deze pagina bestaat niet, of is nog niet gepubliceerd.', back: 'Naar het overzicht',
        titleOfWork: 'Titel', state: 'Toestand', number: 'Nr.', date: 'Datum',
    },
    fr: {
        language: 'Français', languageLabel: 'Langue', skip: 'Vers le contenu', overview: 'Aperçu',
        bots: 'Bots', live: 'En direct', lost: 'Nouvelle connexion …', ending: 'L’arbitre va s’arrêter',
        trouble: 'Ceci n’a pas pu être chargé : {a}', loading: 'Chargement …',
        queued: 'en attente', playing: 'en cours', done: 'terminé', paused: 'suspendu', failed: 'échoué',
        cancelled: 'annulé', match: 'partie', tournament: 'tournoi', upload: 'téléversé',
        command: 'de cette machine', remote: 'd’ailleurs',
        countPlaying: 'en cours', countWaiting: 'en attente', countOver: 'terminés', countBots: 'bots',
        countWatchers: 'spectateurs', now: 'Maintenant', nothingNow: 'Rien n’est joué et rien n’attend.',
        recent: 'Terminés', nothingRecent: 'Rien n’est encore terminé.', older: 'Plus anciens', newer: 'Plus récents',
        progress: '{a} parties sur {b}', unknownLength: '{a} parties', work: 'Travail {n}',
        by: '{kind}, donné par {user}', given: 'donné le {a}', ended: 'terminé le {a}',
        standings: 'Classement', noStandings: 'Aucune donne n’est encore décidée.', matches: 'Parties',
        published: 'Une donne est montrée quand toutes ses places sont décidées, pour que personne ne rencontre une donne connue.',
        filters: 'Filtres', bot: 'Bot', any: 'tous', fault: 'Faute', withFault: 'une faute',
        withoutFault: 'sans faute', place: 'Rang', search: 'Recherche', shown: '{a} sur {b}', more: 'Montrer plus',
        noMatches: 'Aucune partie ne convient.', watch: 'Regarder', log: 'Journal', watchMatch: 'Regarder la partie {a}',
        logOfMatch: 'Journal de la partie {a}', report: 'Rapport complet', tableCsv: 'Classement (CSV)',
        crossCsv: 'Tableau croisé (CSV)', matchesCsv: 'Parties (CSV)', rating: 'Cote', score: 'Points',
        winShare: 'Victoires', faults: 'Fautes', median: 'Temps médian', p99: '99 % en moins de', name: 'Nom',
        version: 'Version', user: 'Utilisateur', kind: 'Genre', noBots: 'Il n’y a pas encore de bots.',
        olderVersions: 'Anciennes versions de {a}', withdrawn: 'retiré', seat: 'Place {n}',
        interval: '95 % : {a} à {b}', missing: 'Ceci n’est pas ici',
        missingText: 'Cette page n’existe pas, ou n’est pas encore publiée.', back: 'Vers l’aperçu',
        titleOfWork: 'Titre', state: 'État', number: 'N°', date: 'Date',
    },
    es: {
        language: 'Español', languageLabel: 'Idioma', skip: 'Al contenido', overview: 'Resumen',
        bots: 'Bots', live: 'En vivo', lost: 'Conectando de nuevo …', ending: 'El árbitro va a terminar',
        trouble: 'Esto no se pudo cargar: {a}', loading: 'Cargando …',
        queued: 'en espera', playing: 'en juego', done: 'terminado', paused: 'en pausa', failed: 'fallido',
        cancelled: 'cancelado', match: 'partida', tournament: 'torneo', upload: 'subido',
        command: 'de esta máquina', remote: 'de otro lugar',
        countPlaying: 'en juego', countWaiting: 'en espera', countOver: 'terminados', countBots: 'bots',
        countWatchers: 'mirando', now: 'Ahora', nothingNow: 'No se juega nada y nada espera.',
        recent: 'Terminados', nothingRecent: 'Aún no ha terminado nada.', older: 'Anteriores', newer: 'Posteriores',
        progress: '{a} de {b} partidas', unknownLength: '{a} partidas', work: 'Trabajo {n}',
        by: '{kind}, dado por {user}', given: 'dado el {a}', ended: 'terminado el {a}',
        standings: 'Clasificación', noStandings: 'Aún no se ha decidido ningún reparto.', matches: 'Partidas',
        published: 'Un reparto se muestra cuando todos sus asientos están decididos, para que nadie encuentre un reparto conocido.',
        filters: 'Filtros', bot: 'Bot', any: 'todos', fault: 'Falta', withFault: 'alguna falta',
        withoutFault: 'sin falta', place: 'Puesto', search: 'Buscar', shown: '{a} de {b}', more: 'Mostrar más',
        noMatches: 'Ninguna partida coincide.', watch: 'Ver', log: 'Registro', watchMatch: 'Ver la partida {a}',
        logOfMatch: 'Registro de la partida {a}', report: 'Informe completo', tableCsv: 'Clasificación (CSV)',
        crossCsv: 'Tabla cruzada (CSV)', matchesCsv: 'Partidas (CSV)', rating: 'Valoración', score: 'Puntos',
        winShare: 'Victorias', faults: 'Faltas', median: 'Tiempo mediano', p99: '99 % en menos de', name: 'Nombre',
        version: 'Versión', user: 'Usuario', kind: 'Tipo', noBots: 'Aún no hay bots.',
        olderVersions: 'Versiones anteriores de {a}', withdrawn: 'retirado', seat: 'Asiento {n}',
        interval: '95 %: {a} a {b}', missing: 'Esto no está aquí',
        missingText: 'Esta página no existe, o aún no se ha publicado.', back: 'Al resumen',
        titleOfWork: 'Título', state: 'Estado', number: 'N.º', date: 'Fecha',
    },
};

function fill(pattern, values) {
    return pattern.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
}

// A word of the page in that language.
function say(language, word, values = {}) {
    return fill(WORDS[language][word] ?? WORDS.en[word], values);
}

// The reader's own form of that language, so that dates and numbers look as he is used to.
function localeOf(language) {
    return globalThis.navigator?.languages?.find(name => name.slice(0, 2) === language) ?? language;
}

function numberWord(number, language, digits = 0) {
    return new Intl.NumberFormat(localeOf(language), {minimumFractionDigits: digits, maximumFractionDigits: digits})
        .format(number);
}

function shareWord(share, language) {
    return new Intl.NumberFormat(localeOf(language), {style: 'percent', maximumFractionDigits: 1}).format(share);
}

function timeWord(us, language) {
    const [value, unit] = us < 1000 ? [us, 'µs'] : us < 1e6 ? [us / 1e3, 'ms'] : [us / 1e6, 's'];
    const digits = unit === 'µs' ? 0 : value < 10 ? 2 : 1;
    return new Intl.NumberFormat(localeOf(language), {maximumFractionDigits: digits}).format(value) + '\u00a0' + unit;
}

function dateWord(seconds, language) {
    return new Intl.DateTimeFormat(localeOf(language), {dateStyle: 'medium', timeStyle: 'short'})
        .format(new Date(seconds * 1000));
}
