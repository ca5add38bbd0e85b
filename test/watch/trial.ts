import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createReference, systemClock } from '../../src/reference/reference.ts';
import { findK6 } from '../../src/load/find-k6.ts';
import type { Results } from '../../src/report/model/results.ts';
import { scratch } from '../cli/assay.ts';
import { cleanEnvironment } from '../kept/environment.ts';
import { startWatch } from './watching.ts';

/** What a trial measured. Times in ms. */
export interface Measured {
  readonly direct: { readonly p50: number; readonly p99: number };
  readonly watched: { readonly p50: number; readonly p99: number };
  /** Through a process that does nothing but pass bytes on: what one more process costs on this machine. */
  readonly piped: { readonly p50: number; readonly p99: number };
  /** Requests that k6 saw answered, by way, and those that it aborted. */
  readonly answered: { readonly direct: number; readonly watched: number };
  readonly aborted: number;
  /** Requests that failed without being aborted, and answers whose bytes differed from those without the proxy. */
  readonly failed: number;
  readonly differed: number;
  /** Resident memory of the watch, MiB, every second. */
  readonly memory: readonly number[];
  readonly results: Results;
}

/** Keys in use: so many that the limiter refuses now and then, and not most of the time. */
const KEYS = 500;

/** Passes bytes on between a free port, which it prints, and another one. */
const PIPE = `const net = require('node:net');
net.createServer({ noDelay: true }, (client) => {
  const target = net.connect({ port: Number(process.argv[1]), host: '127.0.0.1', noDelay: true });
  client.pipe(target).pipe(client);
  client.on('error', () => target.destroy());
  target.on('error', () => client.destroy());
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

/**
 * One iteration asks the same directly, through a bare pipe and through the watch, in turn one of them first. What it asks
 * does not change while it lasts, so all answers have the same bytes. One in thirty is given up at once.
 */
const SCRIPT = `
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';
const { DIRECT, PIPED, WATCHED, KEYS, RATE, SECONDS } = __ENV;
const keys = JSON.parse(open(KEYS));
const paths = JSON.parse(open(__ENV.PATHS));
export const options = {
  summaryTrendStats: ['p(50)', 'p(99)'],
  scenarios: { mixed: { executor: 'constant-arrival-rate', rate: Number(RATE), timeUnit: '1s',
    duration: SECONDS + 's', preAllocatedVUs: 40, maxVUs: 120 } },
};
const times = { direct: new Trend('direct'), piped: new Trend('piped'), watched: new Trend('watched') };
const counts = {};
for (const name of ['direct', 'piped', 'watched', 'aborted', 'failed', 'differed']) counts[name] = new Counter('count_' + name);
const ask = (way, base, path, key) => {
  const answer = http.get(base + path, { headers: { 'X-API-KEY': key }, timeout: '30s' });
  if (answer.status === 0) counts.failed.add(1);
  else { times[way].add(answer.timings.duration); counts[way].add(1); }
  return answer;
};
export default function () {
  const n = __ITER * 131 + __VU;
  const path = paths[n % paths.length];
  const key = keys[n % keys.length];
  if (n % 30 === 0) {
    http.get(WATCHED + path, { headers: { 'X-API-KEY': key }, timeout: '1ms' });
    counts.aborted.add(1);
    return;
  }
  const ways = [['direct', DIRECT], ['piped', PIPED], ['watched', WATCHED]];
  const turn = n % 3;
  const answers = [...ways.slice(turn), ...ways.slice(0, turn)]
    .map(([way, base]) => ask(way, base, path, key)).filter(({ status }) => status === 200);
  if (answers.some(({ body }) => body !== answers[0].body)) counts.differed.add(1);
}
export const handleSummary = (data) => ({ stdout: JSON.stringify(data.metrics) });
`;

const PATHS = [
  '/analyses',
  '/etfs',
  '/etfs/summary-history?symbol=BTC&country_code=US',
  '/etfs/summary-history?symbol=ETH&country_code=US&limit=30',
  '/news?page=1&page_size=20&language=en',
  '/news?page=2&page_size=20&language=en',
  '/currencies?category=all',
  '/etfs/summary-history?symbol=NOPE&country_code=US',
];

/** Real k6 through a watch in front of the reference server. */
export async function trial(settings: {
  readonly seconds: number;
  readonly rate: number;
  readonly faults?: readonly string[];
}): Promise<Measured> {
  const reference = createReference({
    clock: systemClock,
    keys: { valid: KEYS },
    faults: settings.faults ?? [],
  });
  const listening = await reference.listen();
  const watch = await startWatch(listening.baseUrl, ['--page', 'none']);
  const pipe = spawn(process.execPath, ['-e', PIPE, String(listening.port)]);
  const piped = await new Promise<string>((resolve) =>
    pipe.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())),
  );
  const folder = mkdtempSync(path.join(scratch, 'k6 '));
  const file = (name: string, text: string): string => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const memory: number[] = [];
  const timer = setInterval(() => {
    const pages = readFileSync(`/proc/${watch.running.child.pid}/statm`, 'utf8').split(' ')[1];
    memory.push((Number(pages) * 4096) / 1024 / 1024);
  }, 1000);
  try {
    const { path: k6 } = await findK6({ install: false });
    const env = {
      ...cleanEnvironment(),
      DIRECT: listening.baseUrl,
      PIPED: `http://127.0.0.1:${piped}/v1`,
      WATCHED: `${watch.listen}/v1`,
      KEYS: file('keys.json', JSON.stringify(reference.keys.valid)),
      PATHS: file('paths.json', JSON.stringify(PATHS)),
      RATE: String(settings.rate),
      SECONDS: String(settings.seconds),
    };
    const metrics = await runK6(k6, file('script.js', SCRIPT), env);
    clearInterval(timer);
    await watch.stop();
    const trend = (name: string) => ({
      p50: metrics[name]?.values['p(50)'] ?? Number.NaN,
      p99: metrics[name]?.values['p(99)'] ?? Number.NaN,
    });
    const count = (name: string): number => metrics[`count_${name}`]?.values['count'] ?? 0;
    return {
      direct: trend('direct'),
      watched: trend('watched'),
      piped: trend('piped'),
      answered: { direct: count('direct'), watched: count('watched') },
      aborted: count('aborted'),
      failed: count('failed'),
      differed: count('differed'),
      memory,
      results: watch.results(),
    };
  } finally {
    clearInterval(timer);
    pipe.kill();
    await watch.stop('SIGKILL');
    await listening.close();
  }
}

type Metrics = Readonly<
  Record<string, { readonly values: Readonly<Record<string, number>> } | undefined>
>;

function runK6(k6: string, script: string, env: NodeJS.ProcessEnv): Promise<Metrics> {
  const child = spawn(k6, ['run', '--quiet', '--log-output=none', script], { env });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      try {
        resolve(JSON.parse(text) as Metrics);
      } catch (error) {
        reject(new Error(`k6 said: ${text.slice(0, 500)}`, { cause: error }));
      }
    });
  });
}
