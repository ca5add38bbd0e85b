import { createHash } from 'node:crypto';

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1b1f24, #e6e8ea); --paper: light-dark(#ffffff, #14171a);
  --soft: light-dark(#59626c, #a4adb6); --line: light-dark(#d5dae0, #353c43); --red: light-dark(#b3261e, #ff8a80);
  --amber: light-dark(#8a5a00, #f2c26b); --green: light-dark(#1b6e3c, #7fd3a0); }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.3rem; margin: 0; } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
p { margin: .25rem 0; } .soft { color: var(--soft); }
#verdict { font-size: 1.6rem; font-weight: 600; margin: 1rem 0 .25rem; }
#verdict[data-verdict=violates] { color: var(--red); } #verdict[data-verdict=conforms] { color: var(--green); }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; margin: 1rem 0; }
dl div { border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .75rem; }
dt { color: var(--soft); font-size: .85rem; } dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; } a { color: inherit; }
.must { color: var(--red); font-weight: 600; } .should { color: var(--amber); font-weight: 600; }
#say { color: var(--amber); font-weight: 600; min-height: 1.5em; }
`;

const SCRIPT = `
'use strict';
const $ = (id) => document.getElementById(id);
const put = (parent, name, text, more) => {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  Object.assign(element, more);
  parent.append(element);
  return element;
};
const number = (value) => value.toLocaleString('en');
const VERDICTS = { conforms: 'CONFORMS', 'no-violation': 'NO VIOLATION FOUND', violates: 'VIOLATES',
  incomplete: 'NOTHING VERIFIED YET', error: 'INTERNAL ERROR' };
const TILES = ['Exchanges per second', 'Forwarded', 'Judged', 'Waiting for the judge', 'Not judged', 'Open connections'];
const tiles = TILES.map((name) => {
  const box = put($('tiles'), 'div');
  put(box, 'dt', name);
  return put(box, 'dd', '–');
});
let before = null;
const table = (id, heads, rows, empty) => {
  const container = $(id);
  container.replaceChildren();
  if (rows.length === 0) { put(container, 'p', empty, { className: 'soft' }); return; }
  const box = put(put(container, 'div', undefined, { className: 'scroll', tabIndex: 0, role: 'region',
    ariaLabel: container.dataset.title }), 'table');
  const head = put(put(box, 'thead'), 'tr');
  for (const [name, isNumber] of heads) put(head, 'th', name, { className: isNumber ? 'n' : '', scope: 'col' });
  const body = put(box, 'tbody');
  for (const row of rows) {
    const line = put(body, 'tr');
    row.forEach((cell, at) => {
      const td = put(line, 'td', undefined, { className: heads[at][1] ? 'n' : '' });
      if (typeof cell === 'function') cell(td); else td.textContent = cell;
    });
  }
};
const code = (text) => (cell) => put(cell, 'code', text);
const show = (state) => {
  const at = Date.parse(state.at);
  const rate = before === null ? null : ((state.exchanges.passed - before.passed) * 1000) / Math.max(1, at - before.at);
  before = { at, passed: state.exchanges.passed };
  $('target').textContent = state.baseUrl;
  $('since').textContent = new Date(state.since).toLocaleString();
  const verdict = VERDICTS[state.verdict] ?? state.verdict;
  if ($('verdict').textContent !== verdict) $('verdict').textContent = verdict;
  $('verdict').dataset.verdict = state.verdict;
  $('sentence').textContent = state.sentence;
  const leftOut = state.exchanges.leftOut.reduce((sum, one) => sum + one.count, 0);
  [rate === null ? '–' : rate.toFixed(1), number(state.exchanges.passed), number(state.exchanges.judged),
    number(state.exchanges.waiting), number(leftOut), number(state.connections)]
    .forEach((text, index) => { tiles[index].textContent = text; });
  const said = state.isSampling ? 'The judge is behind and skips exchanges. Traffic is not affected.'
    : state.sampled > 0 ? number(state.sampled) + ' exchanges were skipped because the judge was behind.' : '';
  if ($('say').textContent !== said) $('say').textContent = said;
  table('statuses', [['Status'], ['Responses', true]], Object.entries(state.statuses).sort().map(([name, count]) => [name, number(count)]), 'No traffic yet.');
  const OUTCOMES = ['passed', 'failed', 'warned', 'observed', 'inconclusive', 'untested', 'waived'];
  table('coverage', [['Level'], ...OUTCOMES.map((one) => [one === 'untested' ? 'untested or not seen yet' : one, true])],
    Object.entries(state.coverage).map(([level, counts]) => [level, ...OUTCOMES.map((one) => number(counts[one] ?? 0))]), '');
  table('findings', [['When'], ['Requirement'], ['Finding'], ['Expected'], ['Actual'], ['Evidence']],
    state.findings.map((one) => [
      one.at === null ? 'before' : new Date(one.at).toLocaleTimeString(),
      (cell) => { put(cell, 'span', one.level, { className: one.level }); cell.append(' '); put(cell, 'code', one.requirement); },
      one.message, code(one.expected), code(one.actual),
      (cell) => put(cell, 'a', one.exchange, { href: '/evidence/' + encodeURIComponent(one.exchange) }),
    ]), 'No findings.');
  table('keys', [['Key'], ['Role'], ['Requests', true], ['Accepted', true], ['429', true], ['401', true], ['403', true], ['Addresses', true], ['Concurrent', true]],
    state.keys.map((one) => [code(one.key), one.role + (one.isTold ? '' : ' (inferred)'), number(one.requests),
      number(one.accepted), number(one.limited), number(one.unauthorized), number(one.forbidden), number(one.clients), number(one.atOnce)]),
    'No keys yet.');
  table('left-out', [['Reason'], ['Exchanges', true]], state.exchanges.leftOut.map((one) => [one.reason, number(one.count)]), 'All exchanges were judged.');
};
const source = new EventSource('/events');
source.onmessage = (event) => { $('state').textContent = 'live'; show(JSON.parse(event.data)); };
source.onerror = () => { $('state').textContent = 'not connected'; };
source.addEventListener('end', () => { source.close(); $('state').textContent = 'the watch has ended'; });
`;

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Only the page's own style, script and events. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page as one file. Data of the target only reaches it as text in events, never as markup. */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>assay watch</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>assay watch</h1>
<p class="soft"><code id="target">…</code>, since <span id="since">…</span>, <span id="state" role="status">connecting</span></p>
<p id="verdict" role="status">…</p>
<p id="sentence"></p>
<p id="say" role="status"></p>
<dl id="tiles"></dl>
<h2>Findings, newest first</h2><div id="findings" data-title="Findings"></div>
<h2>Requirements</h2><div id="coverage" data-title="Requirements"></div>
<h2>Responses</h2><div id="statuses" data-title="Responses"></div>
<h2>Keys, by fingerprint</h2><div id="keys" data-title="Keys"></div>
<h2>Not judged</h2><div id="left-out" data-title="Not judged"></div>
<noscript><p>This page needs JavaScript. The reports in the output folder do not.</p></noscript>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
