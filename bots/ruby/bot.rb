#!/usr/bin/env ruby
# frozen_string_literal: true

# A bot for ALLEGRA that keeps low cards and collects triples.
#
# The referee writes lines to our stdin and reads our answers from our stdout. Most lines only tell
# us something; a line that begins with `ask` needs an answer. To make a better player, change
# `Table#worth`.

$stdout.sync = true # flush after every line

# What is in a cell: "7", "?", "." or "_".
Face = Struct.new(:text) do
  def down? = text == '?'
  def gap? = text == '.'
  def card? = !gap? && text != '_'
  def shows?(card) = text == card.to_s

  # An unseen card counts as about the mean.
  def points = down? ? 5 : text.to_i
end

# The fifteen cells of a seat, by names such as "A1".
class Display
  COLUMNS = %w[A B C D E].freeze
  ROWS = %w[1 2 3].freeze
  CELLS = ROWS.flat_map { |row| COLUMNS.map { |column| column + row } }.freeze

  def initialize(text = (['?'] * 15).join(','))
    @faces = CELLS.zip(text.split(%r{[,/]}).map { |face| Face.new(face) }).to_h
  end

  def [](cell) = @faces.fetch(cell)
  def cards = @faces.values.select(&:card?)
  def total = @faces.values.sum(&:points)
  def down = CELLS.select { |cell| self[cell].down? }

  # How many equal cards a card would meet in a cell: 2 make a triple.
  def matches(card, cell)
    threes(cell).map { |three| (three - [cell]).count { |other| self[other].shows?(card) } }.max || 0
  end

  # The points that we save by putting a card into a cell. A pair may become a triple.
  def gain(card, cell)
    bonus = [0, 0.5, 3][matches(card, cell)]
    self[cell].points - card + bonus * card
  end

  def best_gain(card)
    CELLS.select { |cell| self[cell].card? }.map { |cell| gain(card, cell) }.max || 0
  end

  private

  # The threes that a cell is part of, in its column and its row; gaps are left out.
  def threes(cell)
    column, row = cell.chars
    lines = [ROWS.map { |number| column + number }, COLUMNS.map { |letter| letter + row }]
    lines.flat_map do |line|
      line.reject { |other| self[other].gap? }.each_cons(3).select { |three| three.include?(cell) }
    end
  end
end

# What the referee has told us about this match.
class Table
  BARGAIN = 4 # the top of the discard pile must save us this much
  DISASTER = 20 # we end the round, and others have fewer points

  attr_writer :facts, :legal

  def initialize(seats: 2, seat: 0)
    @seat = seat
    @displays = Array.new(seats) { Display.new }
    @facts = {} # from the `table` line: round, turn, draw, discard, top, trigger, ...
    @legal = [] # the legal answers to the next question
  end

  def show(seat, display)
    @displays[seat] = display
  end

  def choose(asked)
    @legal.max_by { |answer| worth(asked, *answer.split) } || 'pass'
  ensure
    @legal = []
  end

  private

  def own = @displays[@seat]

  # How good an answer is, in points. `asked` holds the details of the question.
  def worth(asked, verb, where = nil, *)
    card = (asked['drawn'] || asked['taken']).to_i
    case verb
    when 'discard' then own.best_gain(@facts['top'].to_i)
    when 'pile' then BARGAIN
    when 'keep', 'place', 'put' then worth_laying(card, where)
    when 'drop' then -price_of_ending(where)
    when 'knock' then worth_knocking(card, where)
    when 'again' then -1
    when 'accept' then @displays[where.to_i].cards.map { |face| own.best_gain(face.points) }.max || 0
    when 'decline' then own.best_gain(card) + 3
    when 'take' then own.best_gain(@displays[where[0].to_i][where[2..]].points)
    when 'clear' then own[where].points
    else 0 # turn any card, pass, toss, none
    end
  end

  def worth_laying(card, cell)
    saved = own.gain(card, cell)
    saved - price_of_ending(cell, saved)
  end

  # Whoever accepts takes our best card, so this one must make a triple.
  def worth_knocking(card, cell)
    return -1 unless cell && own.matches(card, cell) == 2

    2 * card + own.cards.map(&:points).min - 3
  end

  # Our last face-down card ends the round: bad for us unless we have the fewest points.
  def price_of_ending(cell, saved = 0)
    return 0 unless own.down == [cell]

    others = @displays.reject { |display| display.equal?(own) }
    others.all? { |display| own.total - saved < display.total } ? 0 : DISASTER
  end
end

def read_facts(text) = text.to_s.scan(/(\w+)=(\S*)/).to_h

table = Table.new
$stdin.each_line(chomp: true) do |line|
  word, rest = line.split(' ', 2)
  case word
  when 'allegra' then puts 'hello ruby legal=on events=off reuse=on'
  when 'match'
    facts = read_facts(rest)
    table = Table.new(seats: facts['seats'].to_i, seat: facts['seat'].to_i)
  when 'table' then table.facts = read_facts(rest)
  when 'display'
    seat, rows = rest.split
    table.show(seat.to_i, Display.new(rows))
  when 'legal' then table.legal = rest.split('|')
  when 'ask' then puts "#{rest[/\d+/]} #{table.choose(read_facts(rest))}"
  when 'bye' then break
  end # We ignore what we do not know.
end
