// What to do about a requirement that was not judged: the violation that is in the way, where there is one; and each step
// that a report advises, taken.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { gapsOf } from '../../src/report/analysis/outline.ts';
import { renderCtrf } from '../../src/report/formats/ctrf.ts';
import { renderJUnit } from '../../src/report/formats/junit.ts';
import { renderMarkdown } from '../../src/report/formats/markdown.ts';
import { renderJson } from '../../src/report/write.ts';
import { statusOf } from '../../src/report/model/status.ts';
import type { Results } from '../../src/report/model/results.ts';
import { assay, scratch } from '../cli/assay.ts';
import { makeExchange, makeRequirement, makeResults } from '../report/fixture.ts';
import { served } from '../cli/served.ts';
import { movableClock } from '../../src/reference/reference.ts';
import { NEEDS_TIME, NO_DATA } from '../../src/spec/cause.ts';
import { DAY } from '../../src/spec/time.ts';
import { rerunCommand } from '../../src/report/analysis/rerun.ts';
import { asShown } from '../../src/report/analysis/shown.ts';
import { readRun, resultsOf, resultsWith } from './real-runs.ts';

const adviceFor = (results: Results, id: string): string =>
  gapsOf(results).find(({ requirements }) => requirements.some((one) => one.id === id))?.next
    .words ?? '';

it('what an interrupted run did not judge carries the command that resumes it', () => {
  const results: Results = {
    ...makeResults(),
    verdict: 'interrupted',
    requirements: [
      makeRequirement('4.3/order', 'passed'),
      makeRequirement('4.3/weekends', 'inconclusive', { reason: 'the run was interrupted' }),
    ],
  };
  const command = 'assay run --target t.yaml --baseline b --format md --resume reports/cut';
  for (const [resume, at] of [
    [undefined, 'FOLDER'],
    [{ words: 'Resume the run:', command }, 'reports/cut'],
  ] as const) {
    const run = resume === undefined ? results : { ...results, resume };
    if (resume !== undefined) expect(renderJUnit(run)).toContain(command);
    for (const render of [renderMarkdown, renderJUnit, renderCtrf])
      expect(render(run), render.name).toMatch(new RegExp(`Resume the run[^]*--resume ${at}`));
    expect(renderJUnit(run)).toMatch(new RegExp(`<skipped message="[^"]*--resume ${at}"`));
    expect(renderJson(run)).not.toContain('"resume"');
  }
});

it('a sentence within another has one full stop', () => {
  const reason = 'the first 6 responses were all 403.';
  const requirement = makeRequirement('4.3/order', 'inconclusive', { reason });
  const { words } = statusOf(requirement, makeResults());
  expect(words).toBe('could not be judged: the first 6 responses were all 403');
});

