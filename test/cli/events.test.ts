// Output for programs and pipes: one event per line, results on standard output, progress on standard error.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Results } from '../../src/report/model/results.ts';
import { validate } from '../../src/judge/schema/schemas.ts';
import { assay, scratch, type Ended } from './assay.ts';
import { served, type Served } from './served.ts';

interface Event {
  readonly type: string;
  readonly [member: string]: unknown;
}

let server: Served;
beforeAll(async () => {
  server = await served({ faults: ['etf-summary-oldest-first'] });
});
afterAll(() => server.stop());

const RED = ['--only', '4.3/order,4.3/symbol-enum'];

const eventsOf = (text: string): Event[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);

const members = (events: readonly Event[], type: string): Record<string, unknown>[] =>
  events.flatMap((event) => (event.type === type ? [event[type] as Record<string, unknown>] : []));

function resultsIn(folder: string): Results {
  return JSON.parse(readFileSync(path.join(scratch, folder, 'results.json'), 'utf8')) as Results;
}

let ended: Ended;
beforeAll(async () => {
  const run = ['run', '-t', server.target, ...RED, '-o', 'red/first'];
  ended = await assay([...run, '--events', 'events.ndjson']);
});

describe('assay run --events FILE', () => {
  let events: Event[];
  let results: Results;
  let text: string;
  beforeAll(() => {
    text = readFileSync(path.join(scratch, 'events.ndjson'), 'utf8');
    events = eventsOf(text);
    results = resultsIn('red/first');
  });

  it('writes lines that match schemas/tool/events.json, from the plan to the verdict', () => {
    for (const event of events)
      expect(validate('events', event), JSON.stringify(event)).toEqual([]);
    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set(['plan', 'request', 'finding', 'outcome', 'verdict']),
    );
    expect(events[0]?.type).toBe('plan');
    expect(events.at(-1)?.type).toBe('verdict');
    // A schema that accepts everything would prove nothing.
    const [request] = events.filter(({ type }) => type === 'request');
    expect(request).toBeDefined();
    expect(validate('events', { ...request, request: { role: 'valid' } })).not.toEqual([]);
    expect(validate('events', { ...request, type: 'reqest' })).not.toEqual([]);
  });

  it('agrees with results.json', () => {
    const ids = results.exchanges.map(({ id }) => id).toSorted();
    expect(
      members(events, 'request')
        .map(({ id }) => String(id))
        .toSorted(),
    ).toEqual(ids);
    const [plan] = members(events, 'plan');
    expect(plan?.['requests']).toMatchObject({ valid: results.requests.byRole.valid });
    const found = results.requirements.flatMap(({ id, findings }) =>
      findings.map(({ message }) => `${id} ${message}`),
    );
    expect(found.length).toBeGreaterThan(0);
    const told = members(events, 'finding').map(
      (one) => `${String(one['requirement'])} ${String(one['message'])}`,
    );
    expect(new Set(told)).toEqual(new Set(found));
    const last = new Map(
      members(events, 'outcome').flatMap(({ requirement, check, outcome }) =>
        check === null ? [[requirement, outcome] as const] : [],
      ),
    );
    for (const id of ['4.3/order', '4.3/symbol-enum']) {
      expect(last.get(id)).toBe(results.requirements.find((one) => one.id === id)?.outcome);
    }
    const { verdict, exitCode, requests } = results;
    expect(members(events, 'verdict')).toMatchObject([{ verdict, exitCode, requests }]);
  });

  it('holds no key', () => {
    expect(server.validKeys.length).toBeGreaterThan(0);
    for (const key of server.validKeys) expect(text).not.toContain(key);
  });

  it('reports waits, but not those skipped by moving the clock', async () => {
    const keys = ['-k', server.validKeys[0] ?? ''];
    const run = ['run', '-t', server.target, ...keys, '--only', '4.2,4.3,4.4', '-o', 'waits'];
    await assay([...run, '--events', 'waits.ndjson']);
    const lines = eventsOf(readFileSync(path.join(scratch, 'waits.ndjson'), 'utf8'));
    const waits = members(lines, 'wait');
    expect(waits.length).toBeGreaterThan(0);
    expect(waits.every(({ passed }) => passed === true)).toBe(true);
    for (const event of lines) expect(validate('events', event), JSON.stringify(event)).toEqual([]);
  });

  it('ends with 2 before anything is sent when the file cannot be written', async () => {
    mkdirSync(path.join(scratch, 'a folder'), { recursive: true });
    const run = ['run', '-t', server.target, '-o', 'unsent'];
    const { code, stderr } = await assay([...run, '--events', 'a folder']);
    expect(code).toBe(2);
    expect(stderr).toContain('--events a folder: cannot write the file');
    expect(existsSync(path.join(scratch, 'unsent'))).toBe(false);
  });
});

