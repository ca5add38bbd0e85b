import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { diff, load, monitor, plan, watch } from '../../src/index.ts';
import type { Results, RunEvent } from '../../src/index.ts';
import { validate } from '../../src/judge/schema/schemas.ts';
import { cleanEnvironment } from '../kept/environment.ts';
import { runKept } from '../kept/run-kept.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay api '));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const built = new URL('../../dist/src/index.js', import.meta.url).href;

let programs = 0;

/** Runs a program with the functions of the package in a reused process, because tests cannot run within a test. */
async function program(body: string): Promise<unknown> {
  const file = path.join(folder, `program ${(programs += 1)}.mjs`);
  writeFileSync(file, `import * as assay from ${JSON.stringify(built)};\n${body}\n`);
  const job = { program: file, args: [], cwd: folder, env: cleanEnvironment() };
  const { stdout } = await runKept(job);
  return JSON.parse(stdout);
}

describe('the functions of the package', () => {
  it('plan what a run sends', async () => {
    const { requests } = await plan({ only: ['2.1'] });
    const sent = await program(
      `const { requests } = await assay.run({ only: ['2.1'] }); console.log(JSON.stringify(requests.byRole));`,
    );
    expect(requests).toEqual(sent);
  });

  it('emit the events of --events', async () => {
    const events = (await program(
      `const events = []; await assay.run({ only: ['2.1'], output: 'out', formats: ['json'], onEvent: (one) => events.push(one) }); console.log(JSON.stringify(events));`,
    )) as RunEvent[];
    for (const event of events)
      expect(validate('events', event), JSON.stringify(event)).toEqual([]);
    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set(['plan', 'request', 'outcome', 'verdict']),
    );
    expect(events.at(-1)).toMatchObject({ verdict: { output: 'out', files: ['results.json'] } });
  });

  it('reject with the error of a listener', async () => {
    const said = await program(
      `const error = await assay.run({ only: ['2.1'], onEvent: () => { throw new Error('enough'); } }).then(() => null, (one) => one.message); console.log(JSON.stringify(error));`,
    );
    expect(said).toBe('enough');
  });

  it('stop at a signal with the judgements so far', async () => {
    const verdict = await program(
      `const stop = new AbortController(); const { verdict } = await assay.run({ signal: stop.signal, onEvent: ({ type }) => { if (type === 'request') stop.abort(); } }); console.log(JSON.stringify(verdict));`,
    );
    expect(verdict).toBe('interrupted');
  });

  it('compare results', async () => {
    const [before, after] = (await program(
      `const before = await assay.run({ only: ['2.1'] }); console.log(JSON.stringify([before, before]));`,
    )) as [Results, Results];
    expect(diff(before, after).changes).toEqual([]);
    const [first] = after.requirements.filter(({ id }) => id.startsWith('2.1/'));
    const worse = {
      ...after,
      requirements: after.requirements.map((one) =>
        one === first ? { ...one, outcome: 'failed' as const } : one,
      ),
    };
    expect(diff(before, worse).changes).toMatchObject([
      { kind: 'new-violation', subject: first?.id },
    ]);
  });

  it('monitor', async () => {
    const [types, end] = (await program(
      `const types = []; const end = await assay.monitor({ only: ['4.3'], everyMs: 6 * 3600000, forMs: 12 * 3600000, output: 'monitored', onEvent: ({ type }) => types.push(type) }); console.log(JSON.stringify([types, end]));`,
    )) as [string[], unknown];
    expect(types[0]).toBe('started');
    expect(types.at(-1)).toBe('stopped');
    expect(types.filter((one) => one === 'run').length).toBeGreaterThanOrEqual(2);
    expect(end).toMatchObject({ why: 'for', exitCode: 0 });
  });

  it.each([
    ['plan', () => plan({ profil: 'smoke' } as never), 'Did you mean profile'],
    ['load', () => load('rl-exat' as never), 'rl-exact'],
    ['watch', () => watch({ baseUrl: 'http://127.0.0.1:9/v1', listen: 'here' }), '127.0.0.1:8080'],
    ['load', () => load('rl-exact', { windows: 0 }), 'Omit it'],
    ['load', () => load('rl-exact', { allowRemote: 'yes' as never }), 'Omit it'],
    ['monitor', () => monitor({ share: 5 }), 'For example 0.05'],
    ['monitor', () => monitor({ webhook: { uri: 'x' } as never }), 'Did you mean url'],
    ['monitor', () => monitor({ webhook: { url: 'x' } }), 'https://'],
    ['monitor', () => monitor({ everyMs: 1000 }), 'For example --every 6h'],
    ['monitor', () => monitor({ once: true, forMs: 1 }), 'one of the options'],
    ['monitor', () => monitor({ maxRequests: 5 }), '--share'],
    ['monitor', () => monitor({ share: 0.0001 }), 'larger --share'],
    ['monitor', () => monitor({ publicUrl: 'ci' }), 'For example --public-url'],
    ['monitor', () => monitor({ metrics: { listen: 'nowhere' } }), '127.0.0.1:9464'],
  ])('refuse wrong options: %s', async (_, call, hint) => {
    await expect(call()).rejects.toMatchObject({
      code: 'ASSAY_USAGE',
      hint: expect.stringContaining(hint) as string,
    });
  });

  it('are all documented', () => {
    const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
    for (const name of ['run', 'plan', 'check', 'diff', 'load', 'monitor', 'watch']) {
      expect(page).toMatch(new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from 'assay'`));
    }
  });
});
