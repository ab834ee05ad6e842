-- | A bot for ALLEGRA that keeps low cards and collects triples.
--
-- The referee writes lines to our stdin and reads our answers from our stdout. Most lines only tell
-- us something; a line that begins with @ask@ needs an answer. So a bot is a function from a
-- list of lines to a list of lines, and laziness does the rest. To make a better player, change
-- 'worth'.
module Main (main) where

import Data.Char (isDigit)
import Data.List (mapAccumL, maximumBy, tails)
import Data.Maybe (catMaybes, fromMaybe)
import Data.Ord (comparing)
import System.IO

data Face = Up Int | Down | Gap | Hole deriving (Eq)

-- | A column, @A@ to @E@, and a row, @1@ to @3@.
type Cell = (Char, Char)

type Display = [(Cell, Face)]

-- | Fields such as @drawn=3 from=pile@.
type Facts = [(String, String)]

data Table = Table
  { seat :: Int
  , displays :: [(Int, Display)]
  , facts :: Facts -- ^ from the @table@ line: round, turn, draw, discard, top, trigger, ...
  , legal :: [String] -- ^ the legal answers to the next question
  }

-- | An unseen card counts as about the mean.
unseen :: Int
unseen = 5

-- | The top of the discard pile must save us this much.
bargain :: Double
bargain = 4

-- | We end the round, and others have fewer points.
disaster :: Double
disaster = 20

-- Reading

splitOn :: Char -> String -> [String]
splitOn mark text = case break (== mark) text of
  (word, _ : rest) -> word : splitOn mark rest
  (word, []) -> [word]

readFacts :: [String] -> Facts
readFacts line = [(key, value) | (key, '=' : value) <- map (break (== '=')) line]

number :: String -> Facts -> Int
number key known = maybe 0 readCard (lookup key known)

readCard :: String -> Int
readCard ('-' : digits) = negate (readCard digits)
readCard text = case span isDigit text of
  (digits@(_ : _), _) -> read digits
  _ -> 0

readFace :: String -> Face
readFace "?" = Down
readFace "." = Gap
readFace "_" = Hole
readFace text = Up (readCard text)

cells :: [Cell]
cells = [(column, row) | row <- "123", column <- "ABCDE"]

readDisplay :: String -> Display
readDisplay = zip cells . map readFace . concatMap (splitOn ',') . splitOn '/'

newTable :: Facts -> Table
newTable match = Table (number "seat" match) [(i, allDown) | i <- seats] [] []
  where
    seats = [0 .. number "seats" match - 1]
    allDown = [(cell, Down) | cell <- cells]

-- Thinking

points :: Face -> Int
points (Up card) = card
points Down = unseen
points _ = 0

total :: Display -> Int
total = sum . map (points . snd)

cards :: Display -> Display
cards = filter ((`notElem` [Gap, Hole]) . snd)

at :: Display -> Cell -> Face
at display cell = fromMaybe Gap (lookup cell display)

-- | How many equal cards a card would meet in a cell: 2 make a triple.
matches :: Display -> Int -> Cell -> Int
matches display card cell@(column, row) =
  maximum (0 : [length (filter isEqual three) | three <- concatMap threes lines', cell `elem` three])
  where
    lines' = [[(column, other) | other <- "123"], [(other, row) | other <- "ABCDE"]]
    threes line = [take 3 rest | rest <- tails (filter isThere line), length rest >= 3]
    isThere other = at display other /= Gap
    isEqual other = other /= cell && at display other == Up card

-- | The points that we save by putting a card into a cell. A pair may become a triple.
gain :: Display -> Int -> Cell -> Double
gain display card cell = fromIntegral (points (at display cell) - card) + bonus * fromIntegral card
  where
    bonus = case matches display card cell of
      2 -> 3
      1 -> 0.5
      _ -> 0

bestGain :: Display -> Int -> Double
bestGain display card = maximum (-disaster : map (gain display card . fst) (cards display))

-- | Our last face-down card ends the round: bad for us unless we have the fewest points.
priceOfEnding :: Table -> Cell -> Double -> Double
priceOfEnding table cell saved
  | down == [cell] && any (<= ours) others = disaster
  | otherwise = 0
  where
    own = ownDisplay table
    down = [other | (other, Down) <- own]
    ours = fromIntegral (total own) - saved
    others = [fromIntegral (total display) | (i, display) <- displays table, i /= seat table]

ownDisplay :: Table -> Display
ownDisplay table = displayOf table (seat table)

displayOf :: Table -> Int -> Display
displayOf table who = fromMaybe [] (lookup who (displays table))

-- | How good an answer is, in points; the second argument holds the details of the question.
worth :: Table -> Facts -> String -> Double
worth table asked answer = case words answer of
  ["discard"] -> bestGain own (number "top" (facts table))
  ["pile"] -> bargain
  [verb, [column, row]] | verb `elem` ["keep", "place", "put"] -> lay (column, row)
  ["drop", [column, row]] -> negate (priceOfEnding table (column, row) 0)
  ["knock", [column, row]]
    -- Whoever accepts takes our best card, so this one must make a triple.
    | matches own card (column, row) == 2 -> fromIntegral (2 * card + lowest - 3)
  "knock" : _ -> -1
  ["again"] -> -1
  ["accept", knocker] ->
    maximum (0 : [bestGain own (points face) | (_, face) <- cards (displayOf table (readCard knocker))])
  ["decline"] -> bestGain own card + 3
  ["take", [knocker, ':', column, row]] ->
    bestGain own (points (displayOf table (readCard [knocker]) `at` (column, row)))
  "clear" : [column, row] : _ -> fromIntegral (points (own `at` (column, row)))
  _ -> 0 -- turn any card, pass, toss, none
  where
    own = ownDisplay table
    card = number (if "taken" `elem` map fst asked then "taken" else "drawn") asked
    lowest = minimum (map (points . snd) (cards own))
    lay cell = let saved = gain own card cell in saved - priceOfEnding table cell saved

choose :: Table -> Facts -> String
choose table asked = case legal table of
  [] -> "pass"
  answers -> maximumBy (comparing (worth table asked)) (reverse answers) -- the first of equal ones

-- Talking

-- | Takes a line; returns the table as it is now, and what to say, if anything. We ignore what
-- we do not know.
hear :: Table -> String -> (Table, Maybe String)
hear table line = case words line of
  "allegra" : _ -> (table, Just "hello haskell legal=on events=off reuse=on")
  "match" : rest -> (newTable (readFacts rest), Nothing)
  "table" : rest -> (table {facts = readFacts rest}, Nothing)
  "display" : who : rows : _ -> (table {displays = shown (readCard who) (readDisplay rows)}, Nothing)
  "legal" : rest -> (table {legal = splitOn '|' (unwords rest)}, Nothing)
  "ask" : name : rest -> (table {legal = []}, Just (name ++ " " ++ choose table (readFacts rest)))
  _ -> (table, Nothing)
  where
    shown who display = (who, display) : filter ((/= who) . fst) (displays table)

play :: [String] -> [String]
play = catMaybes . snd . mapAccumL hear (newTable [])

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  interact (unlines . play . map whole . takeWhile (/= "bye") . lines . filter (/= '\r'))
  where
    -- Laziness would answer a question before its line is complete.
    whole line = length line `seq` line
