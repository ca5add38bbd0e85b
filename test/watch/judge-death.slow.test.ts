import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { resolveTarget } from '../../src/target/file/resolve-target.ts';
import type { FromJudge } from '../../src/watch/judge-thread.ts';
import type * as Module from '../../src/watch/watch.ts';
import { scratch } from '../cli/assay.ts';
import { askAll, service } from './watching.ts';
import { until } from './wire.ts';

it('forwards traffic if the judge crashes, and replaces it with the saved state', async () => {
  // Built: threads are started from files of JavaScript.
  const built = new URL('../../dist/src/watch/watch.js', import.meta.url).href;
  const { openWatch } = (await import(built)) as typeof Module;
  const threads: Worker[] = [];
  const ready = new Set<Worker>();
  const onThread = (thread: Worker): void => {
    threads.push(thread);
    thread.on('message', ({ type }: FromJudge) => void (type === 'result' && ready.add(thread)));
  };
  process.on('worker', onThread);
  const { baseUrl, reference, close } = await service(['etf-summary-oldest-first']);
  const said: string[] = [];
  const options: Module.WatchOptions = {
    target: resolveTarget({ env: {}, file: { baseUrl }, requireKey: false }),
    named: {},
    settings: { only: [], skip: [], failOn: ['must'] },
    output: mkdtempSync(path.join(scratch, 'death ')),
    owner: 'a test',
    formats: ['json'],
    listen: { host: '127.0.0.1', port: 0 },
    page: null,
    certificate: null,
    host: 'keep',
    fresh: false,
    drainMs: 1000,
    reportEveryMs: null,
    say: (line) => said.push(line),
    onEvent: (event) => said.push(event.type),
  };
  try {
    const watch = await openWatch(options);
    const origin = watch.listen;
    const paths = ['/etfs', '/etfs/summary-history?symbol=BTC&country_code=US', '/analyses'];
    await askAll(origin, paths, reference.keys.valid.slice(0, 1));
    await until(() => said.includes('finding'));
    await threads[0]?.terminate();
    // Whoever asks meanwhile gets an answer.
    expect(await askAll(origin, paths, reference.keys.valid.slice(1, 2))).toEqual([200, 200, 200]);
    await until(() => ready.size === 2);
    await askAll(origin, ['/macro/events'], reference.keys.valid.slice(2, 3));
    const { results } = await watch.stop();
    expect(said.join(' ')).toContain('The judge crashed');
    expect(results?.requests.total).toBeGreaterThanOrEqual(4);
    const order = results?.requirements.find(({ id }) => id === '4.3/order');
    expect(order?.outcome).toBe('failed');
  } finally {
    process.off('worker', onThread);
    await close();
  }
});