describe('the next step of what was not judged', () => {
  it('is to fix the violation that is in the way', async () => {
    const faults = ['limit-one-more', 'summary-dot-us-refused', 'error-status-422'];
    const results = await resultsWith(faults, ['--only', '8,4.3']);
    expect(adviceFor(results, '8/limit-not-early')).toBe('Fix 8/limit-enforced, then run:');
    for (const id of ['4.3/unlisted', '4.3/unlisted-message'])
      expect(adviceFor(results, id), id).toBe('Fix 4.3/listed, then run:');
    for (const id of ['4.3/symbol-message', '4.3/symbol-constraint'])
      expect(adviceFor(results, id), id).toBe('Fix 4.3/symbol-enum, then run:');
  });

  it.each([
    [['snapshot-high-below-low'], '2.2', '2.2/price-in-range', '2.2/high-low'],
    [['quota-off'], '8', '8/quota-not-early', '8/quota'],
    [['quota-off'], '8', '8/quota-answer', '8/quota'],
    [['etf-summary-in-object'], '4.3', '4.3/own-rows', '4.3/summary-history'],
    [['no-key-400'], '5', '5/missing-key-code', '5/key-required'],
    [['omit-page-total'], '2.5,4.2', '4.2/page-full', '2.5/page-total'],
    [['history-unsettled-all-zero'], '4.4', '4.4/t1-group', '4.4/t1-not-zero'],
  ])('with %j is to fix what hides it: --only %s, %s', async (faults, only, id, cause) => {
    const results = await resultsWith(faults, ['--only', only], Date.UTC(2026, 8, 9, 15));
    const hidden = results.requirements.find((one) => one.id === id);
    expect(hidden?.follows).toContain(cause);
    expect(hidden?.reason?.match(/GET /g)?.length ?? 0).toBeLessThanOrEqual(3);
    expect(adviceFor(results, id)).toMatch(/^Fix .*, then run:$/);
  });

  it('is to fix a wrong count, where that uses up the requests of the profile', async () => {
    const results = await resultsWith(['remaining-skips-one'], []);
    expect(results.requirements.find(({ id }) => id === '8/limit-enforced')).toMatchObject({
      reason: 'X-RateLimit-Remaining does not count requests',
      follows: ['8/remaining-decrements'],
    });
  });

  it('never blames a smaller profile for what a violation hides', async () => {
    const results = await resultsWith(['error-status-422'], ['--only', '4.3']);
    for (const id of ['4.3/symbol-message', '4.3/symbol-constraint']) {
      const hidden = results.requirements.find((one) => one.id === id);
      expect(JSON.stringify(hidden?.checks), id).not.toContain('--profile');
      expect(hidden?.reason, id).toContain(' (422); needs a refusal of an unlisted value');
    }
  });

  it('neither calls a target slow nor forgets refusals when the limiter admits too much', async () => {
    const full = ['--profile', 'full', '--only', '8'];
    const racy = await resultsWith(['limit-racy'], full);
    const open = racy.requirements.filter(
      ({ section, outcome }) => section === '8' && ['inconclusive', 'untested'].includes(outcome),
    );
    expect(open.map(({ id, reason }) => `${id} ${reason}`)).toEqual([]);
    const disguised = await resultsWith(['limit-racy', 'refusal-status-200'], full);
    const of = (id: string) => disguised.requirements.find((one) => one.id === id);
    for (const id of ['8/reset', '8/refusal-code']) {
      expect(of(id)).toMatchObject({ reason: 'the rate limiter sent no 429 to a valid key' });
      expect(adviceFor(disguised, id), id).toBe('Fix 8/limit-enforced, then run:');
    }
  });

  it('invents no other client when the resets cannot be used', async () => {
    const results = await resultsWith(
      ['limit-five-more-in-silence', 'header-reset-wait'],
      ['--profile', 'full', '--only', '8'],
    );
    const reasons = results.requirements.map(({ reason }) => reason ?? '');
    expect(reasons.filter((reason) => reason.includes('client'))).toEqual([]);
    expect(adviceFor(results, '8/limit-enforced')).toBe('Fix 8/header-reset, then run:');
  });

  it('blames no profile for a limit that unreadable resets hide', async () => {
    const results = await resultsWith(['limit-one-more', 'header-reset-wait'], []);
    const enforced = results.requirements.find(({ id }) => id === '8/limit-enforced');
    expect(enforced).toMatchObject({ outcome: 'untested', follows: ['8/header-reset'] });
    expect(adviceFor(results, '8/limit-enforced')).toBe('Fix 8/header-reset, then run:');
  });

  it('is to fix a refusal of a key that may ask, and no list that is refused is called empty', async () => {
    const results = await resultsWith(['forbidden-everywhere', 'valid-key-forbidden'], []);
    const of = (id: string) => results.requirements.find((one) => one.id === id);
    const unknown = of('7/currency-not-found');
    expect(unknown?.reason).toBe('its refusals have status 403');
    expect(unknown?.follows).toContain('5/restricted-elsewhere');
    expect(JSON.stringify(unknown?.checks)).not.toContain('profile');
    for (const id of ['4.1/pairs-beyond-last', '4.2/featured-pages-differ'])
      expect(adviceFor(results, id), id).toContain('Fix 5/restricted-elsewhere');
    expect(of('4.6/charts-resolve')?.reason).toBe('no chart is listed in GET /analyses (403)');
    const evidence = results.requirements
      .filter(({ outcome }) => outcome === 'passed' || outcome === 'observed')
      .map(({ id, outcome, checks }) => [id, checks.some((one) => one.outcome === outcome)]);
    expect(evidence.filter(([, isShown]) => isShown === false)).toEqual([]);
    // Each format shows the reason that the results have.
    const shown = asShown(results).requirements.map(({ id, reason }) => [id, reason]);
    expect(shown).toEqual(results.requirements.map(({ id, reason }) => [id, reason]));
  });

  it('is to set what the target file lacks, where a larger profile lacks it, too', async () => {
    const results = await resultsWith(['gone-currencies'], []);
    for (const id of ['7/malformed-currency-id', '7/currency-not-found-message'])
      expect(adviceFor(results, id), id).toMatch(/^Add fixtures\.currencyIds/);
  });

  it('names what a limiter that refuses nothing does not show, and counts only what shows something', async () => {
    const only = await resultsWith(['limit-off'], ['--only', '8/retry-after-unit']);
    expect(only.requirements.find(({ id }) => id === '8/retry-after-unit')).toMatchObject({
      outcome: 'untested',
      reason: 'no refusal has both a numeric retry_after and a reset to compare it with',
      exchanges: [],
    });
    const faults = ['limit-off', 'gone-hot-news', 'unknown-key-403', 'error-status-422'];
    const results = await resultsWith(faults, []);
    const of = (id: string) => results.requirements.find((one) => one.id === id);
    expect(of('8/quota-answer')).toMatchObject({ outcome: 'observed' });
    expect(of('8/quota-answer')?.exchanges).toHaveLength(1);
    const silent = results.requirements.filter(({ reason }) =>
      reason?.startsWith('the rate limiter sent no 429'),
    );
    expect(silent.length).toBeGreaterThan(0);
    for (const { id, reason } of silent)
      expect(reason, id).toBe('the rate limiter sent no 429 to a valid key');
    for (const id of ['4.3/symbol-message', '4.3/symbol-constraint']) {
      expect(of(id)?.reason, id).toBe('its only refusal has status 422');
      expect(JSON.stringify(of(id)?.checks), id).not.toContain('profile');
    }
    // A route that a valid key does not find, either, refuses the unknown key by its code.
    const keyChecks = of('5/unknown-key')?.checks.filter(({ title }) =>
      title.startsWith('refuses'),
    );
    expect(keyChecks?.filter(({ outcome }) => outcome !== 'failed')).toEqual([]);
  });

  it('is a time of the target that fits, where its clock is in another month', async () => {
    const server = await served({ faults: [], clock: movableClock(Date.now() + 40 * DAY) });
    try {
      const results = await resultsOf(['-t', server.target, '--only', '8/quota']);
      expect(results.requirements.find(({ id }) => id === '8/quota')).toMatchObject({
        outcome: 'untested',
        reason: expect.stringContaining('the number of another month'),
      });
      expect(adviceFor(results, '8/quota')).toContain('set its clock to the present month');
      // Nothing waited for a window.
      expect(results.notes.join()).not.toContain('windows were skipped');
    } finally {
      await server.stop();
    }
  });

  it.each([
    [NO_DATA, 'Run this during a trading session, and again on the next trading day:'],
    [NEEDS_TIME, 'Rerun on the next trading day, with --output next to this run if it was set:'],
  ])('lets a row be seen unsettled first: %j', (cause, words) => {
    const one = makeRequirement('4.4/t1-completes', 'untested', { reason: 'none', cause });
    const next = gapsOf({ ...makeResults(), requirements: [one] })[0]?.next;
    expect(next?.words).toBe(words);
    expect(next?.command).toContain('--only 4.4/t1-completes');
    expect(next?.command?.includes('--profile full --seed 7 --only 4.4/t1-today-null')).toBe(
      cause === NO_DATA,
    );
  });

  it('says in one sentence that a small profile is too small', () => {
    const requirements = ['left out by the profile smoke', 'spent'].map((reason, index) =>
      makeRequirement(`4.2/${index === 0 ? 'total' : 'order'}`, 'untested', {
        reason,
        cause: { kind: 'not-selected', by: 'profile' },
      }),
    );
    expect(gapsOf({ ...makeResults(), requirements })[0]?.reasons).toEqual([
      'the profile left out these requests, or its budget was used up',
    ]);
  });

  it('is to set another key where that one is used up', async () => {
    const server = await served({ faults: [] });
    try {
      const words = ['-t', server.target, '--only', '8/quota'];
      await resultsOf(words);
      expect(adviceFor(await resultsOf(words), '8/quota')).toMatch(/^Set keys\.nearQuota /);
    } finally {
      await server.stop();
    }
  });

  it('is to run without --max-requests where a run without it judges it, which needs no larger profile', async () => {
    const usual = new Map((await resultsOf([])).requirements.map((one) => [one.id, one.outcome]));
    const { requirements } = await resultsOf(['--max-requests', '20']);
    const cut = requirements.filter(
      ({ id, outcome }) => outcome === 'untested' && usual.get(id) !== 'untested',
    );
    expect(cut.length).toBeGreaterThan(50);
    for (const { id, cause } of cut) expect(cause, id).toMatchObject({ by: 'budget' });
  });

  it('is to ask more where a small profile showed nothing', async () => {
    // The limiter's key has used up the budget before the others are asked.
    const faults = ['news-script-tag', 'unknown-key-403', 'limit-one-more'];
    const results = await resultsWith(faults, ['--profile', 'smoke']);
    const ids = ['4.1/klines-window', '4.1/pairs-total', '4.3/limit-exact'];
    for (const id of ids) {
      expect(adviceFor(results, id), id).toMatch(/^Run the standard profile, /);
      const { cause } = results.requirements.find((one) => one.id === id) ?? {};
      expect(cause, id).toMatchObject({ kind: 'not-selected', by: 'profile' });
    }
    for (const id of ['5/header-case', '4.2/project-filter', '4.2/languages-share-ids'])
      expect(adviceFor(results, id), id).toMatch(/^Run the full profile, /);
  });

  it('names a key that is missing in every profile, and none that a larger profile does not need', async () => {
    const server = await served({});
    try {
      const words = ['-u', server.baseUrl, '-k', server.validKeys[0] ?? '', '--profile', 'smoke'];
      const results = await resultsOf(words);
      expect(adviceFor(results, '5/forbidden')).toMatch(/^Add keys\.restricted /);
      expect(adviceFor(results, '8/quota')).toMatch(/^Add keys\.nearQuota /);
      expect(adviceFor(results, '8/per-key')).toMatch(/^Add a second key to keys\.valid /);
      expect(adviceFor(results, '4.2/featured-pages-differ')).toMatch(/^Run the full profile, /);
    } finally {
      await server.stop();
    }
  });

  it('is not a larger profile where the target file says how bodies are wrapped', async () => {
    const server = await served({});
    try {
      const file = JSON.parse(readFileSync(server.target, 'utf8')) as object;
      writeFileSync(server.target, JSON.stringify({ ...file, envelope: 'data' }));
      const results = await resultsOf(['-t', server.target, '--profile', 'smoke']);
      expect(adviceFor(results, '4/bare-body')).toMatch(/^Remove envelope /);
    } finally {
      await server.stop();
    }
  });

  it('is not to wait for answers where the target answered with server errors', async () => {
    const results = await resultsWith(['empty-key-crash'], ['--only', '5/key-required']);
    expect(adviceFor(results, '5/key-required')).toBe(
      'Rerun when the target responds without server errors:',
    );
  });

  it('is about the limiter where it kept refusing and nothing crashed', () => {
    const sent = { endpoint: '/news', path: '/news' } as const;
    const again = { ...makeExchange(1, { ...sent, status: 429 }), attempt: 2 };
    const news = makeRequirement('4.2/order', 'inconclusive', { reason: 'refused (429)' });
    const run = (more: Partial<Results>): string =>
      adviceFor({ ...makeResults(), requirements: [news], exchanges: [again], ...more }, news.id);
    expect(run({})).toBe('Rerun when nobody else uses the keys:');
    const broken = makeRequirement('8/reset', 'failed');
    expect(run({ requirements: [news, broken] })).toBe('Fix 8/reset, then run:');
    const crash = makeExchange(2, { ...sent, status: 500 });
    const words = 'Rerun when the target responds without server errors:';
    expect(run({ exchanges: [again, crash] })).toBe(words);
    const lost = [again, { ...crash, response: null }];
    expect(run({ exchanges: lost })).toBe('Rerun when the target answers every request:');
    expect(run({ exchanges: [{ ...again, attempt: 1 }] })).toMatch(/^When what the reason says/);
  });

  it('is no recording where none shows it', async () => {
    const server = await served({ faults: ['snapshot-in-array'] });
    try {
      const run = ['run', '-t', server.target, '--only', '5,4.1/market-snapshot'];
      await assay([...run, '-o', 'to-check', '--format', 'har']);
      const ended = await assay([
        'check',
        'to-check/exchanges.har',
        '-o',
        'checked',
        '--format',
        'html,junit,ctrf,md,sarif',
      ]);
      const { results } = readRun('checked', ended);
      expect(adviceFor(results, '5/header-case')).toContain('use assay run with --only');
      expect(adviceFor(results, '4.1/pairs-total')).toMatch(/^Record traffic/);
      // What is recorded and wrong needs no other traffic.
      expect(adviceFor(results, '2.2/price')).toMatch(/^Fix 4.1.market-snapshot, then record/);
    } finally {
      await server.stop();
    }
  });
});

