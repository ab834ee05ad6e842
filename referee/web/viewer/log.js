// A log as a list of steps. A step is one thing to see: an event, a bid, something said, a fault. The
// steps of a decision are consecutive. A stop is the last step of a decision or of a round. The table
// after any step is played forward from the nearest saved table.

const KEPT_EVERY = 64;
const QUIET_ANSWER = 'answered';

class LogError extends Error {}

// A log that was cut off may end in a part of a line, which does not count.
function recordsOf(text) {
    const records = [];
    const end = text.lastIndexOf('\n');
    for (const line of text.slice(0, end < 0 ? text.length : end).split('\n')) {
        if (line.trim() === '')
            continue;
        try {
            records.push(JSON.parse(line));
        } catch {
            throw new LogError('line ' + (records.length + 1));
        }
        if (typeof records.at(-1) !== 'object' || records.at(-1) === null)
            throw new LogError('line ' + records.length);
    }
    return records;
}

function isHeader(record) {
    return record !== undefined && record.allegra_log === 1 && Number.isInteger(record.seats) &&
        record.seats >= 2 && record.seats <= 6 && Array.isArray(record.bots) &&
        record.bots.length === record.seats && record.bots.every(bot => typeof bot?.name === 'string') &&
        /^\d+(,\d+){12}$/.test(record.rules?.deck) && deckOf(record).length > 12 * record.seats &&
        deckOf(record).length < 1e5;
}

function seatOf(header, seat) {
    if (!(Number.isInteger(seat) && seat >= 0 && seat < header.seats))
        throw new LogError('seat ' + seat);
    return seat;
}

function microseconds(value) {
    return Number.isFinite(value) && value > 0 ? value : 0;
}

// [seat, answer, time, more] for each seat that answered: one seat, or all bidders.
function answersOf(header, record) {
    const list = Array.isArray(record.bids) ? record.bids :
        record.seat === undefined ? [] : [[record.seat, record.do, record.us, record]];
    return list.map(([seat, answer, us, more]) => ({seat: seatOf(header, seat), answer: String(answer),
        us: microseconds(us), by: more?.by === undefined ? '' : String(more.by),
        says: Array.isArray(more?.say) ? more.say.map(String) : []}));
}

function bidFields({seat, answer}) {
    const [kind, cell] = answer.split(' ');
    return kind === 'knock' ? ['knocked', String(seat)].concat(cell ? `${seat}:${cell}` : []) :
        ['passed', String(seat)];
}

// The steps of one record; its faults come first.
function stepsOf(header, record, faults) {
    const answers = answersOf(header, record);
    const steps = faults.map(fault => ({kind: 'dismissed', seat: seatOf(header, fault.seat),
        fault: {code: String(fault.fault), message: String(fault.message ?? ''), ask: String(fault.ask ?? ''),
            line: String(fault.line ?? ''), ending: String(fault.ending ?? ''),
            stderr: String(fault.stderr ?? '')}}));
    for (const {seat, says} of answers)
        says.forEach(text => steps.push({kind: 'said', seat, text}));
    const lines = typeof record.ev === 'string' ? record.ev.split('; ').filter(Boolean) : [];
    const events = Array.isArray(record.bids) ? answers.map(bidFields) : lines.map(line => line.split(' '));
    events.forEach(fields => steps.push({kind: fields[0], fields}));
    if (events.length === 0 && answers.length > 0)
        steps.push({kind: QUIET_ANSWER, seat: answers[0].seat, text: answers[0].answer});
    return {answers, steps};
}

function addDecision(log, record, faults) {
    const {answers, steps} = stepsOf(log.header, record, faults);
    if (steps.length === 0)
        return;
    const decision = {n: Number(record.n) || 0, first: log.steps.length, answers};
    steps.forEach((step, i) => log.steps.push({...step, decision: log.decisions.length, isFirst: i === 0}));
    decision.last = log.steps.length - 1;
    log.decisions.push(decision);
}

function findStops(log) {
    return log.steps.flatMap((step, i) => {
        const next = log.steps[i + 1];
        return next === undefined || next.isFirst || next.kind === 'round' ? [i] : [];
    });
}

// Reads a log, or throws a LogError that names the position.
function readLog(text) {
    const records = recordsOf(text);
    const [header] = records;
    if (!isHeader(header))
        throw new LogError('line 1');
    const result = records.find(record => record.result !== undefined) || null;
    const seed = /^[0-9a-f]{64}$/.test(result?.seed) ? bytesOfHex(result.seed) : null;
    const log = {text, header, result, seed, names: header.bots.map(bot => bot.name),
        steps: [], decisions: [], kept: []};
    let faults = [];
    for (const record of records.slice(1)) {
        if (record.fault !== undefined) {
            faults.push(record);
        } else if (record.n !== undefined) {
            addDecision(log, record, faults);
            faults = [];
        }
    }
    addDecision(log, {n: faults[0]?.n}, faults);
    if (log.steps.length === 0)
        throw new LogError('line 2');
    log.stops = findStops(log);
    playAll(log);
    log.isHashRight = hashIsRight(text);
    return log;
}

// Plays the log once, and saves some of the tables and the points at each step.
function playAll(log) {
    const table = newTable(log.header, log.seed);
    const mean = meanCard(table);
    log.points = {open: [], closed: []};
    log.steps.forEach((step, i) => {
        if (i % KEPT_EVERY === 0)
            log.kept.push(copyTable(table));
        try {
            applyStep(table, step);
        } catch (error) {
            throw error instanceof RangeError || error instanceof TypeError ? error :
                new LogError('n=' + log.decisions[step.decision].n + ': ' + error.message);
        }
        step.isPrivate = step.kind === 'placed' && table.hand.isPrivate;
        log.points.open.push(pointsOf(table, log.seed === null ? mean : null));
        log.points.closed.push(pointsOf(table, mean));
    });
    log.misfit = table.misfit;
}

// Each seat's points if the round ended now.
function pointsOf(table, hidden) {
    return table.totals.map((total, seat) =>
        table.round === 0 || table.isOver || table.scores[seat] !== undefined ? total :
            total + standing(table, seat, hidden));
}

// The table after that step.
function tableAt(log, index) {
    const from = Math.floor(index / KEPT_EVERY);
    const table = copyTable(log.kept[from]);
    for (let i = from * KEPT_EVERY; i <= index; i++)
        applyStep(table, log.steps[i]);
    return table;
}

// Whether the hash in the last line is that of all lines before it; null if there is no such line.
function hashIsRight(text) {
    const match = /(?:^|\n)\{"sha256":"([0-9a-f]{64})"\}\n?$/.exec(text);
    if (match === null)
        return null;
    const before = text.slice(0, match.index + (match[0].startsWith('\n') ? 1 : 0));
    return hexOfBytes(sha256(new TextEncoder().encode(before))) === match[1];
}
