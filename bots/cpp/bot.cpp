// A bot for ALLEGRA that keeps low cards and collects triples.
//
// The referee writes lines to our stdin and reads our answers from our stdout. Most lines only tell
// us something; a line that begins with `ask` needs an answer. To make a better player, change
// Player::worth, which scores every legal answer.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using Words = std::vector<std::string>;
using Facts = std::map<std::string, std::string>;

constexpr int columns = 5;
constexpr int unseen = 5;        // an unseen card counts as about the mean
constexpr double bargain = 4;    // the top of the discard pile must save us this much
constexpr double disaster = 20;  // we end the round and others have fewer points

Words split(const std::string& text, char separator)
{
    Words words;
    std::istringstream stream(text);
    for (std::string word; std::getline(stream, word, separator);)
        words.push_back(word);
    return words;
}

// Reads "a=1 b=2"; fields without `=` are ignored.
Facts read_facts(const std::string& text)
{
    Facts facts;
    for (const auto& word : split(text, ' '))
        if (auto equals = word.find('='); equals != std::string::npos)
            facts[word.substr(0, equals)] = word.substr(equals + 1);
    return facts;
}

int number(const Facts& facts, const std::string& key)
{
    auto found = facts.find(key);
    return found == facts.end() ? 0 : std::atoi(found->second.c_str());
}

struct Cell {
    enum { down, up, gap, hole } state = down;
    int card = 0;

    int points() const { return state == down ? unseen : state == up ? card : 0; }
    bool is_card() const { return state == down || state == up; }
    bool shows(int value) const { return state == up && card == value; }

    static Cell parse(const std::string& face)
    {
        if (face == "?")
            return {};
        if (face == ".")
            return {gap};
        if (face == "_")
            return {hole};
        return {up, std::atoi(face.c_str())};
    }
};

// "B3" is cell 11: they count A1 B1 ... E1 A2 ... E3.
std::size_t cell_index(const std::string& name)
{
    auto row_and_column = name.substr(name.size() - 2);
    return static_cast<std::size_t>(row_and_column[0] - 'A' + (row_and_column[1] - '1') * columns);
}

class Display {
public:
    void read(const std::string& text)
    {
        auto cell = cells.begin();
        for (const auto& row : split(text, '/'))
            for (const auto& face : split(row, ','))
                if (cell != cells.end())
                    *cell++ = Cell::parse(face);
    }

    const Cell& operator[](std::size_t index) const { return cells.at(index); }

    int total() const
    {
        return std::accumulate(cells.begin(), cells.end(), 0,
                               [](int sum, const Cell& cell) { return sum + cell.points(); });
    }

    int lowest() const
    {
        int low = unseen;
        for (const auto& cell : cells)
            low = std::min(low, cell.points());
        return low;
    }

    bool is_last_down(std::size_t index) const
    {
        return cells[index].state == Cell::down &&
               std::count_if(cells.begin(), cells.end(),
                             [](const Cell& cell) { return cell.state == Cell::down; }) == 1;
    }

    // The most equal cards that a card would meet there, in a three of its column or row: 2 make a
    // triple.
    int matches(int card, std::size_t index) const
    {
        auto row = index / columns * columns;
        std::vector<std::size_t> line;  // the row without its gaps, which do not separate
        for (auto i = row; i < row + columns; i++)
            if (cells[i].state != Cell::gap)
                line.push_back(i);

        auto top = index % columns;
        int most = equal_in({top, top + columns, top + 2 * columns}, card, index);
        for (std::size_t i = 0; i + 3 <= line.size(); i++)
            most = std::max(most, equal_in({line[i], line[i + 1], line[i + 2]}, card, index));
        return most;
    }

    // The points that we save by putting a card into a cell. A pair may become a triple.
    double gain(int card, std::size_t index) const
    {
        const std::array bonus{0.0, 0.5 * card, 3.0 * card};
        return cells[index].points() - card + bonus.at(static_cast<std::size_t>(matches(card, index)));
    }

