// The charts under the slider. All share its scale: one step of the log is one unit to the right.

const MARKS = [
    {name: 'knock', none: 'noneKnock', isAt: step => step.kind === 'knocked', from: 0, to: 8},
    {name: 'clear', none: 'noneClear', isAt: step => step.kind === 'cleared', from: 9, to: 17},
    {name: 'fault', none: 'noneFault', isAt: step => step.kind === 'dismissed', from: 0, to: 26},
    {name: 'round', none: 'noneRound', isAt: step => step.kind === 'round', from: 18, to: 26},
];

function stretched(log, height, children) {
    const width = Math.max(1, log.steps.length - 1);
    return shape('svg', {viewBox: `0 0 ${width} ${height}`, height, preserveAspectRatio: 'none',
        'aria-hidden': 'true'}, children);
}

function cursor(height) {
    return shape('path', {class: 'cursor', d: `M0 0V${height}`});
}

function drawMarks(log) {
    return stretched(log, 26, [...MARKS.map(({name, isAt, from, to}) => shape('path', {class: name,
        d: log.steps.map((step, i) => isAt(step) ? `M${i} ${from}V${to}` : '').join('')})), cursor(26)]);
}

// A scale beside a chart: [height, text] for each line of its grid.

function gridOf(log, ticks) {
    return shape('path', {class: 'axis', d: ticks.map(([y]) => `M0 ${y}H${log.steps.length - 1}`).join('')});
}

function scaleOf(ticks) {
    return ticks.map(([y, text]) => {
        const tick = element('span', {class: 'tick', 'aria-hidden': 'true'}, [text]);
        tick.style.top = y + 'px';
        return tick;
    });
}

// Two to six round numbers from `low` to `high`.
function roundNumbers(low, high) {
    const rough = (high - low) / 5, unit = 10 ** Math.floor(Math.log10(rough));
    const step = Math.max(1, [1, 2, 5, 10].find(times => times * unit >= rough) * unit);
    const first = Math.ceil(low / step);
    return Array.from({length: Math.floor(high / step) - first + 1}, (_, i) => (first + i) * step);
}

// Each seat's points over time, the lowest at the bottom.
function drawPoints(log, view, language) {
    const points = log.points[view === 'open' ? 'open' : 'closed'];
    const low = Math.min(0, points.reduce((least, row) => Math.min(least, ...row), 0));
    const high = points.reduce((most, row) => Math.max(most, ...row), 1);
    const y = value => (90 - 90 * (value - low) / (high - low)).toFixed(1);
    const lines = log.names.map((_, seat) => shape('path', {class: `plot seat${seat}`,
        d: points.map((row, i) => `${i === 0 ? 'M' : 'L'}${i} ${y(row[seat])}`).join('')}));
    const ticks = roundNumbers(low, high).map(value => [Number(y(value)), pointsText(value, language)]);
    return [stretched(log, 90, [gridOf(log, ticks), ...lines, cursor(90)]), ...scaleOf(ticks)];
}

function longestTime(log) {
    return log.decisions.flatMap(({answers}) => answers.map(({us}) => us)).reduce((top, us) => Math.max(top, us), 100);
}

// One bar per answer; its height is the logarithm of the time it took.
function drawThinking(log) {
    const most = Math.log(longestTime(log));
    const height = us => Math.max(1, 40 * Math.log(Math.max(us, 1)) / most);
    const bars = log.names.map((_, seat) => shape('path', {class: `plot seat${seat}`,
        d: log.decisions.flatMap(({last, answers}) => answers.filter(answer => answer.seat === seat)
            .map(({us}) => `M${last} 40V${(40 - height(us)).toFixed(1)}`)).join('')}));
    return stretched(log, 40, [...bars, cursor(40)]);
}

function moveCursors(step) {
    for (const line of document.querySelectorAll('.cursor'))
        line.setAttribute('transform', `translate(${step} 0)`);
}
