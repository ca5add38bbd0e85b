// The command line of a monitor: what it refuses, what it says, and how it ends.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MonitorHistory } from '../../src/report/model/monitor-history.ts';
import { assay, scratch, start } from '../cli/assay.ts';
import { serving } from '../trust/servers.ts';
import { eventsIn, service, told, type Service } from './service.ts';

let live: Service;
beforeAll(async () => {
  live = await service({ start: '2026-11-23T05:00:00Z' });
});
afterAll(() => live.close());

/** One requirement, so that a run takes a moment. */
const SMALL = ['--only', '4.3/symbol-enum', '--max-requests', '20'];

describe('assay monitor', () => {
  it.each([
    [['--share', '0'], '--share takes a percentage'],
    [['--share', '101%'], '--share takes a percentage'],
    [['--share', '0.001%'], 'Set a larger --share'],
    [['--every', '5s'], 'between one minute'],
    [['--every', 'daily'], '--every takes a number with a unit'],
    [['--cron', '0 * * * *'], 'cron'],
    [['--once', '--for', '1d'], 'cannot be given together'],
    [['--max-requests', '5'], 'takes at least 20 requests'],
    [['--webhook', 'hooks.example/abc'], 'not an http or https URL'],
    [['--webhook-secret-file', 'nowhere'], 'nowhere'],
    [['--metrics', 'nowhere'], '--metrics takes an address'],
    [['--otlp', 'nowhere'], '--otlp takes an http or https URL'],
    [['--only', '9.9'], '9.9'],
    [['--waivers', 'nowhere.json'], 'nowhere.json'],
    [['--every', '1h', '--sahre', '5%'], '--share'],
  ])('refuses %j', async (args, words) => {
    const before = live.counted.length;
    const { code, text } = await assay(['monitor', '-t', live.target, '-o', 'refused', ...args]);
    expect(code, text).toBe(2);
    expect(text).toContain(words);
    expect(live.counted.length).toBe(before);
  });

  it('needs a target', async () => {
    const { code, text } = await assay(['monitor', '--once']);
    expect(code, text).toBe(2);
    expect(text).toContain('assay serve');
  });

  it('reports a damaged state, and sends nothing', async () => {
    mkdirSync(path.join(scratch, 'damaged', 'state'), { recursive: true });
    writeFileSync(path.join(scratch, 'damaged', 'state', 'monitor.json'), '{"version":1');
    const before = live.counted.length;
    const { code, text } = await assay(['monitor', '-t', live.target, '-o', 'damaged', '--once']);
    expect(code, text).toBe(2);
    expect(text).toContain('ASSAY_MONITOR');
    expect(text).toContain('Restore a copy');
    expect(live.counted.length).toBe(before);
  });

  it('exits with the code of the run with --once, and writes page, history and events', async () => {
    const args = ['monitor', '-t', live.target, '-o', 'once', '--events', 'once.ndjson', ...SMALL];
    const first = await assay([...args, '--once']);
    const { stdout } = first;
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(stdout).toContain('every 6 hours, profile standard');
    expect(stdout).toMatch(/no violation found: .* runs\/\S+\/report\.html/);
    const [run] = told(eventsIn('once.ndjson'), 'run');
    expect(existsSync(path.join(scratch, 'once', run?.report ?? ''))).toBe(true);
    const history = JSON.parse(
      readFileSync(path.join(scratch, 'once', 'history.json'), 'utf8'),
    ) as MonitorHistory;
    expect(history).toMatchObject({ verdict: 'holds', budget: { used: run?.requests.valid } });
    // Appended: a service that is started anew does not lose what it told before.
    await assay([...args, '--once']);
    expect(told(eventsIn('once.ndjson'), 'started')).toHaveLength(2);
    // The folder is that of this target.
    const other = await service({ start: '2026-11-23T05:00:00Z' });
    try {
      const { code, text } = await assay(['monitor', '-t', other.target, '-o', 'once', '--once']);
      expect(code, text).toBe(2);
      expect(text).toContain('a different target');
    } finally {
      await other.close();
    }
  });

  it('gives a program events on standard output, and nothing else', async () => {
    const args = [
      'monitor',
      '-t',
      live.target,
      '-o',
      'events',
      '--events',
      '-',
      '--once',
      ...SMALL,
    ];
    const { stdout, stderr } = await assay(args);
    const types = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual(['started', 'begin', 'run', 'stopped']);
    expect(stderr).toContain('no violation found');
  });

  it('prints nothing on ordinary days with --quiet', async () => {
    const args = ['monitor', '-t', live.target, '-o', 'quiet', '--quiet', '--once', ...SMALL];
    expect(await assay(args)).toMatchObject({ code: 0, text: '' });
  });

  it('deletes old runs except the last one', async () => {
    const args = ['monitor', '-t', live.target, '-o', 'kept', ...SMALL, '--every', '12h'];
    const ended = await assay([...args, '--for', '2d', '--keep', '1d']);
    expect(ended.code, ended.text).toBe(0);
    const history = JSON.parse(
      readFileSync(path.join(scratch, 'kept', 'history.json'), 'utf8'),
    ) as MonitorHistory;
    const runs = history.days.flatMap((day) => day.runs);
    expect(runs.length).toBeGreaterThanOrEqual(2);
    expect(runs.length).toBeLessThanOrEqual(4);
    for (const { folder } of runs) {
      expect(existsSync(path.join(scratch, 'kept', folder, 'results.json'))).toBe(true);
    }
  });

  it('makes up for runs that were missed, once', async () => {
    // Three hours from the next slot: neither run comes near a second one.
    const away = await service({ start: '2026-11-23T09:00:00Z' });
    try {
      const args = ['monitor', '-t', away.target, '-o', 'missed', '--events', 'missed.ndjson'];
      await assay([...args, ...SMALL, '--for', '1h']);
      away.advance(2 * 86_400_000);
      const { code, text } = await assay([...args, ...SMALL, '--for', '1h']);
      expect(code, text).toBe(0);
      const events = eventsIn('missed.ndjson');
      expect(told(events, 'run')).toHaveLength(2);
      expect(told(events, 'left-out')).toMatchObject([{ why: 'missed', count: 7 }]);
    } finally {
      await away.close();
    }
  });
});

