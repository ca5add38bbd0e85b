import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, isoDay } from '../../src/spec/time.ts';
import type { Results } from '../../src/report/model/results.ts';
import { validate } from '../../src/judge/schema/schemas.ts';
import { assay, scratch } from '../cli/assay.ts';
import { sampleOf } from '../sample.ts';
import { counting, killedRun, outcomesOf, resultsIn } from './counting.ts';

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Defects of many areas, including the limiter, paging and single fields. */
const FAULTS = [
  'summary-symbol-code',
  'op/null/currencies-one.name',
  'pairs-page-short',
  'news-language-ignored',
  'disabled-key-admitted',
  'limit-one-more',
  'limit-shared',
  'remaining-skips-one',
  'quota-one-early',
  'pairs-page-zero-crash',
] as const;

const replay = (file: string, output: string, ...args: string[]) =>
  assay(['run', '--replay', file, '--format', 'json', '--output', output, ...args]);

/** Outcome and reason of every requirement. Requests beyond the budget are not in the recording. */
const foundIn = ({ requirements }: Results): Record<string, string> =>
  Object.fromEntries(
    requirements.map(({ id, outcome, reason }) => [
      id,
      /^(?:The budget of|not in the recording)/.test(reason ?? '')
        ? `${outcome}: not asked`
        : `${outcome}: ${reason}`,
    ]),
  );

/** Advances the clock of a reference server. */
async function moved(origin: string, advanceMs: number): Promise<{ now: number }> {
  const answer = await fetch(`${origin}/clock`, {
    method: 'POST',
    body: JSON.stringify({ advanceMs }),
  });
  return (await answer.json()) as { now: number };
}

describe('assay run --replay', () => {
  it('finds in the results and in the HAR of a run what the run found, without connections', async () => {
    const server = await counting({ faults: ['etf-summary-oldest-first'] });
    try {
      await assay(['run', '-t', server.target, '--format', 'json,har', '--output', 'recorded']);
      const recorded = resultsIn('recorded');
      const before = server.seen.length;
      for (const file of ['results.json', 'exchanges.har']) {
        const { code, text } = await replay(`recorded/${file}`, `again ${file}`);
        expect(code, text).toBe(1);
        const results = resultsIn(`again ${file}`);
        expect(validate('results', results)).toEqual([]);
        expect(foundIn(results), file).toEqual(foundIn(recorded));
        expect(results.replayed).toMatchObject({
          file,
          recordedAt: recorded.startedAt,
          unasked: 0,
        });
        expect(results.requests).toEqual(recorded.requests);
        // The time is that of the recording.
        expect(results.startedAt).toBe(recorded.startedAt);
        expect(Date.parse(results.endedAt)).toBeLessThanOrEqual(Date.parse(recorded.endedAt));
      }
      // The server still listens and would have seen any request.
      expect(server.seen.length).toBe(before);
    } finally {
      await server.close();
    }
  });

  it.each(sampleOf(FAULTS))('finds the same again with the fault %s', async (fault) => {
    const server = await counting({ faults: [fault] });
    const folder = `with ${fault}`;
    try {
      await assay(['run', '-t', server.target, '--format', 'json,har', '--output', folder]);
    } finally {
      // The server is stopped.
      await server.close();
    }
    const recorded = resultsIn(folder);
    expect(recorded.verdict).not.toBe('conforms');
    const { text } = await replay(`${folder}/exchanges.har`, `${folder} again`);
    expect(foundIn(resultsIn(`${folder} again`)), text).toEqual(foundIn(recorded));
  });

  it('finds the same when the run crossed midnight, and requests nothing twice', async () => {
    const server = await counting();
    try {
      const { now } = await moved(server.origin, 0);
      // The run advances the target's clock instead of waiting, so that midnight is between its requests.
      await moved(server.origin, (Math.floor(now / DAY) + 2) * DAY - now - 20_000);
      await assay(['run', '-t', server.target, '--format', 'json,har', '--output', 'midnight']);
    } finally {
      await server.close();
    }
    const recorded = resultsIn('midnight');
    const sent = recorded.exchanges.map(({ sentAt, skewMs }) => isoDay(sentAt + skewMs));
    expect(recorded.verdict).toBe('conforms');
    expect(new Set(sent).size).toBeGreaterThan(1);
    expect(recorded.requests.byRole.valid).toBeLessThanOrEqual(100);
    const { text } = await replay('midnight/exchanges.har', 'midnight again');
    const again = resultsIn('midnight again');
    expect(foundIn(again), text).toEqual(foundIn(recorded));
    expect(again.replayed?.unasked).toBe(0);
  });

  it('reports requests missing from the recording, and passes nothing without them', async () => {
    const server = await counting();
    try {
      const killed = await killedRun(server, ['--output', 'half'], 60);
      expect(killed.code).toBeNull();
      const { text } = await replay('half/journal.ndjson', 'half again');
      const results = resultsIn('half again');
      const reasons = results.requirements
        .filter(({ outcome }) => outcome === 'untested')
        .map(({ reason }) => reason ?? '');
      expect(
        reasons.filter((reason) => reason.startsWith('not in the recording:')).length,
        text,
      ).toBeGreaterThan(50);
      expect(results.requirements.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
      expect(results.requirements.some(({ outcome }) => outcome === 'passed')).toBe(true);
      // The requests in flight, in addition to the one at which it was killed.
      expect(server.seen.length).toBeLessThanOrEqual(68);
    } finally {
      await server.close();
    }
  });

  it('names the file that is needed when results hold the evidence only', async () => {
    await assay(['run', '--only', '4.3', '--format', 'json', '--output', 'few']);
    const few = resultsIn('few');
    const file = path.join(scratch, 'few.json');
    writeFileSync(file, JSON.stringify({ ...few, exchanges: few.exchanges.slice(0, 3) }));
    const { code, stderr } = await replay('few.json', 'few again');
    expect(code).toBe(2);
    expect(stderr).toContain('exchanges.har');
  });

  it.each([
    ['no such file', 'missing.json', 'missing.json cannot be read'],
    ['a file that is no recording', 'other.json', 'other.json'],
  ])('refuses %s with the way out', async (_, name, words) => {
    writeFileSync(path.join(scratch, 'other.json'), '{"some":"thing"}');
    const { code, stderr } = await replay(name, 'nothing');
    expect(code, stderr).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr.trim().split('\n').length).toBeGreaterThan(1);
  });
});

