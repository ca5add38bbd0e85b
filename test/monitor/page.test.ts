// The page of a monitor: it says what the history says, runs nothing and loads nothing.
import { createHash } from 'node:crypto';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { describe, expect, it } from 'vitest';
import { historyFrom, scheduleWords } from '../../src/monitor/history.ts';
import type { MonitorSettings } from '../../src/monitor/settings.ts';
import type { HistoryDay } from '../../src/report/model/monitor-history.ts';
import { newState, type MonitorState, type RunEntry } from '../../src/monitor/state.ts';
import { renderMonitorPage } from '../../src/report/page/monitor/monitor.tsx';
import { validate } from '../../src/judge/schema/schemas.ts';

const NOW = Date.parse('2026-11-24T12:00:00Z');
const HOSTILE = '<script>alert(1)</script>"\'&\u202E\u001B[31m';

const run = (folder: string, startedAt: string, more: Partial<RunEntry> = {}): RunEntry => ({
  kind: 'scheduled',
  folder,
  startedAt,
  endedAt: startedAt,
  profile: 'standard',
  seed: 7,
  verdict: 'no-violation',
  sentence: 'All is well.',
  requests: { valid: 93, restricted: 82 },
  violated: [],
  verified: 291,
  ...more,
});

const state: MonitorState = {
  ...newState(`https://api.example/${HOSTILE}`, Date.parse('2026-11-23T06:00:00Z')),
  standing: {
    verdict: 'violates',
    since: '2026-11-24T06:00:00.000Z',
    open: [
      {
        id: '4.3/order',
        title: HOSTILE,
        seed: 7,
        since: '2026-11-24T06:00:00.000Z',
        folder: 'runs/b',
        judgedAt: '2026-11-24T06:00:00.000Z',
      },
    ],
    unclear: 0,
    mended: ['5/unknown-key'],
  },
  pending: [
    {
      ticker: HOSTILE,
      date: '2026-11-23',
      seenAt: NOW,
      run: '',
      folder: 'runs/a',
      lookedAt: null,
      overdue: false,
    },
  ],
  runs: [
    run('runs/a', '2026-11-23T06:00:00.000Z'),
    run('runs/b', '2026-11-24T06:00:00.000Z', {
      verdict: 'violates',
      sentence: HOSTILE,
      violated: ['4.3/order'],
    }),
    run('runs/c', '2026-11-24T07:00:00.000Z', { verdict: 'interrupted' }),
  ],
  turns: [
    {
      id: 'x',
      at: '2026-11-24T06:00:00.000Z',
      from: 'holds',
      to: 'violates',
      folder: 'runs/b',
      violated: ['4.3/order'],
      mended: [],
    },
  ],
  verified: {
    '4.3/symbol-enum': {
      last: '2026-11-24T06:00:00.000Z',
      days: ['2026-11-23', '2026-11-24'],
    },
    '4.3/order': {
      last: '2026-11-24T07:00:00.000Z',
      days: ['2026-11-24'],
    },
  },
};

const history = historyFrom(
  state,
  'every 6 hours',
  {
    now: NOW,
    budget: { month: '2026-11', used: 186, limit: 5000, restricted: { used: 164, limit: 5000 } },
  },
  (folder) => folder !== 'runs/c',
);
const page = renderMonitorPage(history);

type Node = DefaultTreeAdapterTypes.Node;

function* elements(node: Node): Generator<DefaultTreeAdapterTypes.Element> {
  if ('tagName' in node) yield node;
  if ('childNodes' in node) for (const child of node.childNodes) yield* elements(child);
}

const all = [...elements(parse(page))];
const attribute = (element: DefaultTreeAdapterTypes.Element, name: string): string | undefined =>
  element.attrs.find((one) => one.name === name)?.value;

describe('the history', () => {
  it('keeps its schema', () => {
    expect(validate('monitor-history', history)).toEqual([]);
    expect(validate('monitor-history', { ...history, verdict: 'fine' })).not.toEqual([]);
  });

  it('counts what was verified, day by day', () => {
    expect(
      history.days.map(({ day, verified, verifiedSoFar }) => [day, verified, verifiedSoFar]),
    ).toEqual([
      ['2026-11-24', 2, 2],
      ['2026-11-23', 1, 1],
    ]);
    expect(history.coverage.verified).toBe(2);
  });
});