describe('metrics', () => {
  it('are served to Prometheus, by the names of the documentation', async () => {
    const args = ['monitor', '-t', live.target, '-o', 'metrics', ...SMALL];
    const running = start([...args, '--metrics', '39464', '--every', '28d']);
    try {
      await running.until('report.html');
      const answer = await fetch('http://127.0.0.1:39464/metrics');
      const text = await answer.text();
      expect(text).toContain('assay_verdict{');
      expect(text).toMatch(/assay_verdict\{[^}]*assay_verdict="holds"[^}]*\} 1/);
      expect(text).toMatch(/assay_verdict\{[^}]*assay_verdict="violates"[^}]*\} 0/);
      expect(text).toMatch(
        /assay_requirements\{[^}]*assay_level="must",assay_outcome="passed"[^}]*\} [1-9]/,
      );
      expect(text).toMatch(/assay_budget_used\{[^}]*assay_key_role="valid"[^}]*\} [1-9]/);
      expect(text).toMatch(/assay_budget_limit\{[^}]*assay_key_role="valid"[^}]*\} 5000/);
      expect(text).toMatch(/assay_run_last\{[^}]*\} 1[0-9]+/);
      expect(text).toContain('assay_run_duration_bucket');
      expect(text).toMatch(/assay_requests_total\{[^}]*\} [1-9]/);
      expect(text).toContain('service_name="assay"');
      for (const key of [...live.keys.valid, live.keys.restricted]) expect(text).not.toContain(key);
    } finally {
      running.child.kill('SIGTERM');
      expect((await running.ended).code).toBe(0);
    }
  });

  it('are sent by OTLP, the last ones at the end', async () => {
    const bodies: string[] = [];
    const collector = await serving((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        bodies.push(`${request.url ?? ''} ${body}`);
        response.end('{}');
      });
    });
    try {
      const args = ['monitor', '-t', live.target, '-o', 'otlp', '--once', ...SMALL];
      const { code, text } = await assay([...args, '--otlp', `${collector.origin}/v1/metrics`]);
      expect(code, text).toBe(0);
      expect(bodies.length).toBeGreaterThan(0);
      expect(bodies[0]).toMatch(/^\/v1\/metrics /);
      for (const name of ['assay.verdict', 'assay.run.duration', 'assay.budget.used'])
        expect(bodies.join()).toContain(name);
    } finally {
      await collector.close();
    }
  });

  it('do not delay the end if the collector never answers', async () => {
    const collector = await serving(() => undefined);
    try {
      const args = ['monitor', '-t', live.target, '-o', 'held up', '--once', ...SMALL];
      const { code, text } = await assay([...args, '--otlp', collector.origin]);
      expect(code, text).toBe(0);
    } finally {
      await collector.close();
    }
  });

  it('name the packages to install if the SDK is missing', async () => {
    const hook = path.join(scratch, 'without-otel.mjs');
    writeFileSync(
      hook,
      `import { register } from 'node:module';
const resolve = "export const resolve = (name, context, next) => { if (name.startsWith('@opentelemetry/')) throw Object.assign(new Error('not there'), { code: 'ERR_MODULE_NOT_FOUND' }); return next(name, context); };";
register('data:text/javascript,' + encodeURIComponent(resolve));
`,
    );
    const env = { NODE_OPTIONS: `--import=${pathToFileURL(hook).href}` };
    const args = ['monitor', '-t', live.target, '-o', 'without', '--once', ...SMALL];
    const { code, text } = await start([...args, '--metrics', '39465'], env).ended;
    expect(code, text).toBe(2);
    expect(text).toContain('ASSAY_METRICS_MISSING');
    expect(text).toContain('npm install "@opentelemetry/api@');
    expect(text).not.toContain('otlp');
    // And nothing else needs it.
    expect((await start([...args], env).ended).code).toBe(0);
  });

  it('are those that the package names as optional', () => {
    const manifest = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as {
      peerDependencies: Record<string, string>;
      peerDependenciesMeta: Record<string, { optional: boolean }>;
    };
    const page = readFileSync(new URL('../../docs/monitor.md', import.meta.url), 'utf8');
    for (const [name, range] of Object.entries(manifest.peerDependencies)) {
      expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true });
      expect(page).toContain(`"${name}@${range}"`);
    }
  });

  it('reject a port in use', async () => {
    const other = await serving((_, response) => response.end());
    try {
      const args = ['monitor', '-t', live.target, '-o', 'taken', '--once', ...SMALL];
      const { code, text } = await assay([...args, '--metrics', new URL(other.origin).port]);
      expect(code, text).toBe(2);
      expect(text).toContain('EADDRINUSE');
    } finally {
      await other.close();
    }
  });
});
