// One scenario and its plan as a self-contained page, to send on or to print.
import { missing } from './ranking.js';
import type { Outcome, State } from './state.js';
import { boundText, count, duration, number, percent, proven, STATUS, whole } from './view/elements/format.js';
import { utilization } from './view/summary.js';

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
const cellsOf = (tag: string, values: readonly string[]): string =>
  `<tr>${values.map((one) => `<${tag}>${escaped(one)}</${tag}>`).join('')}</tr>`;
const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<table><thead>${cellsOf('th', head)}</thead><tbody>${rows.map((row) => cellsOf('td', row)).join('')}</tbody></table>`;
const listOf = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `<h2>${escaped(title)}</h2><ul>${lines.map((one) => `<li>${escaped(one)}</li>`).join('')}</ul>`;

/** More nodes than that are drawn as the fullest ones. */
const MOST_DRAWN = 2000;
const COLUMNS = 50;
const CELL = 15;

/** The nodes as cells, fullest first. The colour is the use of a resource in its busiest period. */
function picture({ picture: { names, share }, scenario: { periods } }: Outcome, resource: number): string {
  const nodes = names.length;
  const most = (node: number): number => {
    let all = 0;
    for (let period = 0; period < periods; ++period) all = Math.max(all, share[(resource * periods + period) * nodes + node]!);
    return all;
  };
  const drawn = Array.from(names, (name, node) => ({ name, use: most(node) }))
    .sort((a, b) => b.use - a.use)
    .slice(0, MOST_DRAWN);
  const cells = drawn.map(({ name, use }, k) => {
    const [x, y] = [CELL * (k % COLUMNS), CELL * Math.floor(k / COLUMNS)];
    // One hue, whose lightness can be read in grey too.
    const light = Math.round(93 - 68 * Math.min(1, use));
    const title = escaped(`${name}: ${percent(use)}`);
    return `<rect x="${x}" y="${y}" width="${CELL - 2}" height="${CELL - 2}" fill="hsl(210 70% ${light}%)"><title>${title}</title></rect>`;
  });
  const [width, height] = [CELL * Math.min(COLUMNS, drawn.length), CELL * Math.ceil(drawn.length / COLUMNS)];
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="Nodes by use, fullest first">${cells.join('')}</svg>`;
}

const STYLE =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:900px;margin:24px auto;padding:0 16px;color:#1a1f27}' +
  'table{border-collapse:collapse;margin:8px 0}th,td{text-align:left;padding:3px 12px 3px 0;border-bottom:1px solid #d9dde3}' +
  'h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:1.4em}svg{max-width:100%;height:auto}.bad{color:#b3261e}';

/** The facts of a plan, as rows of a table. */
function facts(shown: Outcome): [string, string][] {
  const { plan, scenario } = shown;
  const bound = plan.nodeBound;
  return [
    ['Nodes in use', whole(plan.nodes)],
    ['At least', bound === undefined ? 'not known' : `${count(bound.value, 'node')} (${boundText(scenario, bound)})`],
    ...(plan.cost === undefined ? [] : [['Cost', number(plan.cost)] as [string, string]]),
    ...(plan.costBound === undefined ? [] : [['Cost at least', number(plan.costBound.value)] as [string, string]]),
    ['Planner', `${shown.planner}${shown.options === '' ? '' : ` (${shown.options})`}`],
    ['Status', STATUS[plan.status]],
    ...(shown.milliseconds === undefined ? [] : [['Time', duration(shown.milliseconds)] as [string, string]]),
    ...scenario.resources.map(({ name }, k): [string, string] => [`${name} used`, percent(utilization(shown, k))]),
  ];
}

/** The report as HTML, which refers to nothing outside it. */
export function reportOf({ scenarios, outcomes }: State, shown: Outcome): string {
  const { plan, scenario } = shown;
  const lacks = missing(scenario, shown);
  const left = plan.unplaced.map(({ app, replicas }) => `${scenario.appNames[app]!}: ${replicas} of ${scenario.replicas[app]!} replicas`);
  const others = outcomes
    .filter((one) => one !== shown && scenarios.includes(one.scenario))
    .map((one) => [one.scenario.label, one.planner, whole(one.plan.nodes), missing(one.scenario, one).join('; ') || 'nothing']);
  const { cluster } = scenario;
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escaped(`${scenario.label}: a plan by Stowage`)}</title><style>${STYLE}</style>`,
    `<main><h1>${escaped(scenario.label)}</h1>`,
    `<p>${escaped(`${count(scenario.appNames.length, 'app')} in ${count(scenario.replicas.reduce((sum, one) => sum + one, 0), 'replica')}.`)}</p>`,
    lacks.length === 0 ? '' : `<p class="bad"><strong>${escaped(`Missing: ${lacks.join('; ')}.`)}</strong></p>`,
    `<p>${escaped(proven(scenario, plan))}</p>`,
    tableOf(['Figure', 'Value'], facts(shown)),
    ...scenario.resources.slice(0, 3).map(({ name }, k) => `<h2>${escaped(`Nodes by use of ${name}`)}</h2>${picture(shown, k)}`),
    listOf('What does not fit', left),
    listOf('Not taken into account', cluster?.leftOut ?? []),
    listOf('Read with care', cluster?.notes ?? []),
    others.length === 0 ? '' : `<h2>Other plans</h2>${tableOf(['Scenario', 'Planner', 'Nodes', 'Missing'], others)}`,
    '</main></html>',
  ].join('\n');
}