describe('the streams of assay run', () => {
  const run = (): string[] => ['run', '-t', server.target, ...RED];

  it('print results on standard output and progress on standard error', () => {
    const { code, stdout, stderr } = ended;
    expect(code).toBe(1);
    expect(stdout.trimStart()).toMatch(/^VIOLATES/);
    expect(stdout).not.toMatch(/^(?:progress|assay run|\d+ requirements|✗ violation)/m);
    expect(stderr).toMatch(/^assay run: http/);
    expect(stderr).toMatch(/^progress: /m);
    expect(stderr).toMatch(/^✗ violation 4\.3\/order/m);
  });

  it('print only events on standard output with --events -', async () => {
    const { stdout, stderr } = await assay([...run(), '-o', 'on stdout', '--events', '-']);
    expect(eventsOf(stdout).at(-1)?.type).toBe('verdict');
    expect(stderr).toContain('VIOLATES');
  });

  it('print only results with --quiet', async () => {
    const { stdout, stderr } = await assay([...run(), '-o', 'quiet', '--quiet']);
    expect(stdout.trimStart()).toMatch(/^VIOLATES/);
    expect(stderr).toBe('');
  });
});

describe('assay run --last-failed', () => {
  const only = (): string[] => ['--only', '4.3/order,4.3/symbol-enum,2.1'];

  it('runs the failures of the last run in the output folder, and plans the same', async () => {
    await assay(['run', '-t', server.target, ...only(), '--seed', '3', '-o', 'again/first']);
    const wrong = resultsIn('again/first').requirements.filter(({ outcome }) =>
      ['failed', 'warned', 'inconclusive'].includes(outcome),
    );
    expect(wrong.map(({ id }) => id)).toContain('4.3/order');
    const again = ['-t', server.target, '--last-failed', '-o', 'again/second'];
    const plan = await assay(['plan', ...again]);
    const requests = /(\d+) requests? with key role valid/.exec(plan.stdout)?.[1];
    const { code, stderr } = await assay(['run', ...again]);
    expect(code).toBe(1);
    expect(stderr).toContain(`Rerunning the failures in `);
    expect(stderr).toContain(`${wrong.length} requirement`);
    expect(Number(requests)).toBeGreaterThan(0);
    expect(stderr).toContain(`: ${requests} request`);
    const results = resultsIn('again/second');
    expect(results.seed).toBe(3);
    const run = results.requirements.filter(({ outcome }) => outcome !== 'untested');
    expect(run.map(({ id }) => id)).toEqual(wrong.map(({ id }) => id));
  });

  it('accepts a run folder', async () => {
    const again = ['run', '-t', server.target, '--last-failed', 'red/first', '-o', 'elsewhere/out'];
    const { code, text } = await assay(again);
    expect(code).toBe(1);
    expect(text).toContain('4.3/order');
  });

  it('refuses another target than that of the run', async () => {
    const { code, stderr } = await assay(['run', '--last-failed', 'red/first', '-o', 'x']);
    expect(code).toBe(2);
    expect(stderr).toContain('this run would judge the embedded reference server instead');
    expect(stderr).toContain('Add --target');
    expect(stderr).toContain(path.basename(server.target));
    expect(existsSync(path.join(scratch, 'x'))).toBe(false);
  });

  it.each([
    [['--last-failed', '--only', '4.3'], '--last-failed and --only cannot be combined'],
    [['--last-failed', '--resume', 'x'], '--last-failed and --resume cannot be combined'],
    [['--last-failed', '-o', 'nowhere/out'], 'No earlier run against this target'],
    [['--last-failed', 'no-such-folder'], 'Cannot read no-such-folder'],
  ])('refuses %j', async (args, words) => {
    const { code, stderr } = await assay(['run', ...args]);
    expect(stderr).toContain(words);
    expect(code).toBe(2);
  });

  it('runs everything and says so when nothing failed, since an empty run would look like success', async () => {
    await assay(['run', '--only', '2.1', '-o', 'fine/first']);
    const again = ['run', '--last-failed', '--skip', '4,5,7,8', '-o', 'fine/second'];
    const { code, stderr } = await assay(again);
    expect(code).toBe(0);
    expect(stderr).toContain('No failures in');
    expect(stderr).toContain('running everything');
    const passed = resultsIn('fine/second').requirements.filter(
      ({ outcome }) => outcome === 'passed',
    );
    expect(passed.some(({ id }) => id.startsWith('2.7/'))).toBe(true);
  });
});
