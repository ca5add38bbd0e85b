// What a run asks, asked of the reference server with every fault that fits: none may look at its data.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { listFaults } from '../../src/reference/catalog.ts';
import { createServer } from '../../src/reference/server.ts';
import { manualClock } from '../../src/reference/clock.ts';
import type { Context, Hooks } from '../../src/reference/hooks.ts';
import { fitsUpstream } from '../../src/reference/upstream.ts';
import type { Results } from '../../src/report/model/results.ts';
import { cleanEnvironment } from '../kept/environment.ts';
import { runKept } from '../kept/run-kept.ts';
import { sampleOf } from '../sample.ts';

/** The same hooks, which tell when one of them asks for the data. */
const watched = (hooks: Hooks, onRead: () => void): Hooks =>
  Object.fromEntries(
    Object.entries(hooks).map(([name, hook]) => [
      name,
      (...given: unknown[]) =>
        (hook as (...all: unknown[]) => unknown)(
          ...given.map((one) => (isContext(one) ? withoutData(one, onRead) : one)),
        ),
    ]),
  );
const isContext = (value: unknown): value is Context =>
  typeof value === 'object' && value !== null && 'rawHeaders' in value;
const withoutData = (context: Context, onRead: () => void): Context => ({
  ...context,
  get world() {
    onRead();
    return context.world;
  },
});

/** What a run against the reference server asks. */
async function asked(): Promise<Results['exchanges']> {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay upstream '));
  try {
    const program = path.join(import.meta.dirname, '../../dist/cli/main.js');
    const args = ['run', '--output', folder, '--format', 'json'];
    await runKept({ program, args, cwd: folder, env: cleanEnvironment() });
    return (JSON.parse(readFileSync(path.join(folder, 'results.json'), 'utf8')) as Results)
      .exchanges;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it('fits an upstream without the data of the reference server', { timeout: 900_000 }, async () => {
  const clean = await asked();
  const [first] = clean;
  const wrong = new Set<string>();
  const { world } = createServer();
  const look = ({ id, hooks = [], ...fault }: ReturnType<typeof listFaults>[number]): void => {
    const clock = manualClock(Math.round((first?.sentAt ?? 0) + (first?.skewMs ?? 0)));
    const own = [hooks].flat().map((one) => watched(one, () => wrong.add(id)));
    const server = createServer(
      { clock, world, limit: clean.length },
      { variants: [], faults: [{ id, ...fault, hooks: own }] },
    );
    for (const { request, sentAt, skewMs } of clean) {
      clock.advance(Math.max(0, Math.round(sentAt + skewMs) - clock.now()));
      const { pathname, search } = new URL(request.url);
      const headers = { 'x-api-key': server.keys.valid[0] ?? '' };
      server.handle({ method: request.method, path: pathname + search, headers });
    }
  };
  sampleOf(listFaults().filter(fitsUpstream)).forEach(look);
  expect([...wrong]).toEqual([]);
  // The way it looks works: a fault that reads the data is seen.
  listFaults()
    .filter(({ id }) => id === 'pairs-gap')
    .forEach(look);
  expect([...wrong]).toEqual(['pairs-gap']);
});