describe('the rerun of a wrong count', () => {
  it.each(['limit-never-resets', 'header-reset-wobbles'])(
    'asks all that the run asked, and %s is red again',
    async (fault) => {
      const server = await served({ faults: [fault] });
      const servers = [server];
      try {
        const results = await resultsOf(['-t', server.target, '--seed', '1']);
        const wrong = results.requirements.filter(({ outcome }) => outcome === 'failed');
        const [own] = wrong.filter(({ section }) => section === '8');
        const [finding] = own?.findings ?? [];
        const command = rerunCommand(results, { id: own?.id ?? '', ...(finding && { finding }) });
        expect(command).toMatch(/^assay run --target '[^']+' --seed 1$/);
        writeFileSync(path.join(scratch, 'wrong count.json'), JSON.stringify(results));
        // Of keys that are used up there is nothing but refusals.
        const fresh = await served({ faults: [fault] });
        servers.push(fresh);
        const again = await resultsOf(['-t', fresh.target, '--last-failed', 'wrong count.json']);
        // Timing decides which requirement on the limiter reports it.
        const counts = again.requirements.filter(({ section }) => section === '8');
        expect(counts.map(({ outcome }) => outcome)).toContain('failed');
      } finally {
        for (const one of servers) await one.stop();
      }
    },
  );
});

