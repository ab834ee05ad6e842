(* A bot for ALLEGRA that keeps low cards and collects triples.

   The referee writes lines to our stdin and reads our answers from our stdout. Most lines only tell
   us something; a line that begins with [ask] needs an answer. To make a better player, change
   [worth]. *)

type face = Up of int | Down | Gap | Hole

(* 15 cells: A1 B1 ... E1 A2 ... E3 *)
type display = face array

type table = {
  seat : int;
  displays : display array;
  facts : (string * string) list; (* from the [table] line: round, turn, top, trigger, ... *)
  legal : string list; (* the legal answers to the next question *)
}

let unseen = 5 (* an unseen card counts as about the mean *)
let bargain = 4. (* the top of the discard pile must save us this much *)
let disaster = 20. (* we end the round, and others have fewer points *)
let columns = 5

(* Reading *)

let read_facts words =
  let pair word =
    match String.index_opt word '=' with
    | Some at -> Some (String.sub word 0 at, String.sub word (at + 1) (String.length word - at - 1))
    | None -> None
  in
  List.filter_map pair words

let number key facts =
  match List.assoc_opt key facts with
  | Some text -> Option.value (int_of_string_opt text) ~default:0
  | None -> 0

let face_of_string = function
  | "?" -> Down
  | "." -> Gap
  | "_" -> Hole
  | text -> Up (int_of_string text)

let display_of_string text =
  String.split_on_char '/' text
  |> List.concat_map (String.split_on_char ',')
  |> List.map face_of_string |> Array.of_list

(* "B3" and "2:B3" are cell 11. *)
let cell_of_string text =
  let at = String.length text - 2 in
  Char.code text.[at] - Char.code 'A' + (columns * (Char.code text.[at + 1] - Char.code '1'))

let new_table facts =
  let displays = Array.init (number "seats" facts) (fun _ -> Array.make 15 Down) in
  { seat = number "seat" facts; displays; facts = []; legal = [] }

(* Thinking *)

let points = function Up card -> card | Down -> unseen | Gap | Hole -> 0
let total display = Array.fold_left (fun sum face -> sum + points face) 0 display

(* The cells that hold a card. *)
let cards display =
  let holds cell = match display.(cell) with Up _ | Down -> true | Gap | Hole -> false in
  List.filter holds (List.init 15 Fun.id)

let rec threes_of = function
  | a :: (b :: c :: _ as rest) -> [ a; b; c ] :: threes_of rest
  | _ -> []

(* How many equal cards a card would meet in a cell: 2 make a triple. *)
let matches display card cell =
  let column = cell mod columns in
  let down = List.init 3 (fun i -> column + (columns * i)) in
  let across = List.init columns (fun i -> cell - column + i) in
  let without_gaps = List.filter (fun i -> display.(i) <> Gap) in
  let threes = threes_of (without_gaps down) @ threes_of (without_gaps across) in
  let equal other = other <> cell && display.(other) = Up card in
  List.filter (List.mem cell) threes
  |> List.map (fun three -> List.length (List.filter equal three))
  |> List.fold_left max 0

(* The points that we save by putting a card into a cell. A pair may become a triple. *)
let gain display card cell =
  let bonus = match matches display card cell with 2 -> 3. | 1 -> 0.5 | _ -> 0. in
  float (points display.(cell) - card) +. (bonus *. float card)

let maximum = List.fold_left max (-.disaster)
let best_gain display card = maximum (List.map (gain display card) (cards display))

(* Our last face-down card ends the round: bad for us unless we have the fewest points. *)
let price_of_ending { seat; displays; _ } cell saved =
  let own = displays.(seat) in
  let is_last = List.filter (fun i -> own.(i) = Down) (cards own) = [ cell ] in
  let ours = float (total own) -. saved in
  let leads = ref true in
  Array.iteri (fun i other -> if i <> seat && float (total other) <= ours then leads := false) displays;
  if is_last && not !leads then disaster else 0.

(* How good an answer is, in points. [asked] holds the details of the question. *)
let worth table asked answer =
  let own = table.displays.(table.seat) in
  let card = number (if List.mem_assoc "taken" asked then "taken" else "drawn") asked in
  match String.split_on_char ' ' answer with
  | [ "discard" ] -> best_gain own (number "top" table.facts)
  | [ "pile" ] -> bargain
  | [ ("keep" | "place" | "put"); where ] ->
      let cell = cell_of_string where in
      let saved = gain own card cell in
      saved -. price_of_ending table cell saved
  | [ "drop"; where ] -> -.price_of_ending table (cell_of_string where) 0.
  | [ "knock"; where ] when matches own card (cell_of_string where) = 2 ->
      (* Whoever accepts takes our best card, so this one must make a triple. *)
      let lowest = List.fold_left (fun low i -> min low (points own.(i))) unseen (cards own) in
      float ((2 * card) + lowest - 3)
  | "knock" :: _ | [ "again" ] -> -1.
  | [ "accept"; seat ] ->
      let knocker = table.displays.(int_of_string seat) in
      maximum (List.map (fun i -> best_gain own (points knocker.(i))) (cards knocker))
  | [ "decline" ] -> best_gain own card +. 3.
  | [ "take"; where ] ->
      let knocker = table.displays.(number "knocker" asked) in
      best_gain own (points knocker.(cell_of_string where))
  | "clear" :: where :: _ -> float (points own.(cell_of_string where))
  | _ -> 0. (* turn any card, pass, toss, none *)

let choose table asked =
  let better (best, most) answer =
    let mark = worth table asked answer in
    if mark > most then (answer, mark) else (best, most)
  in
  fst (List.fold_left better ("pass", neg_infinity) table.legal)

(* Talking *)

let say line = Printf.printf "%s\n%!" line (* %! flushes *)

(* Takes a line and returns the table as it is now. We ignore what we do not know. *)
let hear table line =
  match String.split_on_char ' ' line with
  | "allegra" :: _ ->
      say "hello ocaml legal=on events=off reuse=on";
      table
  | "match" :: words -> new_table (read_facts words)
  | "table" :: words -> { table with facts = read_facts words }
  | "display" :: seat :: rows :: _ ->
      table.displays.(int_of_string seat) <- display_of_string rows;
      table
  | "legal" :: words -> { table with legal = String.split_on_char '|' (String.concat " " words) }
  | "ask" :: id :: words ->
      say (id ^ " " ^ choose table (read_facts words));
      { table with legal = [] }
  | _ -> table

let rec play table =
  match String.trim (read_line ()) with
  | "bye" -> ()
  | line -> play (hear table line)
  | exception End_of_file -> ()

let () = play (new_table [ ("seats", "2") ])