describe('the page', () => {
  it('runs nothing, loads nothing, and only allows its own style', () => {
    const names = new Set(all.map(({ tagName }) => tagName));
    for (const name of ['script', 'iframe', 'img', 'link', 'object', 'form', 'base']) {
      expect(names.has(name), name).toBe(false);
    }
    const handlers = all.flatMap(({ attrs }) =>
      attrs.filter(({ name }) => /^on|^style$/.test(name)),
    );
    expect(handlers).toEqual([]);
    const policy = all.find((one) => attribute(one, 'http-equiv') === 'Content-Security-Policy');
    const style = /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    const allowed = attribute(policy as DefaultTreeAdapterTypes.Element, 'content');
    expect(allowed).toContain("default-src 'none'");
    expect(allowed).toContain(`style-src 'sha256-${hash}'`);
    expect(allowed).not.toContain('unsafe');
  });

  it('shows what a target says as text, hidden characters included', () => {
    expect(page).not.toContain('<script>alert');
    expect(page).not.toContain('\u202E');
    expect(page).not.toContain('\u001B');
    expect(page).toContain('\\u202e');
  });

  it('links to existing reports, and to its own anchors', () => {
    const links = all.flatMap((one) => (one.tagName === 'a' ? [attribute(one, 'href') ?? ''] : []));
    expect(links).toContain('runs/a/report.html');
    expect(links).toContain('runs/b/report.html#r-4.3/order');
    expect(links).not.toContain('runs/c/report.html');
    const ids = new Set(all.map((one) => attribute(one, 'id')));
    for (const link of links.filter((one) => one.startsWith('#'))) {
      expect(ids.has(link.slice(1)), link).toBe(true);
    }
    expect(links.filter((one) => /^\w+:/.test(one))).toEqual([]);
  });

  it('says in a sentence of its own since when it has been running', () => {
    expect(page).toMatch(/<dt>Schedule<.dt><dd>[^<]+\. Running since [^<]+\.<.dd>/);
  });

  it('says of how much the verdict holds, and is not green over a part', () => {
    const held = renderMonitorPage({ ...history, verdict: 'holds', open: [] });
    const { musts } = history.coverage;
    expect(held).toContain(
      `<div class="verdict plain"><h2 class="word">HOLDS, 2 of ${musts} musts verified</h2>`,
    );
    const whole = { ...history.coverage, verified: musts };
    expect(renderMonitorPage({ ...history, verdict: 'holds', coverage: whole })).toContain(
      '<div class="verdict passed"><h2 class="word">HOLDS</h2>',
    );
  });

  it('says what is selected, which runs are skipped and why, and whose clock the times follow', () => {
    const schedule = { words: 'every 1 minute' } as MonitorSettings['schedule'];
    const target = {} as MonitorSettings['target'];
    const rhythm = { runs: 43_470, whole: 166, shallow: 1004 };
    expect(scheduleWords({ schedule, target, only: ['4.3'], skip: [] }, rhythm)).toBe(
      'every 1 minute; --only 4.3; 42300 of 43470 runs until the end of the month are skipped to save requests',
    );
    const clock = {} as MonitorSettings['target']['clock'] & object;
    const every = { ...rhythm, whole: 43_470, shallow: 0 };
    expect(
      scheduleWords({ schedule, target: { ...target, clock }, only: [], skip: [] }, every),
    ).toBe("every 1 minute; by the target's clock");
  });

  it('says what the newest run did not judge, and what was fixed', () => {
    expect(page).toMatch(/found [^<]+, not judged since 24 Nov 2026 06:00:00 UTC/);
    expect(page).toContain('Fixed: 5/unknown-key.');
    const [day, ...days] = history.days;
    const [, ...runs] = day?.runs ?? [];
    const agreeing = { ...history, days: [{ ...(day as HistoryDay), runs }, ...days] };
    expect(renderMonitorPage(agreeing)).not.toContain('not judged');
  });

  it('labels every number where a table becomes a list', () => {
    const [row] = /<table class="days">.*?<tbody>(<tr>.*?<\/tr>)/.exec(page)?.slice(1) ?? [];
    for (const label of ['runs', 'musts verified that day', 'musts verified so far'])
      expect(row).toContain(`data-label="${label}"`);
  });

  it('shows the verdict in words', () => {
    expect(page).toContain('<h2 class="word">VIOLATES</h2>');
    const chips = all.filter((one) => /\bchip\b/.test(attribute(one, 'class') ?? ''));
    expect(chips).toHaveLength(3);
    for (const chip of chips) {
      const [text] = chip.childNodes;
      expect(text && 'value' in text ? text.value : '').toMatch(/^[✓✗?–‼] \d\d:\d\d$/);
    }
  });
});
