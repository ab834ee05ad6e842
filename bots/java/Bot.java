import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A bot for ALLEGRA that keeps low cards and collects triples.
 *
 * <p>The referee writes lines to our stdin and reads our answers from our stdout. Most lines only
 * tell us something; a line that begins with {@code ask} needs an answer. To make a better
 * player, change {@link Table#worth}.
 */
public final class Bot {
    private static final int COLUMNS = 5;
    private static final int CELLS = 15;
    private static final int UNSEEN = 5; // an unseen card counts as about the mean
    private static final double BARGAIN = 4; // the top of the discard pile must save us this much
    private static final double DISASTER = 20; // we end the round, and others have fewer points

    /** The cells of a seat: "7", "?", "." or "_", in the order A1 B1 ... E1 A2 ... E3. */
    record Display(List<String> faces) {
        static final Display ALL_DOWN = parse("?,?,?,?,?/?,?,?,?,?/?,?,?,?,?");

        static Display parse(String text) {
            return new Display(List.of(text.split("[,/]")));
        }

        boolean hasCard(int cell) {
            return !faces.get(cell).equals(".") && !faces.get(cell).equals("_");
        }

        int points(int cell) {
            return !hasCard(cell) ? 0 : isDown(cell) ? UNSEEN : Integer.parseInt(faces.get(cell));
        }

        boolean isDown(int cell) {
            return faces.get(cell).equals("?");
        }

        IntStream cards() {
            return IntStream.range(0, CELLS).filter(this::hasCard);
        }

        int total() {
            return cards().map(this::points).sum();
        }

        int lowest() {
            return cards().map(this::points).min().orElse(0);
        }

        /** The most equal cards that a card would meet in a cell: 2 make a triple. */
        long matches(int card, int cell) {
            String face = Integer.toString(card);
            return threes(cell)
                    .filter(three -> three.contains(cell))
                    .mapToLong(three -> three.stream()
                            .filter(other -> other != cell && faces.get(other).equals(face))
                            .count())
                    .max()
                    .orElse(0);
        }

        /** The threes of the column and the row of a cell; gaps are left out. */
        private Stream<List<Integer>> threes(int cell) {
            int column = cell % COLUMNS;
            int row = cell - column;
            IntStream down = IntStream.of(column, column + COLUMNS, column + 2 * COLUMNS);
            IntStream across = IntStream.range(row, row + COLUMNS);
            return Stream.of(down, across).flatMap(line -> {
                List<Integer> cells = line.filter(i -> !faces.get(i).equals(".")).boxed().toList();
                return IntStream.rangeClosed(0, cells.size() - 3).mapToObj(i -> cells.subList(i, i + 3));
            });
        }

        /** The points that we save by putting a card into a cell. A pair may become a triple. */
        double gain(int card, int cell) {
            double bonus = switch ((int) matches(card, cell)) {
                case 2 -> 3.0 * card;
                case 1 -> 0.5 * card;
                default -> 0;
            };
            return points(cell) - card + bonus;
        }

        double bestGain(int card) {
            return cards().mapToDouble(cell -> gain(card, cell)).max().orElse(0);
        }
    }

    /** What the referee has told us about this match. */
    static final class Table {
        private final int seat;
        private final List<Display> displays = new ArrayList<>();
        private Map<String, String> facts = Map.of(); // from `table` lines: round, turn, top, ...
        private List<String> legal = List.of(); // the legal answers to the next question

        Table(int seats, int seat) {
            this.seat = seat;
            for (int i = 0; i < seats; i++) {
                displays.add(Display.ALL_DOWN);
            }
        }

        /** Chooses the legal answer with the best score. */
        String choose(Map<String, String> asked) {
            return legal.stream()
                    .max(Comparator.comparingDouble(answer -> worth(answer, asked)))
                    .orElse("pass");
        }

        /** How good an answer is, in points. {@code asked} holds the details of the question. */
        double worth(String answer, Map<String, String> asked) {
            String[] words = answer.split(" ");
            Display own = displays.get(seat);
            int card = Integer.parseInt(asked.getOrDefault("taken", asked.getOrDefault("drawn", "0")));
            int cell = words.length > 1 ? cellOf(words[1]) : -1;

            return switch (words[0]) {
                case "discard" -> own.bestGain(Integer.parseInt(facts.get("top")));
                case "pile" -> BARGAIN;
                case "keep", "place", "put" -> {
                    double saved = own.gain(card, cell);
                    yield saved - priceOfEnding(cell, saved);
                }
                case "drop" -> -priceOfEnding(cell, 0);
                // Whoever accepts takes our best card, so this one must make a triple.
                case "knock" -> cell >= 0 && own.matches(card, cell) == 2
                        ? 2 * card + own.lowest() - 3
                        : -1;
                case "accept" -> {
                    Display knocker = displays.get(Integer.parseInt(words[1]));
                    yield knocker.cards()
                            .mapToDouble(other -> own.bestGain(knocker.points(other)))
                            .max()
                            .orElse(0);
                }
                case "decline" -> own.bestGain(card) + 3;
                case "again" -> -1;
                case "take" -> {
                    Display knocker = displays.get(Integer.parseInt(asked.get("knocker")));
                    yield own.bestGain(knocker.points(cell));
                }
                case "clear" -> own.points(cell);
                default -> 0; // turn any card, pass, toss, none
            };
        }

        /** Our last face-down card ends the round: bad for us unless we have the fewest points. */
        private double priceOfEnding(int cell, double saved) {
            Display own = displays.get(seat);
            boolean isLast = own.isDown(cell) && own.cards().filter(own::isDown).count() == 1;
            double ours = own.total() - saved;
            boolean isLeading = IntStream.range(0, displays.size())
                    .filter(other -> other != seat)
                    .allMatch(other -> ours < displays.get(other).total());
            return isLast && !isLeading ? DISASTER : 0;
        }

        /** "B3" and "2:B3" are cell 11; "2" is none. */
        private static int cellOf(String text) {
            int at = text.length() - 2;
            return at < 0 ? -1 : text.charAt(at) - 'A' + (text.charAt(at + 1) - '1') * COLUMNS;
        }
    }

    /** Reads {@code a=1 b=2}; fields without {@code =} are ignored. */
    private static Map<String, String> readFacts(String text) {
        return Arrays.stream(text.split(" "))
                .map(word -> word.split("=", 2))
                .filter(pair -> pair.length == 2)
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1], (first, second) -> second));
    }

    private static void say(String line) {
        System.out.print(line + "\n");
        System.out.flush();
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        Table table = new Table(2, 0);

        for (String line; (line = input.readLine()) != null; ) {
            String[] words = line.split(" ", 2);
            String rest = words.length > 1 ? words[1] : "";
            switch (words[0]) {
                case "allegra" -> say("hello java legal=on events=off reuse=on");
                case "match" -> {
                    Map<String, String> match = readFacts(rest);
                    table = new Table(Integer.parseInt(match.get("seats")), Integer.parseInt(match.get("seat")));
                }
                case "table" -> table.facts = readFacts(rest);
                case "display" -> {
                    String[] seatAndRows = rest.split(" ");
                    table.displays.set(Integer.parseInt(seatAndRows[0]), Display.parse(seatAndRows[1]));
                }
                case "legal" -> table.legal = List.of(rest.split("\\|"));
                case "ask" -> {
                    say(rest.split(" ")[0] + " " + table.choose(readFacts(rest)));
                    table.legal = List.of();
                }
                case "bye" -> {
                    return;
                }
                default -> { } // We ignore what we do not know.
            }
        }
    }
}
