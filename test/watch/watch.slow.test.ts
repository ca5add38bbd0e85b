import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { SecretsGate } from '../../src/fs/secrets-gate.ts';
import { validate } from '../../src/judge/schema/schemas.ts';
import { assay, scratch } from '../cli/assay.ts';
import { askAll, filesBelow, service, startWatch } from './watching.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

async function served(faults: readonly string[] = []) {
  const one = await service(faults);
  open.push(one);
  return one;
}

const PATHS = [
  '/currencies?category=all',
  '/etfs',
  '/etfs/summary-history?symbol=BTC&country_code=US',
  '/etfs/summary-history?symbol=BTC&country_code=US&limit=5',
  '/etfs/summary-history?symbol=ETH&country_code=US',
  '/etfs/summary-history?symbol=DOGEX&country_code=US',
  '/news?page=1&page_size=20&language=en',
  '/news?page=2&page_size=20&language=en',
  '/analyses',
];

describe('assay watch', () => {
  it('finds nothing in the traffic of an honest service, and lists what it has not seen', async () => {
    const { baseUrl, reference, arrived } = await served();
    const watch = await startWatch(baseUrl);
    const statuses = await askAll(watch.listen, PATHS, reference.keys.valid.slice(0, 2));
    expect(statuses).toContain(200);
    const { code, stdout } = await watch.stop();
    expect(code).toBe(0);
    expect(stdout).toContain('NO VIOLATION FOUND');
    const results = watch.results();
    expect(validate('results', results)).toEqual([]);
    expect(results.profile).toBe('watched');
    expect(results.requests.total).toBe(PATHS.length);
    expect(results.summary.must.failed).toBe(0);
    expect(results.summary.must.passed).toBeGreaterThan(30);
    const causes = results.requirements.map(({ cause }) => cause?.kind);
    expect(causes.filter((kind) => kind === 'unseen').length).toBeGreaterThan(50);
    const unseen = results.requirements.find(({ id }) => id === '4.6/events');
    expect(unseen?.reason ?? '').toMatch(/judged yet|shows yet|^$/);
    expect(results.notes.join(' ')).toContain('inferred');
    // Nothing but what clients asked for reached the service.
    expect(arrived()).toBe(PATHS.length);
  });

  it('counts requests by the roles that it infers', async () => {
    const { baseUrl, reference } = await served();
    const watch = await startWatch(baseUrl);
    await askAll(watch.listen, PATHS.slice(0, 4), reference.keys.valid.slice(0, 1));
    await askAll(watch.listen, PATHS.slice(0, 3), ['never-issued-77d2e0b3c4a1']);
    await watch.stop();
    const { requests, target } = watch.results();
    expect(target.keys.unknown).toHaveLength(1);
    expect(requests).toMatchObject({ total: 7, byRole: { valid: 4, unknown: 3 } });
  });

  it('finds a defect in traffic, reports it immediately, and fails', async () => {
    const { baseUrl, reference } = await served(['etf-summary-oldest-first']);
    const events = path.join(scratch, 'found.ndjson');
    const watch = await startWatch(baseUrl, ['--events', events]);
    await askAll(watch.listen, PATHS, reference.keys.valid.slice(0, 1));
    await watch.running.until('4.3/order (must)');
    const lines = readFileSync(events, 'utf8')
      .trim()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as { type: string; finding?: { requirement: string; exchange: string } },
      );
    expect(lines[0]?.type).toBe('watch');
    for (const line of lines) expect(validate('events', line)).toEqual([]);
    const finding = lines.find(({ finding: one }) => one?.requirement === '4.3/order')?.finding;
    const { code } = await watch.stop('SIGTERM');
    expect(code).toBe(1);
    const results = watch.results();
    expect(results.verdict).toBe('violates');
    const evidence = results.exchanges.find(({ id }) => id === finding?.exchange);
    expect(evidence?.request.url).toContain('/etfs/summary-history');
  });

  it('never writes or prints a key', async () => {
    const { baseUrl, reference } = await served();
    const watch = await startWatch(baseUrl, ['--report-every', '1ms']);
    const keys = [...reference.keys.valid.slice(0, 2), 'canary-of-a-client-8f3a1c'];
    await askAll(
      watch.listen,
      [...PATHS, `/news?page=1&page_size=20&api_key=${keys[2]}`, `/currencies/${keys[2]}`],
      keys,
    );
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const page = await (await fetch(watch.page)).text();
    const { text } = await watch.stop();
    const gate = new SecretsGate(keys.map((value, index) => ({ name: `key ${index}`, value })));
    expect(gate.scan(text + page)).toBeNull();
    const files = filesBelow(watch.output);
    expect(files.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['results.json', 'watch/state.json', 'watch/traffic-000001.ndjson']),
    );
    for (const { name, text: content } of files)
      expect([name, gate.scan(content)]).toEqual([name, null]);
    expect(watch.results().target.keys.valid?.length).toBe(2);
  });

  it('continues from its state after it was killed, and leaves no listener behind', async () => {
    const { baseUrl, reference } = await served(['etf-summary-oldest-first']);
    const first = await startWatch(baseUrl, ['--page', 'none']);
    await askAll(first.listen, PATHS, reference.keys.valid.slice(0, 1));
    await first.running.until('4.3/order (must)');
    // Some more, which may not be judged yet.
    await askAll(first.listen, PATHS.slice(0, 4), reference.keys.valid.slice(1, 2));
    const ring = path.join(first.output, 'watch', 'traffic-000001.ndjson');
    const lines = (): number => readFileSync(ring, 'utf8').trim().split('\n').length;
    await expect.poll(lines, { timeout: 60_000 }).toBe(PATHS.length + 4);
    await first.stop('SIGKILL');
    await expect(fetch(`${first.listen}/v1/etfs`)).rejects.toThrow('fetch failed');
    // A line that was cut off in the middle of being written.
    const whole = readFileSync(ring, 'utf8');
    writeFileSync(ring, `${whole}{"id":"x99","requ`);
    const port = new URL(first.listen).port;
    const second = await startWatch(
      baseUrl,
      ['--listen', `127.0.0.1:${port}`, '--page', 'none'],
      first.output,
    );
    expect(second.listen).toBe(first.listen);
    await second.running.until('; ignoring a truncated last line');
    await askAll(second.listen, ['/macro/events'], reference.keys.valid.slice(2, 3));
    const { code } = await second.stop();
    expect(code).toBe(1);
    const results = second.results();
    expect(results.requests.total).toBe(PATHS.length + 4 + 1);
    const order = results.requirements.find(({ id }) => id === '4.3/order');
    expect(order?.outcome).toBe('failed');
    const ids = new Set(results.exchanges.map(({ id }) => id));
    expect(order?.findings.every(({ exchange }) => ids.has(exchange ?? ''))).toBe(true);
    // Fingerprints are the same before and after, so a key is one key.
    expect(Object.values(results.target.keys).flat()).toHaveLength(3);
    expect(results.notes.join(' ')).toContain('restarted 1 time');
    // Nothing of a cut line is left.
    for (const line of readFileSync(ring, 'utf8').trim().split('\n')) JSON.parse(line);
  });

  it('moves unusable state aside, and forwards traffic anyway', async () => {
    const { baseUrl, reference } = await served();
    const first = await startWatch(baseUrl);
    await askAll(first.listen, ['/etfs'], reference.keys.valid);
    await first.stop();
    writeFileSync(path.join(first.output, 'watch', 'state.json'), '{"watch":1,"to');
    const second = await startWatch(baseUrl, [], first.output);
    await second.running.until('cannot be used');
    expect(await askAll(second.listen, ['/etfs'], reference.keys.valid)).toEqual([200]);
    await second.stop();
    expect(second.results().requests.total).toBe(1);
    expect(filesBelow(first.output).map(({ name }) => name)).toContain('watch.before/state.json');
  });

  it('rejects invalid settings with a hint', async () => {
    const { baseUrl, reference } = await served();
    const watch = await startWatch(baseUrl);
    await askAll(watch.listen, ['/etfs'], reference.keys.valid);
    const place = watch.listen.replace('http://', '');
    const refused = async (...args: string[]): Promise<string> => {
      const { code, stderr } = await assay(['watch', ...args]);
      expect(code).toBe(2);
      return stderr;
    };
    const other = path.join(scratch, 'other');
    expect(await refused('-t', baseUrl, '--listen', place, '-o', other)).toContain(
      'the port is in use',
    );
    expect(await refused('-t', baseUrl, '--listen', '127.0.0.1:0', '-o', watch.output)).toContain(
      'has held the lock on',
    );
    await watch.stop();
    expect(
      await refused('-t', 'http://127.0.0.1:9/v2', '--listen', '127.0.0.1:0', '-o', watch.output),
    ).toContain('--fresh');
    expect(await refused('-t', baseUrl, '--listen', 'here')).toContain('takes host:port, not here');
    expect(await refused('-t', baseUrl, '--duration', 'long')).toContain('takes a number with');
    expect(await refused('-t', baseUrl, '--tls-cert', 'a.pem')).toContain('needs --tls-key');
    expect(await refused('--listen', '127.0.0.1:0')).toContain('No target');
  });

  it('stops after its duration, and starts over with --fresh', async () => {
    const { baseUrl, reference } = await served();
    const watch = await startWatch(baseUrl, ['--duration', '1s']);
    await askAll(watch.listen, ['/etfs'], reference.keys.valid);
    await watch.running.ended;
    expect(watch.results().requests.total).toBe(1);
    const again = await startWatch(baseUrl, ['--duration', '500ms', '--fresh'], watch.output);
    const { code } = await again.running.ended;
    expect(again.results().requests.total).toBe(0);
    // Nothing was verified, which is no success.
    expect(code).toBe(3);
  });

  it('shows its state on a live page, which only answers to addresses', async () => {
    const { baseUrl, reference } = await served(['etf-summary-oldest-first']);
    const watch = await startWatch(baseUrl);
    await askAll(watch.listen, PATHS, reference.keys.valid.slice(0, 1));
    const page = await fetch(watch.page);
    expect(page.headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
    let text = await page.text();
    expect(text).toContain("default-src 'none'");
    while (!text.includes('4.3/order')) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      text = await (await fetch(watch.page)).text();
    }
    expect(text).not.toMatch(/https?:\/\/(?!127)/);
    expect(text).toMatch(/k:[0-9a-f]{8}/);
    const [found = ''] = /\/evidence\/x\d+/.exec(text) ?? [];
    const evidence = await fetch(new URL(found, watch.page));
    expect(evidence.headers.get('content-type')).toContain('application/json');
    expect(JSON.stringify(await evidence.json())).toContain('summary-history');
    expect((await fetch(`${watch.page}evidence/x999`)).status).toBe(404);
    await watch.stop();
  });
});

describe('watch, as a function', () => {
  it('does the same as the command', async () => {
    const { baseUrl, reference } = await served(['etf-summary-oldest-first']);
    const program = `
      import { watch } from ${JSON.stringify(new URL('../../dist/src/index.js', import.meta.url).href)};
      const found = [];
      const watching = await watch({ baseUrl: ${JSON.stringify(baseUrl)}, listen: '127.0.0.1:0', output: 'program',
        onEvent: (event) => { if (event.type === 'finding') found.push(event.finding.requirement); } });
      await (await fetch(watching.listen + '/v1/etfs/summary-history?symbol=BTC&country_code=US', { headers: { 'X-API-KEY': process.env.KEY } })).text();
      const { verdict } = await watching.stop();
      console.log(JSON.stringify({ verdict, found }));`;
    const { execFile } = await import('node:child_process');
    const { promisify } = await import('node:util');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', program],
      { cwd: scratch, env: { ...process.env, KEY: reference.keys.valid[0] } },
    );
    const told = JSON.parse(stdout) as { verdict: string; found: string[] };
    expect(told.verdict).toBe('violates');
    expect(told.found).toContain('4.3/order');
  });
});
