// A review of the log, which `referee review --html` puts into the page: the seats' chances before each
// decision, what the cards were worth as luck, what answers cost, and which ones were better. Without it
// the page has none of this.

const CURVES_HEIGHT = 100, LANE_HEIGHT = 9;

function reviewInPage() {
    const data = $('review-data');
    if (data === null)
        return null;
    const {chances, luck, answers} = JSON.parse(data.textContent);
    const byNumber = new Map();
    answers.forEach(answer => byNumber.set(answer.n, [...byNumber.get(answer.n) ?? [], answer]));
    return {chances, luck: new Map(luck.map(({n, points}) => [n, points])), answers: byNumber};
}

// The step that shows the table before a decision.
function stepBefore(decision) {
    return Math.max(0, decision.first - 1);
}

function costlySteps() {
    return state.log.decisions.filter(({n}) => state.review.answers.get(n)?.some(({sure}) => sure)).map(stepBefore);
}

function jumpToCostly(isBack) {
    if (state.review === null)
        return;
    const steps = costlySteps();
    const found = isBack ? steps.findLast(step => step < state.step) : steps.find(step => step > state.step);
    if (found !== undefined)
        goTo(found);
    tellFound(found === undefined ? label('noneCostly') : '');
}

// Each seat's chance over time, from nothing at the bottom to certainty at the top. Below, each seat has a
// lane with a mark where a decision surely cost something.
function drawChances(log, {chances, answers}) {
    const height = CURVES_HEIGHT + LANE_HEIGHT * log.names.length;
    const decided = log.decisions.filter(({n}) => n >= 1 && n <= chances.length);
    const moments = decided.map(decision => [stepBefore(decision), chances[decision.n - 1]])
        .concat([[log.steps.length - 1, chances.at(-1)]]);
    const y = chance => ((1 - chance) * CURVES_HEIGHT).toFixed(1);
    const lines = log.names.map((_, seat) => shape('path', {class: `plot seat${seat}`,
        d: moments.map(([x, row], i) => `${i === 0 ? 'M' : 'L'}${x} ${y(row[seat])}`).join('')}));
    const top = seat => CURVES_HEIGHT + LANE_HEIGHT * seat + 2;
    const marks = log.names.map((_, seat) => shape('path', {class: `plot costly seat${seat}`,
        d: decided.filter(({n}) => answers.get(n)?.some(answer => answer.sure && answer.seat === seat))
            .map(decision => `M${stepBefore(decision)} ${top(seat)}V${top(seat + 1) - 2}`).join('')}));
    const ticks = [0, 0.5, 1].map(chance => [Number(y(chance)), percentText(chance)]);
    return [stretched(log, height, [gridOf(log, ticks), ...marks, ...lines, cursor(height)]), ...scaleOf(ticks)];
}

function percentText(share) {
    return label('percent', {n: pointsText(Math.round(100 * share), state.language)});
}

function marginText(mean, error, format) {
    return `${format(mean)}\u00a0±\u00a0${format(error)}`;
}

// What was better than an answer, and by how much.
function adviceLines({seat, do: played, better, points, points_error, wins, wins_error, best}) {
    const name = state.log.names[seat], number = value => pointsText(value, state.language);
    if (better === undefined)
        return [label('bestAnswer', {a: name, b: played})];
    const tops = best.map(answer => `${answer.do} (${number(answer.points)}, ${percentText(answer.wins)})`);
    return [label('costly', {a: name, b: better, c: marginText(points, points_error, number),
        d: percentText(wins), e: percentText(wins_error)}), label('better', {a: tops.join('; ')})];
}

function adviceAtHand() {
    return state.review?.answers.get(decisionAtHand()?.n) ?? [];
}

// Cells of the better answers, to be marked on the table.
function betterCells(seats) {
    return adviceAtHand().filter(({better}) => better !== undefined).flatMap(({seat, better}) =>
        [...better.matchAll(/(?:(\d):)?([A-E][1-3])/g)].map(([, owner, cell]) =>
            cellNumber(seats, owner === undefined ? seat : Number(owner), cell)));
}

// What a seat could expect at this moment, and what the last card was worth to it.
function reviewTags(seat) {
    if (state.review === null)
        return [];
    const {chances, luck} = state.review, last = state.log.decisions[state.log.steps[state.step].decision];
    const row = chances[(decisionAtHand()?.n ?? Infinity) - 1] ?? chances.at(-1);
    const points = luck.get(last.n)?.[seat] ?? 0;
    const tags = [label('chance', {a: percentText(row[seat])})];
    if (points !== 0)
        tags.push(label('luck', {a: (points > 0 ? '+' : '') + pointsText(points, state.language)}));
    return tags;
}

function showAdvice() {
    $('advice').textContent = adviceAtHand().flatMap(adviceLines).join('\n');
    $('advice').hidden = state.review === null;
}

function showReview() {
    for (const id of ['nextCostly', 'chancesCaption', 'chances'])
        $(id).hidden = state.review === null;
    if (state.review !== null)
        $('chances').replaceChildren(...drawChances(state.log, state.review));
}
