import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DAY } from '../../src/spec/time.ts';
import { earlierRows } from '../../src/run/history.ts';
import { assay, scratch } from '../cli/assay.ts';
import { counting, resultsIn } from './counting.ts';

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The check of a row from an earlier run, in the results of a run. */
function completion(folder: string) {
  const one = resultsIn(folder).requirements.find(({ id }) => id === '4.4/t1-completes');
  return { outcome: one?.outcome, reason: one?.reason ?? '', findings: one?.findings ?? [] };
}

/** Two runs in one report folder, some days apart on the target. */
async function twoRuns(name: string, faults: string[]): Promise<void> {
  const server = await counting({ faults });
  try {
    const advance = async (ms: number): Promise<number> => {
      const answer = await fetch(`${server.origin}/clock`, {
        method: 'POST',
        body: JSON.stringify({ advanceMs: Math.ceil(ms) }),
      });
      return ((await answer.json()) as { now: number }).now;
    };
    // A Tuesday at noon, during trading, with no holiday within two weeks.
    const now = await advance(0);
    let noon = Math.floor(now / DAY) * DAY + DAY / 2 + DAY;
    while (new Date(noon).getUTCDay() !== 2) noon += DAY;
    await advance(noon - now);
    // Like a live service, without clock control.
    const { clock: _, ...target } = JSON.parse(readFileSync(server.target, 'utf8')) as object & {
      clock: object;
    };
    const file = path.join(scratch, `${name}.json`);
    writeFileSync(file, JSON.stringify(target));
    const run = (folder: string) =>
      assay([
        'run',
        '-t',
        file,
        '--only',
        '4.4',
        '--format',
        'json',
        '--output',
        `${name}/${folder}`,
      ]);
    const first = await run('1');
    expect([0, 1], first.text).toContain(first.code);
    expect(completion(`${name}/1`).outcome).toBe('untested');
    await advance(3 * DAY);
    await run('2');
  } finally {
    await server.close();
  }
}

describe('a row that an earlier run saw before it settled', () => {
  it('is completed by the next run from the reports next to it', async () => {
    await twoRuns('settled', []);
    expect(completion('settled/2')).toMatchObject({ outcome: 'passed' });
  });

  it('is a violation when it still has not settled', async () => {
    await twoRuns('unsettled', ['history-never-settles']);
    const { outcome, findings } = completion('unsettled/2');
    expect(outcome).toBe('failed');
    expect(findings[0]?.message).toContain('still unsettled');
  });

  it('is read safely from files of unknown origin', async () => {
    const parent = path.join(scratch, 'hostile');
    const put = (name: string, text: string): void => {
      mkdirSync(path.join(parent, name), { recursive: true });
      writeFileSync(path.join(parent, name, 'results.json'), text);
    };
    const good = resultsIn('settled/1');
    const { baseUrl } = good.target;
    const target = `"target":{"baseUrl":${JSON.stringify(baseUrl)}}`;
    put('a', 'no json');
    put(
      'b',
      `{${target},"exchanges":[null,1,{"endpoint":"/etfs/{ticker}/history"}],"startedAt":"x"}`,
    );
    put('c', `{${target},"exchanges":{"length":1e9},"startedAt":"x"}`);
    put('d', `{${target},"exchanges":${'['.repeat(50_000)}${']'.repeat(50_000)},"startedAt":"x"}`);
    put('e', `{${target},"__proto__":{"polluted":true},"exchanges":[],"startedAt":"x"}`);
    put('f', JSON.stringify({ ...good, target: { ...good.target, baseUrl: 'http://other' } }));
    mkdirSync(path.join(parent, 'g', 'results.json'), { recursive: true });
    mkdirSync(path.join(parent, 'h'));
    symlinkSync('/dev/zero', path.join(parent, 'h', 'results.json'));
    const output = path.join(parent, 'new');
    expect(await earlierRows(output, baseUrl)).toEqual([]);
    put('z', JSON.stringify(good));
    const rows = await earlierRows(output, baseUrl);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows[0]).toMatchObject({ date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) as string });
    expect(await earlierRows(output, 'http://nobody')).toEqual([]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