    double best_gain(int card) const
    {
        double best = -disaster;
        for (std::size_t i = 0; i < cells.size(); i++)
            if (cells[i].is_card())
                best = std::max(best, gain(card, i));
        return best;
    }

private:
    int equal_in(std::array<std::size_t, 3> three, int card, std::size_t index) const
    {
        auto is_gap = [&](std::size_t other) { return cells[other].state == Cell::gap; };
        if (std::find(three.begin(), three.end(), index) == three.end() ||
            std::any_of(three.begin(), three.end(), is_gap))
            return 0;
        return static_cast<int>(std::count_if(three.begin(), three.end(), [&](std::size_t other) {
            return other != index && cells[other].shows(card);
        }));
    }

    std::array<Cell, 15> cells;
};

class Player {
public:
    // Takes a line and returns what to say to it, or nothing. We ignore what we do not know.
    std::string hear(const std::string& word, const std::string& rest)
    {
        if (word == "allegra")
            return "hello cpp legal=on events=off reuse=on";
        if (word == "match") {
            *this = Player();
            auto facts = read_facts(rest);
            seat = static_cast<std::size_t>(number(facts, "seat"));
            displays.resize(static_cast<std::size_t>(number(facts, "seats")));
        } else if (word == "table") {
            table = read_facts(rest);
        } else if (word == "display") {
            auto words = split(rest, ' ');
            displays.at(std::stoul(words.at(0))).read(words.at(1));
        } else if (word == "legal") {
            legal = split(rest, '|');
        } else if (word == "ask") {
            return rest.substr(0, rest.find(' ')) + " " + choose(read_facts(rest));
        }
        return "";
    }

private:
    std::string choose(const Facts& asked)
    {
        auto answers = std::exchange(legal, {});
        auto best = std::max_element(
            answers.begin(), answers.end(), [&](const std::string& one, const std::string& other) {
                return worth(one, asked) < worth(other, asked);
            });
        return best == answers.end() ? "pass" : *best;
    }

    // `asked` holds the details of the question, for example the drawn card.
    double worth(const std::string& answer, const Facts& asked) const
    {
        auto words = split(answer, ' ');
        const auto& verb = words[0];
        const auto& own = displays.at(seat);
        int card = number(asked, asked.count("taken") ? "taken" : "drawn");
        auto cell = words.size() > 1 && words[1].size() > 1 ? cell_index(words[1]) : 0;

        if (verb == "keep" || verb == "place" || verb == "put") {
            double gain = own.gain(card, cell);
            return gain - price_of_ending(cell, gain);
        }
        if (verb == "drop")
            return -price_of_ending(cell, 0);
        if (verb == "discard")
            return own.best_gain(number(table, "top"));
        if (verb == "pile")
            return bargain;
        if (verb == "knock")
            // Whoever accepts takes our best card, so this one must make a triple.
            return words.size() > 1 && own.matches(card, cell) == 2 ? 2 * card + own.lowest() - 3 : -1;
        if (verb == "accept")
            return most_to_take(displays.at(std::stoul(words[1])));
        if (verb == "decline")
            return own.best_gain(card) + 3;
        if (verb == "again")
            return -1;
        if (verb == "take")
            return own.best_gain(displays.at(std::stoul(words[1]))[cell].points());
        if (verb == "clear")
            return own[cell].points();
        return 0;  // turn any card, pass, toss, none
    }

    // Our last face-down card ends the round: bad for us unless we have the fewest points.
    double price_of_ending(std::size_t cell, double gain) const
    {
        const auto& own = displays.at(seat);
        bool leads = std::all_of(displays.begin(), displays.end(), [&](const Display& display) {
            return &display == &own || own.total() - gain < display.total();
        });
        return own.is_last_down(cell) && !leads ? disaster : 0;
    }

    double most_to_take(const Display& knocker) const
    {
        double most = 0;
        for (std::size_t i = 0; i < 15; i++)
            if (knocker[i].is_card())
                most = std::max(most, displays.at(seat).best_gain(knocker[i].points()));
        return most;
    }

    std::size_t seat = 0;
    std::vector<Display> displays = std::vector<Display>(6);
    Facts table;  // from the `table` line: round, turn, draw, discard, top, trigger, ...
    Words legal;  // the legal answers to the next question
};

}  // namespace

int main()
{
    Player player;
    for (std::string line; std::getline(std::cin, line);) {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        auto space = line.find(' ');
        auto word = line.substr(0, space);
        if (word == "bye")
            break;
        auto answer = player.hear(word, space == std::string::npos ? "" : line.substr(space + 1));
        if (!answer.empty())
            std::cout << answer << std::endl;  // endl flushes
    }
}
