import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Results } from '../../src/report/model/results.ts';
import { SecretsGate } from '../../src/fs/secrets-gate.ts';
import { createReference, manualClock } from '../../src/reference/reference.ts';
import { assay, scratch, start } from '../cli/assay.ts';
import { WORLD } from '../kept/data.ts';

const KEY = 'canary-key-of-a-log-71b2';
const BASE = 'https://api.example/v1';

/** A line of a log, as an entry of a HAR file. */
function line(reference: ReturnType<typeof createReference>, at: number, asked: string): string {
  const answer = reference.handle({
    method: 'GET',
    path: `/v1${asked}`,
    headers: { 'x-api-key': reference.keys.valid[0] ?? '' },
  });
  return `${JSON.stringify({
    startedDateTime: new Date(at).toISOString(),
    time: 12,
    request: {
      method: 'GET',
      url: BASE + asked,
      headers: [
        { name: 'Host', value: 'api.example' },
        { name: 'X-API-KEY', value: KEY },
      ],
      queryString: [],
    },
    response: {
      status: answer.status,
      headers: Object.entries(answer.headers).map(([name, value]) => ({ name, value })),
      content: { size: Buffer.byteLength(answer.body), text: answer.body },
    },
  })}\n`;
}

describe('assay check -', () => {
  it('judges lines as they arrive, prints findings at once, and writes reports when stopped', async () => {
    const now = Date.UTC(2026, 2, 11, 9, 30);
    const clock = manualClock(now);
    const reference = createReference({
      clock,
      world: WORLD,
      faults: ['etf-summary-oldest-first'],
    });
    const output = path.join(scratch, 'followed');
    const running = start(['check', '-', '-u', BASE, '--events', '-', '-o', output]);
    const summary = '/etfs/summary-history?symbol=BTC&country_code=US';
    running.child.stdin?.write(line(reference, now, '/etfs'));
    running.child.stdin?.write('no JSON\n\n');
    running.child.stdin?.write(line(reference, now + 1000, summary));
    // Nothing has ended yet.
    await running.until('"requirement":"4.3/order"');
    running.child.stdin?.write(line(reference, now + 2000, '/analyses').slice(0, 40));
    running.child.kill('SIGINT');
    const { code, text } = await running.ended;
    expect(code).toBe(1);
    const results = JSON.parse(readFileSync(path.join(output, 'results.json'), 'utf8')) as Results;
    expect(results.requests.total).toBe(2);
    expect(results.notes.join(' ')).toContain('the line is not JSON');
    const gate = new SecretsGate([{ name: 'key', value: KEY }]);
    expect(gate.scan(text + JSON.stringify(results))).toBeNull();
    expect(text).toContain('"type":"verdict"');
  });

  it('ends with its input, and says what it needs', async () => {
    const clock = manualClock(Date.UTC(2026, 2, 11, 9, 30));
    const reference = createReference({ clock, world: WORLD });
    const running = start(['check', '-', '-u', BASE, '-o', path.join(scratch, 'piped')]);
    running.child.stdin?.end(line(reference, clock.now(), '/etfs'));
    const { code, stdout } = await running.ended;
    expect(stdout).toContain('1 of 1 lines');
    expect(code).toBe(0);
    const unnamed = await assay(['check', '-']);
    expect(unnamed.code).toBe(2);
    expect(unnamed.stderr).toContain('--base-url');
    const beside = await assay(['check', '-', 'a.har', '-u', BASE]);
    expect(beside.stderr).toContain('cannot be combined with files');
    const empty = start(['check', '-', '-u', BASE, '-o', path.join(scratch, 'empty')]);
    empty.child.stdin?.end('');
    const { stderr, code: nothing } = await empty.ended;
    expect([nothing, stderr]).toEqual([2, expect.stringContaining('was empty')]);
  });
});