describe('an interrupted run that does not fit', () => {
  // One for all of them: what is refused sends nothing and leaves the folder as it is.
  let server: Awaited<ReturnType<typeof counting>>;
  beforeAll(async () => {
    server = await counting();
    await killedRun(server, ['--output', 'unfit'], 10);
  });
  afterAll(() => server.close());

  it.each([
    ['another seed', ['--seed', '2'], 'seed was 1 and is now 2'],
    ['another profile', ['--profile', 'smoke'], 'profile was "standard" and is now "smoke"'],
    ['other sections', ['--only', '4.3'], 'only was []'],
    ['too old a run', ['--resume-max-age', '0s'], '--resume-max-age'],
  ])('is not taken up: %s', async (_, args, words) => {
    const before = server.seen.length;
    const resumed = ['run', '-t', server.target, '--resume', 'unfit'];
    const { code, stderr } = await assay([...resumed, ...args]);
    expect(code, stderr).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr).toContain('ASSAY_RESUME');
    expect(server.seen.length).toBe(before);
  });

  it('is not resumed with other keys or against another server', async () => {
    const other = await counting();
    try {
      const file = JSON.parse(readFileSync(server.target, 'utf8')) as {
        keys: { valid: string[]; expired: string };
      };
      const swapped = { ...file, keys: { ...file.keys, expired: 'expired-0123456789' } };
      writeFileSync(path.join(scratch, 'swapped.json'), JSON.stringify(swapped));
      const keys = await assay(['run', '-t', 'swapped.json', '--resume', 'unfit']);
      expect(keys.code, keys.text).toBe(2);
      expect(keys.stderr).toContain('keys.expired has changed');
      expect(keys.text).not.toContain(file.keys.expired);
      const server2 = await assay(['run', '-t', other.target, '--resume', 'unfit']);
      expect(server2.code).toBe(2);
      expect(server2.stderr).toContain('baseUrl was');
      expect(other.seen.length).toBe(0);
    } finally {
      await other.close();
    }
  });

  it('resumes with a truncated last line, and refuses a modified journal', async () => {
    const own = await counting();
    try {
      await killedRun(own, ['--output', 'torn'], 30);
      const journal = path.join(scratch, 'torn', 'journal.ndjson');
      copyFileSync(journal, path.join(scratch, 'whole.ndjson'));
      const content = readFileSync(journal, 'utf8');
      // It contains no key, in any spelling of the target file.
      const { keys } = JSON.parse(readFileSync(own.target, 'utf8')) as {
        keys: { valid: string[] };
      };
      for (const key of keys.valid) expect(content).not.toContain(key);
      const lines = content.trimEnd().split('\n');
      writeFileSync(
        journal,
        [...lines.slice(0, 9), 'no line of ours', ...lines.slice(9)].join('\n'),
      );
      const tampered = await assay(['run', '-t', own.target, '--resume', 'torn']);
      expect(tampered.code).toBe(2);
      expect(tampered.stderr).toContain('line 10');
      writeFileSync(journal, `${content}{"type":"answer","exch`);
      const { code, text } = await assay([
        'run',
        '-t',
        own.target,
        '--resume',
        'torn',
        '--format',
        'json',
      ]);
      expect(code, text).toBe(0);
      expect(Object.keys(outcomesOf(resultsIn('torn'))).length).toBeGreaterThan(300);
    } finally {
      await own.close();
    }
  });
});