it('each row of what was not verified says what changes it, or that nothing does', async () => {
  const server = await served();
  const { keys, ...file } = JSON.parse(readFileSync(server.target, 'utf8')) as {
    keys: { valid: string[] };
  };
  const poor = path.join(scratch, 'poor.json');
  writeFileSync(poor, JSON.stringify({ ...file, keys: { valid: keys.valid } }));
  try {
    const results = await resultsOf(['-t', poor, '--profile', 'smoke']);
    const gaps = gapsOf(results);
    expect(gaps.length).toBeGreaterThan(4);
    const isMust = gaps.map((gap) => gap.requirements.some(({ level }) => level === 'must'));
    expect(isMust.lastIndexOf(true)).toBe(isMust.filter(Boolean).length - 1);
    for (const { next, requirements, reasons } of gaps) {
      if (next.command === null) {
        expect(next.words, reasons[0]).toMatch(/^No command helps/);
        continue;
      }
      // As a reader does it: the file that it names has what was missing.
      const named = [...next.command.matchAll(/'([^']*)'|(\S+)/g)].map(
        ([, quoted, plain]) => quoted ?? plain ?? '',
      );
      const words = named.slice(2).map((word) => (word === poor ? server.target : word));
      const again = await resultsOf(words);
      const after = new Map(again.requirements.map((one) => [one.id, one]));
      for (const before of requirements) {
        const now = after.get(before.id);
        const isSame = now?.outcome === 'untested' && now.cause?.kind === before.cause?.kind;
        expect(isSame, `${before.id}: ${next.command}`).toBe(false);
      }
    }
  } finally {
    await server.stop();
  }
});
