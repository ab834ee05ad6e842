#!/usr/bin/env lua
-- A bot for ALLEGRA that keeps low cards and collects triples.
--
-- The referee writes lines to our stdin and reads our answers from our stdout. Most lines only tell
-- us something; a line that begins with `ask` needs an answer. To make a better player, change
-- the functions of `worth`: there is one for every kind of answer.

io.stdout:setvbuf("line") -- flush after every line

local COLUMNS = { "A", "B", "C", "D", "E" }
local UNSEEN = 5 -- an unseen card counts as about the mean
local BARGAIN = 4 -- the top of the discard pile must save us this much
local DISASTER = 20 -- we end the round, and others have fewer points

-- A display is a table from "A1" to what is there: a number, "?", "." or "_".
local function read_display(text)
    local display, row, column = {}, 1, 0
    for face in text:gmatch("[^,/]+") do
        column = column + 1
        if column > 5 then
            row, column = row + 1, 1
        end
        display[COLUMNS[column] .. row] = tonumber(face) or face
    end
    return display
end

local function read_facts(text)
    local facts = {}
    for key, value in text:gmatch("([%w_]+)=(%S*)") do
        facts[key] = tonumber(value) or value
    end
    return facts
end

local function new_table(match)
    local new = { seat = match.seat, displays = {}, facts = {}, legal = {} }
    for seat = 0, match.seats - 1 do
        new.displays[seat] = read_display(("?,"):rep(15))
    end
    return new
end

local function is_card(face)
    return face == "?" or type(face) == "number"
end

local function points(face)
    return face == "?" and UNSEEN or tonumber(face) or 0
end

local function total(display)
    local sum = 0
    for _, face in pairs(display) do
        sum = sum + points(face)
    end
    return sum
end

-- The greatest value that a function gives for the cards of a display.
local function most(display, value_of)
    local best = -DISASTER
    for cell, face in pairs(display) do
        if is_card(face) then
            best = math.max(best, value_of(cell, face))
        end
    end
    return best
end

-- The most equal cards that a card would meet among three in a row in a line of cells. Gaps do not
-- separate cards.
local function equal_in_line(display, line, card, cell)
    local cells, best = {}, 0
    for _, other in ipairs(line) do
        if display[other] ~= "." then
            cells[#cells + 1] = other
        end
    end
    for start = 1, #cells - 2 do
        local equal, has_cell = 0, false
        for i = start, start + 2 do
            has_cell = has_cell or cells[i] == cell
            if cells[i] ~= cell and display[cells[i]] == card then
                equal = equal + 1
            end
        end
        best = has_cell and math.max(best, equal) or best
    end
    return best
end

-- The same in the column and in the row of a cell: 2 make a triple.
local function matches(display, card, cell)
    local column, row = cell:sub(1, 1), cell:sub(2, 2)
    local down = { column .. 1, column .. 2, column .. 3 }
    local across = { "A" .. row, "B" .. row, "C" .. row, "D" .. row, "E" .. row }
    return math.max(equal_in_line(display, down, card, cell), equal_in_line(display, across, card, cell))
end

-- The points that we save by putting a card into a cell. A pair may become a triple.
local function gain(display, card, cell)
    local bonus = ({ [0] = 0, 0.5, 3 })[matches(display, card, cell)]
    return points(display[cell]) - card + bonus * card
end

local function best_gain(display, card)
    return most(display, function(cell) return gain(display, card, cell) end)
end

-- Our last face-down card ends the round: bad for us unless we have the fewest points.
local function price_of_ending(game, cell, saved)
    local own = game.displays[game.seat]
    for other, face in pairs(own) do
        if (face == "?") ~= (other == cell) then
            return 0
        end
    end
    for seat, display in pairs(game.displays) do
        if seat ~= game.seat and total(display) <= total(own) - saved then
            return DISASTER
        end
    end
    return 0
end

-- How good an answer is, in points. `asked` holds the details of the question, `where` the cell or
-- seat that the answer names.
local worth = {}

function worth.pile() return BARGAIN end

function worth.discard(game, own) return best_gain(own, game.facts.top) end

function worth.keep(game, own, asked, where)
    local saved = gain(own, asked.drawn or asked.taken, where)
    return saved - price_of_ending(game, where, saved)
end

worth.place, worth.put = worth.keep, worth.keep

function worth.drop(game, _, _, where) return -price_of_ending(game, where, 0) end

function worth.knock(_, own, asked, where)
    -- Whoever accepts takes our best card, so this one must make a triple.
    if where == "" or matches(own, asked.drawn, where) < 2 then
        return -1
    end
    local lowest = -most(own, function(_, face) return -points(face) end)
    return 2 * asked.drawn + lowest - 3
end

function worth.accept(game, own, _, where)
    return most(game.displays[tonumber(where)], function(_, face) return best_gain(own, points(face)) end)
end

function worth.decline(_, own, asked) return best_gain(own, asked.drawn) + 3 end

function worth.again() return -1 end

function worth.take(game, own, asked, where)
    return best_gain(own, points(game.displays[asked.knocker][where:sub(3)]))
end

function worth.clear(_, own, _, where) return points(own[where:sub(1, 2)]) end

local function choose(game, asked)
    local best, best_mark = "pass", -math.huge
    for _, answer in ipairs(game.legal) do
        local verb, where = answer:match("^(%S+) ?(.*)$")
        local judge = worth[verb]
        local mark = judge and judge(game, game.displays[game.seat], asked, where) or 0
        if mark > best_mark then
            best, best_mark = answer, mark
        end
    end
    return best
end

local game = new_table({ seats = 2, seat = 0 })

for line in io.lines() do
    local word, rest = line:match("^(%S*) ?(.-)\r?$")
    if word == "allegra" then
        print("hello lua legal=on events=off reuse=on")
    elseif word == "match" then
        game = new_table(read_facts(rest))
    elseif word == "table" then
        game.facts = read_facts(rest)
    elseif word == "display" then
        local seat, rows = rest:match("^(%d) (%S+)")
        game.displays[tonumber(seat)] = read_display(rows)
    elseif word == "legal" then
        game.legal = {}
        for answer in rest:gmatch("[^|]+") do
            table.insert(game.legal, answer)
        end
    elseif word == "ask" then
        print(rest:match("^%d+") .. " " .. choose(game, read_facts(rest)))
        game.legal = {}
    elseif word == "bye" then
        break
    end -- We ignore what we do not know.
end
