/* One table: a row per text, its languages in the order of enum report_language. The values of
 * facts and the names of faults are words of the config and the protocol, the same in all
 * languages. */

#include "tournament/report/report_texts.h"

#include "base/message.h"

static const char *const texts[REPORT_TEXT_COUNT][REPORT_LANGUAGE_COUNT] = {
    [REPORT_TEXT_LANGUAGE] = {"Language", "Sprache", "Taal", "Langue", "Idioma"},
    [REPORT_TEXT_PARTS] = {"Parts of this page", "Teile dieser Seite", "Delen van deze pagina",
                           "Sections de cette page", "Partes de esta página"},
    [REPORT_TEXT_SUBTITLE] = {"{0}, edition {1}, {2} seats, {3} blocks",
                              "{0}, Ausgabe {1}, {2} Plätze, {3} Blöcke",
                              "{0}, editie {1}, {2} plaatsen, {3} blokken",
                              "{0}, édition {1}, {2} places, {3} blocs",
                              "{0}, edición {1}, {2} asientos, {3} bloques"},
    [REPORT_TEXT_FINISHED] = {"finished: {0} matches", "beendet: {0} Spiele",
                              "afgelopen: {0} partijen", "terminé\u00a0: {0} parties",
                              "terminado: {0} partidas"},
    [REPORT_TEXT_NOT_FINISHED] =
        {"not finished: {0} of {1} matches played; incomplete blocks do not count yet",
         "nicht beendet: {0} von {1} Spielen sind gespielt; unvollständige Blöcke zählen noch "
         "nicht",
         "niet afgelopen: {0} van {1} partijen zijn gespeeld; onvolledige blokken tellen nog niet "
         "mee",
         "en cours\u00a0: {0} parties sur {1} sont jouées\u00a0; les blocs incomplets ne comptent "
         "pas encore",
         "sin terminar: se han jugado {0} de {1} partidas; los bloques incompletos aún no cuentan"},
    [REPORT_TEXT_COUNTS] = {"{0} bots, {1} matches of {2} deals",
                            "{0} Bots, {1} Spiele mit {2} Kartenverteilungen",
                            "{0} bots, {1} partijen met {2} verdelingen",
                            "{0} bots, {1} parties avec {2} donnes",
                            "{0} bots, {1} partidas con {2} repartos"},
    [REPORT_TEXT_WARNINGS] = {"Warnings", "Warnungen", "Waarschuwingen", "Avertissements",
                              "Advertencias"},
    [REPORT_TEXT_WARNING] = {"Warning:", "Warnung:", "Waarschuwing:", "Attention\u00a0:",
                             "Advertencia:"},
    [REPORT_TEXT_SEED_IS_KNOWN] =
        {"somebody chose the seed of the deals: anyone who knows it knows all cards",
         "jemand hat den Startwert der Karten gewählt: Wer ihn kennt, kennt alle Karten",
         "iemand heeft de startwaarde van de verdelingen gekozen: wie die kent, kent alle kaarten",
         "quelqu’un a choisi la graine des donnes\u00a0: qui la connaît connaît toutes les cartes",
         "alguien eligió la semilla de los repartos: quien la conoce, conoce todas las cartas"},
    [REPORT_TEXT_KNOWS_CARDS] =
        {"{0} may know the cards: its choices among hidden cards gain {1} points per match, and "
         "chance allows {2}; honest bots have that much luck in at most one of {3} tournaments",
         "{0} kennt vielleicht die Karten: Seine Wahl unter verdeckten Karten bringt {1} Punkte "
         "pro Spiel, und der Zufall erlaubt {2}; ehrliche Bots haben so viel Glück höchstens in "
         "einem von {3} Turnieren",
         "{0} kent misschien de kaarten: zijn keuzes tussen verborgen kaarten leveren {1} punten "
         "per partij op, en het toeval staat {2} toe; eerlijke bots hebben zoveel geluk in "
         "hoogstens één van {3} toernooien",
         "{0} connaît peut-être les cartes\u00a0: ses choix parmi les cartes cachées lui "
         "rapportent {1} points par partie, et le hasard en permet {2}\u00a0; des bots honnêtes "
         "ont autant de chance dans un tournoi sur {3} au plus",
         "{0} quizá conoce las cartas: sus elecciones entre cartas ocultas le dan {1} puntos por "
         "partida, y el azar permite {2}; los bots honrados tienen tanta suerte a lo sumo en uno "
         "de cada {3} torneos"},
    [REPORT_TEXT_KNOWS_DEALS] =
        {"{0} may know the cards of deals that come again: it has {1} points per round in its "
         "first match of a deal and {2} in the later ones; play single seatings",
         "{0} kennt vielleicht die Karten wiederholter Kartenverteilungen: Im ersten Spiel einer "
         "Verteilung hat er {1} Punkte pro Partie, in den späteren {2}; „single“ als Sitzordnung "
         "hilft",
         "{0} kent misschien de kaarten van herhaalde verdelingen: in de eerste partij van een "
         "verdeling heeft hij {1} punten per ronde, in de latere {2}; de opstelling “single” helpt",
         "{0} connaît peut-être les cartes des donnes rejouées\u00a0: il a {1} points par manche "
         "dans la première partie d’une donne et {2} dans les suivantes\u00a0; la disposition "
         "«\u00a0single\u00a0» y remédie",
         "{0} quizá conoce las cartas de los repartos repetidos: tiene {1} puntos por ronda en la "
         "primera partida de un reparto y {2} en las siguientes; la disposición «single» lo evita"},
    [REPORT_TEXT_STANDINGS] = {"Standings", "Tabelle", "Stand", "Classement", "Clasificación"},
    [REPORT_TEXT_RATINGS] = {"Ratings", "Spielstärken", "Ratings", "Cotes", "Valoraciones"},
    [REPORT_TEXT_SCORES] = {"Scores", "Punkte", "Punten", "Points", "Puntos"},
    [REPORT_TEXT_TIMES] = {"Thinking times", "Bedenkzeiten", "Bedenktijden", "Temps de réflexion",
                           "Tiempos de reflexión"},
    [REPORT_TEXT_CROSS] = {"Cross table", "Kreuztabelle", "Kruistabel", "Tableau croisé",
                           "Tabla cruzada"},
    [REPORT_TEXT_SEATS] = {"Seats and places", "Plätze und Ränge", "Plaatsen en rangen",
                           "Places et rangs", "Asientos y puestos"},
    [REPORT_TEXT_CARDS] = {"Who knows the cards?", "Wer kennt die Karten?", "Wie kent de kaarten?",
                           "Qui connaît les cartes\u00a0?", "¿Quién conoce las cartas?"},
    [REPORT_TEXT_CHOICES] = {"Luck of choices", "Glück bei der Wahl", "Geluk bij keuzes",
                             "Chance dans les choix", "Suerte en las elecciones"},
    [REPORT_TEXT_REPEATS] = {"Deals that come again", "Wiederholte Kartenverteilungen",
                             "Herhaalde verdelingen", "Donnes rejouées", "Repartos repetidos"},
    [REPORT_TEXT_FAULTS] = {"Faults", "Fehler", "Fouten", "Fautes", "Faltas"},
    [REPORT_TEXT_WORST] = {"Worst matches", "Schlechteste Spiele", "Slechtste partijen",
                           "Pires parties", "Peores partidas"},
    [REPORT_TEXT_FACTS] = {"Facts", "Angaben", "Gegevens", "Paramètres", "Datos"},
    [REPORT_TEXT_ABOUT_STANDINGS] =
        {"Best rating first. 400 rating points are odds of ten to one. A rank of “4th to "
         "9th”: with 95\u00a0% certainty for all bots at once, this bot is at best 4th and at "
         "worst "
         "9th. Fewer points per round are better. Intervals are 95\u00a0%, each by itself.",
         "Die größte Spielstärke zuerst. 400 Punkte mehr Spielstärke sind Chancen von zehn zu "
         "eins. Rang „4. bis 9.“: Mit 95\u00a0% Sicherheit für alle Bots zugleich ist dieser Bot "
         "bestenfalls Vierter und schlimmstenfalls Neunter. Weniger Punkte pro Partie sind besser. "
         "Die Intervalle sind 95-%-Intervalle, jedes für sich.",
         "De hoogste rating eerst. 400 ratingpunten zijn kansen van tien tegen één. Rang “4e t/m "
         "9e”: met 95% zekerheid voor alle bots tegelijk is deze bot op zijn best vierde en op "
         "zijn "
         "slechtst negende. Minder punten per ronde is beter. De intervallen zijn "
         "95%-intervallen, elk op zichzelf.",
         "La meilleure cote d’abord. 400 points de cote, c’est dix chances contre une. Rang "
         "«\u00a04e à 9e\u00a0»\u00a0: avec 95\u00a0% de certitude pour tous les bots à la fois, "
         "ce "
         "bot est au mieux quatrième et au pire neuvième. Moins de points par manche, c’est mieux. "
         "Les intervalles sont à 95\u00a0%, chacun pour soi.",
         "Primero la mejor valoración. 400 puntos de valoración son diez probabilidades contra "
         "una. Puesto «4.º a 9.º»: con un 95\u00a0% de certeza para todos los bots a la vez, este "
         "bot es como mucho cuarto y en el peor caso noveno. Menos puntos por ronda es mejor. Los "
         "intervalos son del 95\u00a0%, cada uno por separado."},
    [REPORT_TEXT_ABOUT_LUCK] = {"Adjusted: without what the cards gave; the same mean, mostly less "
                                "chance. The interval of the "
                                "points belongs to the adjusted ones.",
                                "Bereinigt: ohne das, was die Karten gaben; im Mittel gleich, "
                                "meist mit weniger Zufall. Das "
                                "Intervall der Punkte gehört zu den bereinigten.",
                                "Gecorrigeerd: zonder wat de kaarten gaven; hetzelfde gemiddelde, "
                                "meestal minder toeval. Het "
                                "interval van de punten hoort bij de gecorrigeerde.",
                                "Corrigés\u00a0: sans ce que les cartes ont donné\u00a0; la même "
                                "moyenne, le plus souvent moins de "
                                "hasard. L’intervalle des points est celui des points corrigés.",
                                "Ajustados: sin lo que dieron las cartas; la misma media, casi "
                                "siempre menos azar. El intervalo de los "
                                "puntos es el de los ajustados."},
    [REPORT_TEXT_ABOUT_RATINGS] =
        {"A dot is the rating, the line through it spans 95\u00a0%. Beside them are the "
         "ranks that the bot may have. The mean of all bots is 0.",
         "Der Punkt ist die Spielstärke, die Linie durch ihn umfasst 95\u00a0%. Daneben "
         "stehen die Ränge, die der Bot haben kann. Der Mittelwert aller Bots ist 0.",
         "De stip is de rating, de lijn erdoor omvat 95%. Daarnaast staan de rangen die "
         "de bot kan hebben. Het gemiddelde van alle bots is 0.",
         "Le point est la cote, la ligne qui le traverse couvre 95\u00a0%. À côté figurent "
         "les rangs que le bot peut avoir. La moyenne de tous les bots est 0.",
         "El punto es la valoración, la línea que lo cruza abarca el 95\u00a0%. Al lado figuran "
         "los puestos que el bot puede tener. La media de todos los bots es 0."},
    [REPORT_TEXT_ABOUT_SCORES] =
        {"The distribution of points per round of each bot; the line is the mean. Fewer points are "
         "better. Heights are shares of its matches, on the same scale for all.",
         "Die Verteilung der Punkte pro Partie für jeden Bot; die Linie ist der Mittelwert. "
         "Weniger Punkte sind besser. Die Höhen sind Anteile an seinen Spielen, im selben Maßstab "
         "für alle.",
         "De verdeling van de punten per ronde van elke bot; de lijn is het gemiddelde. Minder "
         "punten is beter. De hoogten zijn aandelen van zijn partijen, op dezelfde schaal voor "
         "alle bots.",
         "La répartition des points par manche de chaque bot\u00a0; la ligne est la moyenne. Moins "
         "de points, c’est mieux. Les hauteurs sont des parts de ses parties, à la même échelle "
         "pour tous.",
         "La distribución de los puntos por ronda de cada bot; la línea es la media. Menos puntos "
         "es mejor. Las alturas son proporciones de sus partidas, en la misma escala para todos."},
    [REPORT_TEXT_ABOUT_TIMES] =
        {"How long answers took, on a logarithmic scale. The line is the median; 99 of 100 answers "
         "took no longer than the dashed one.",
         "Wie lange Antworten dauerten, logarithmisch. Die Linie ist der Median; 99 von 100 "
         "Antworten dauerten nicht länger als die gestrichelte.",
         "Hoe lang antwoorden duurden, op een logaritmische schaal. De lijn is de mediaan; 99 van "
         "de 100 antwoorden duurden niet langer dan de streepjeslijn.",
         "La durée des réponses, à l’échelle logarithmique. La ligne est la médiane\u00a0; 99 "
         "réponses sur 100 n’ont pas dépassé la ligne en tirets.",
         "Cuánto tardaron las respuestas, en escala logarítmica. La línea es la mediana; 99 de "
         "cada 100 respuestas no superaron la línea discontinua."},
    [REPORT_TEXT_ABOUT_CROSS] =
        {"The percentage of their common matches in which the bot of the row was placed before the "
         "bot of the column; a shared place counts half. Blue is more than half, orange less.",
         "In wie viel Prozent ihrer gemeinsamen Spiele der Bot der Zeile vor dem Bot der Spalte "
         "lag; ein geteilter Rang zählt halb. Blau ist mehr als die Hälfte, Orange weniger.",
         "In hoeveel procent van hun gezamenlijke partijen de bot van de rij voor de bot van de "
         "kolom eindigde; een gedeelde rang telt half. Blauw is meer dan de helft, oranje minder.",
         "Le pourcentage de leurs parties communes où le bot de la ligne était classé devant celui "
         "de la colonne\u00a0; un rang partagé compte pour moitié. Bleu\u00a0: plus de la "
         "moitié\u00a0; orange\u00a0: moins.",
         "El porcentaje de sus partidas comunes en que el bot de la fila quedó por delante del de "
         "la columna; un puesto compartido cuenta la mitad. Azul es más de la mitad, naranja "
         "menos."},
    [REPORT_TEXT_CROSS_IS_CUT] =
        {"Only the best {0} bots; the CSV has all.", "Nur die besten {0} Bots; im CSV sind alle.",
         "Alleen de beste {0} bots; in de CSV staan ze allemaal.",
         "Seulement les {0} meilleurs bots\u00a0; le CSV les contient tous.",
         "Solo los {0} mejores bots; el CSV los contiene todos."},
    [REPORT_TEXT_CROSS_AS_TABLE] = {"The same as a table, with the number of matches",
                                    "Dasselbe als Tabelle, mit der Zahl der Spiele",
                                    "Hetzelfde als tabel, met het aantal partijen",
                                    "La même chose en tableau, avec le nombre de parties",
                                    "Lo mismo como tabla, con el número de partidas"},
    [REPORT_TEXT_CROSS_CAPTION] =
        {"Percent in which the row was placed before the column, and of how many matches",
         "Prozent, in denen die Zeile vor der Spalte lag, und von wie vielen Spielen",
         "Procent waarin de rij voor de kolom eindigde, en van hoeveel partijen",
         "Pourcentage où la ligne était classée devant la colonne, et de combien de parties",
         "Porcentaje en que la fila quedó por delante de la columna, y de cuántas partidas"},
    [REPORT_TEXT_ABOUT_SEATS] =
        {"Points per round on each seat and in how many matches, then how often the bot came "
         "first, second and so on.",
         "Punkte pro Partie auf jedem Platz und in wie vielen Spielen, dann wie oft der Bot "
         "Erster, Zweiter und so weiter wurde.",
         "Punten per ronde op elke plaats en in hoeveel partijen, daarna hoe vaak de bot eerste, "
         "tweede enzovoort werd.",
         "Points par manche à chaque place et en combien de parties, puis combien de fois le bot a "
         "fini premier, deuxième et ainsi de suite.",
         "Puntos por ronda en cada asiento y en cuántas partidas, y después cuántas veces el bot "
         "quedó primero, segundo, etcétera."},
    [REPORT_TEXT_ABOUT_CHOICES] =
        {"Points per match that a bot gained by its choices among hidden cards: a card from the "
         "draw pile, a cell to turn up. Without knowledge of the cards the mean is 0, and chance "
         "allows a little more. So much luck comes by chance in at most one of so many "
         "tournaments, all bots considered.",
         "Punkte pro Spiel, die ein Bot durch seine Wahl unter verdeckten Karten gewann: eine "
         "Karte vom Stapel, ein Feld zum Aufdecken. Ohne Kenntnis der Karten ist das Mittel 0, und "
         "der Zufall erlaubt etwas mehr. So viel Glück kommt durch Zufall höchstens in einem von "
         "so vielen Turnieren vor, alle Bots berücksichtigt.",
         "Punten per partij die een bot won met zijn keuzes tussen verborgen kaarten: een kaart "
         "van de stapel, een vak om open te draaien. Zonder kennis van de kaarten is het "
         "gemiddelde 0, en het toeval staat iets meer toe. Zoveel geluk komt door toeval in "
         "hoogstens één van zoveel toernooien voor, alle bots in aanmerking genomen.",
         "Points par partie qu’un bot a gagnés par ses choix parmi les cartes cachées\u00a0: une "
         "carte de la pioche, une case à retourner. Sans connaître les cartes, la moyenne est 0, "
         "et le hasard permet un peu plus. Autant de chance arrive par hasard dans un tournoi sur "
         "ce nombre au plus, tous les bots pris en compte.",
         "Puntos por partida que un bot ganó con sus elecciones entre cartas ocultas: una carta "
         "del mazo, una casilla que descubrir. Sin conocer las cartas la media es 0, y el azar "
         "permite algo más. Tanta suerte se da por azar a lo sumo en uno de cada tantos torneos, "
         "teniendo en cuenta todos los bots."},
    [REPORT_TEXT_ABOUT_EVIDENCE] =
        {"The matches in which the suspicious bots had the most luck:",
         "Die Spiele, in denen die verdächtigen Bots das meiste Glück hatten:",
         "De partijen waarin de verdachte bots het meeste geluk hadden:",
         "Les parties où les bots suspects ont eu le plus de chance\u00a0:",
         "Las partidas en que los bots sospechosos tuvieron más suerte:"},
    [REPORT_TEXT_ABOUT_REPEATS] =
        {"Points per round in the first match of a deal and in the later ones. p is how probable "
         "such a gain is by chance, all bots considered. A bot that gains may know the cards.",
         "Punkte pro Partie im ersten Spiel einer Kartenverteilung und in den späteren. p sagt, "
         "wie wahrscheinlich eine solche Verbesserung durch Zufall ist, alle Bots berücksichtigt. "
         "Ein Bot, der sich verbessert, kennt vielleicht die Karten.",
         "Punten per ronde in de eerste partij van een verdeling en in de latere. p zegt hoe "
         "waarschijnlijk zo’n verbetering door toeval is, alle bots in aanmerking genomen. Een bot "
         "die zich verbetert, kent misschien de kaarten.",
         "Points par manche dans la première partie d’une donne et dans les suivantes. p est la "
         "probabilité d’un tel progrès par hasard, tous les bots pris en compte. Un bot qui "
         "progresse connaît peut-être les cartes.",
         "Puntos por ronda en la primera partida de un reparto y en las siguientes. p indica la "
         "probabilidad de tal mejora por azar, teniendo en cuenta todos los bots. Un bot que "
         "mejora quizá conoce las cartas."},
    [REPORT_TEXT_ABOUT_FAULTS] =
        {"By cause, for bots that had any. A bot at fault is out of that match and counts as last.",
         "Nach Ursache, für Bots, die welche hatten. Ein Bot, der einen Fehler macht, ist aus dem "
         "Spiel ausgeschlossen und zählt als Letzter.",
         "Naar oorzaak, voor bots die er hadden. Een bot die een fout maakt, is van die partij "
         "uitgesloten en telt als laatste.",
         "Par cause, pour les bots qui en ont commis. Un bot fautif est exclu de la partie et "
         "compte comme dernier.",
         "Por causa, para los bots que cometieron alguna. Un bot que comete una falta queda "
         "excluido de la partida y cuenta como último."},
    [REPORT_TEXT_FAULTS_CAPTION] = {"Faults by cause", "Fehler nach Ursache", "Fouten naar oorzaak",
                                    "Fautes par cause", "Faltas por causa"},
    [REPORT_TEXT_ABOUT_WORST] =
        {"The worst match of each bot, by seat from 0, and the command that replays it. A click on "
         "a command selects all of it.",
         "Das schlechteste Spiel jedes Bots, nach Plätzen ab 0, und der Befehl, der es wiedergibt. "
         "Ein Klick auf einen Befehl markiert ihn ganz.",
         "De slechtste partij van elke bot, per plaats vanaf 0, en de opdracht om die terug te "
         "kijken. Een klik op een opdracht selecteert die helemaal.",
         "La pire partie de chaque bot, par place à partir de 0, et la commande pour la revoir. Un "
         "clic sur une commande la sélectionne en entier.",
         "La peor partida de cada bot, por asiento desde el 0, y la orden para verla de nuevo. Un "
         "clic en una orden la selecciona entera."},
    [REPORT_TEXT_ABOUT_PATHS] = {"The commands work in the folder of this page.",
                                 "Die Befehle gelten im Ordner dieser Seite.",
                                 "De opdrachten werken in de map van deze pagina.",
                                 "Les commandes s’exécutent dans le dossier de cette page.",
                                 "Las órdenes funcionan en la carpeta de esta página."},
    [REPORT_TEXT_NO_MATCH] = {"No match has been decided yet.", "Noch ist kein Spiel entschieden.",
                              "Er is nog geen partij beslist.",
                              "Aucune partie n’est encore décidée.",
                              "Aún no se ha decidido ninguna partida."},
    [REPORT_TEXT_NO_FAULT] = {"No bot was at fault.", "Kein Bot hat einen Fehler gemacht.",
                              "Geen bot maakte een fout.", "Aucun bot n’a commis de faute.",
                              "Ningún bot cometió faltas."},
    [REPORT_TEXT_BOT] = {"Bot", "Bot", "Bot", "Bot", "Bot"},
    [REPORT_TEXT_RATING] = {"Rating", "Spielstärke", "Rating", "Cote", "Valoración"},
    [REPORT_TEXT_INTERVAL] = {"interval", "Intervall", "interval", "intervalle", "intervalo"},
    [REPORT_TEXT_RANKS] = {"Rank", "Rang", "Rang", "Rang", "Puesto"},
    [REPORT_TEXT_POINTS] = {"Points", "Punkte", "Punten", "Points", "Puntos"},
    [REPORT_TEXT_ADJUSTED] = {"Adjusted", "Bereinigt", "Gecorrigeerd", "Corrigés", "Ajustados"},
    [REPORT_TEXT_WINS] = {"Wins", "Siege", "Gewonnen", "Victoires", "Victorias"},
    [REPORT_TEXT_MATCHES] = {"Matches", "Spiele", "Partijen", "Parties", "Partidas"},
    [REPORT_TEXT_MEDIAN] = {"Median", "Median", "Mediaan", "Médiane", "Mediana"},
    [REPORT_TEXT_MEAN] = {"Mean", "Mittelwert", "Gemiddelde", "Moyenne", "Media"},
    [REPORT_TEXT_RATING_AND_RANKS] = {"Rating, rank", "Spielstärke, Rang", "Rating, rang",
                                      "Cote, rang", "Valoración, puesto"},
    [REPORT_TEXT_DRAWING] = {"Drawing", "Zeichnung", "Tekening", "Dessin", "Dibujo"},
    [REPORT_TEXT_SEAT] = {"Seat {0}", "Platz {0}", "Plaats {0}", "Place {0}", "Asiento {0}"},
    [REPORT_TEXT_PLACE] = {"Place {0}", "Rang {0}", "Rang {0}", "Rang {0}", "Puesto {0}"},
    [REPORT_TEXT_FIRST] = {"First", "Erstes", "Eerste", "Première", "Primera"},
    [REPORT_TEXT_LATER] = {"Later", "Spätere", "Latere", "Suivantes", "Siguientes"},
    [REPORT_TEXT_GAIN] = {"Gain", "Verbesserung", "Verbetering", "Progrès", "Mejora"},
    [REPORT_TEXT_LUCK] = {"Luck", "Glück", "Geluk", "Chance", "Suerte"},
    [REPORT_TEXT_ALLOWED] = {"Allowed", "Erlaubt", "Toegestaan", "Permis", "Permitido"},
    [REPORT_TEXT_ONE_IN] = {"One in", "Eines von", "Eén op", "Un sur", "Uno de cada"},
    [REPORT_TEXT_LUCK_IN_MATCH] = {"luck of choices: {0}", "Glück bei der Wahl: {0}",
                                   "geluk bij keuzes: {0}", "chance dans les choix\u00a0: {0}",
                                   "suerte en las elecciones: {0}"},
    [REPORT_TEXT_ALL_CAUSES] = {"all", "alle", "alle", "toutes", "todas"},
    [REPORT_TEXT_WITHDRAWN] = {"withdrawn", "zurückgezogen", "teruggetrokken", "retiré",
                               "retirado"},
    [REPORT_TEXT_NO_BOUND] = {"no bound", "unbegrenzt", "onbegrensd", "sans borne", "sin límite"},
    [REPORT_TEXT_ABOUT_NO_BOUND] =
        {"Won or lost every match against some bots; its true rating may be far off",
         "Gewann oder verlor jedes Spiel gegen manche Bots; die wahre Spielstärke kann weit "
         "entfernt liegen",
         "Won of verloor elke partij tegen sommige bots; de echte rating kan ver af liggen",
         "A gagné ou perdu toutes ses parties contre certains bots\u00a0; sa vraie cote peut être "
         "très différente",
         "Ganó o perdió todas las partidas contra algunos bots; su valoración real puede ser muy "
         "distinta"},
    [REPORT_TEXT_SUSPICIOUS] = {"suspicious", "verdächtig", "verdacht", "suspect", "sospechoso"},
    [REPORT_TEXT_RANGE] = {"{0} to {1}", "{0} bis {1}", "{0} tot {1}", "{0} à {1}", "{0} a {1}"},
    [REPORT_TEXT_PERCENT] = {"{0}\u00a0%", "{0}\u00a0%", "{0}%", "{0}\u00a0%", "{0}\u00a0%"},
    [REPORT_TEXT_IN_MATCHES] = {"in {0}", "in {0}", "in {0}", "en {0}", "en {0}"},
    [REPORT_TEXT_POINTS_AND_PLACE] = {"{0} points, place {1}", "{0} Punkte, Rang {1}",
                                      "{0} punten, rang {1}", "{0} points, rang {1}",
                                      "{0} puntos, puesto {1}"},
    [REPORT_TEXT_DEAL] = {"deal {0}", "Verteilung {0}", "verdeling {0}", "donne {0}",
                          "reparto {0}"},
    [REPORT_TEXT_FACT +
        REPORT_FACT_FORMAT] = {"format", "Turnierform", "toernooivorm", "formule", "formato"},
    [REPORT_TEXT_FACT + REPORT_FACT_HERO] = {"against the field", "gegen alle anderen",
                                             "tegen alle anderen", "contre tous les autres",
                                             "contra todos los demás"},
    [REPORT_TEXT_FACT + REPORT_FACT_SEATS] = {"seats at a table", "Plätze am Tisch",
                                              "plaatsen aan tafel", "places à table",
                                              "asientos por mesa"},
    [REPORT_TEXT_FACT +
        REPORT_FACT_SEATINGS] = {"seatings of a deal", "Sitzordnungen je Verteilung",
                                 "opstellingen per verdeling", "dispositions par donne",
                                 "disposiciones por reparto"},
    [REPORT_TEXT_FACT +
        REPORT_FACT_DEALS] = {"deals", "Kartenverteilungen", "verdelingen", "donnes", "repartos"},
    [REPORT_TEXT_FACT + REPORT_FACT_ROUNDS] = {"Swiss rounds", "Runden im Schweizer System",
                                               "Zwitserse rondes", "rondes suisses",
                                               "rondas suizas"},
    [REPORT_TEXT_FACT + REPORT_FACT_SCHEDULE_SEED] = {"schedule seed", "Startwert des Spielplans",
                                                      "startwaarde van het speelschema",
                                                      "graine du calendrier",
                                                      "semilla del calendario"},
    [REPORT_TEXT_FACT + REPORT_FACT_CLOCK] = {"clock", "Uhr", "klok", "horloge", "reloj"},
    [REPORT_TEXT_FACT + REPORT_FACT_START] = {"time to start, ms", "Zeit für den Start, ms",
                                              "tijd om te starten, ms", "temps de démarrage, ms",
                                              "tiempo de arranque, ms"},
    [REPORT_TEXT_FACT + REPORT_FACT_MOVE] = {"time per answer, ms", "Zeit pro Antwort, ms",
                                             "tijd per antwoord, ms", "temps par réponse, ms",
                                             "tiempo por respuesta, ms"},
    [REPORT_TEXT_FACT + REPORT_FACT_BANK] = {"extra time, ms", "Zusatzzeit, ms", "extra tijd, ms",
                                             "temps supplémentaire, ms", "tiempo adicional, ms"},
    [REPORT_TEXT_FACT + REPORT_FACT_SANDBOX] = {"sandbox level", "Sandbox-Stufe", "sandboxniveau",
                                                "niveau de bac à sable", "nivel de aislamiento"},
    [REPORT_TEXT_FACT +
        REPORT_FACT_REUSE] = {"bots kept between matches", "Bots laufen weiter zwischen Spielen",
                              "bots blijven draaien tussen partijen",
                              "bots gardés entre les parties", "bots activos entre partidas"},
    [REPORT_TEXT_FACT + REPORT_FACT_FAULTS] = {"faults until withdrawal", "Fehler bis zum Rückzug",
                                               "fouten tot terugtrekking",
                                               "fautes avant le retrait",
                                               "faltas hasta la retirada"},
    [REPORT_TEXT_FACT +
        REPORT_FACT_VARIANT] = {"variant", "Variante", "variant", "variante", "variante"},
    [REPORT_TEXT_FACT + REPORT_FACT_RULES] = {"rules", "Regeln", "regels", "règles", "reglas"},
    [REPORT_TEXT_FACT + REPORT_FACT_REFEREE] = {"referee", "Schiedsrichter", "scheidsrechter",
                                                "arbitre", "árbitro"},
};

const char *report_texts_find(enum report_language language, enum report_text text)
{
    return texts[text][language];
}

/* The number of the value whose blank is here, `{0}` to `{9}`; or -1. */
static int blank_at(const char *text)
{
    return text[0] == '{' && text[1] >= '0' && text[1] <= '9' && text[2] == '}' ? text[1] - '0'
                                                                                : -1;
}

char *report_texts_fill(enum report_language language, enum report_text text,
                        const char *const *values)
{
    char *filled = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&filled, &length);

    if (file == NULL)
        fatal("no memory for a text");
    for (const char *rest = texts[text][language]; *rest != '\0';) {
        int blank = blank_at(rest);

        if (blank >= 0)
            fputs(values[blank], file);
        else
            fputc(*rest, file);
        rest += blank >= 0 ? 3 : 1;
    }
    if (fclose(file) != 0)
        fatal("no memory for a text");
    return filled;
}
