import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { outlineOf } from '../../src/report/analysis/outline.ts';
import { roleMatrix } from '../../src/report/analysis/role-matrix.ts';
import { rerunCommand } from '../../src/report/analysis/rerun.ts';
import type { NamedFile, Results } from '../../src/report/model/results.ts';
import { resolveTarget } from '../../src/target/file/resolve-target.ts';
import { UNJUDGED } from '../../src/watch/raw-exchange.ts';
import { watchJudge } from '../../src/watch/watch-judge.ts';
import { scratch } from '../cli/assay.ts';

const LISTED = 'listed-key-0123456789ab';
const OTHER = 'other-key-77d2e0b3c4a1';
/** Long before the watch. */
const EARLIER = Date.UTC(2024, 4, 10, 12);

/** Results of a watch of these answers, whose target file lists one key. */
function watched(named: NamedFile, answers: readonly { key: string; status: number }[]): Results {
  const file = { baseUrl: 'http://service.example/v1', keys: { valid: [LISTED] } };
  const target = resolveTarget({ env: {}, file });
  const output = mkdtempSync(path.join(scratch, 'words '));
  const settings = { only: [], skip: [], failOn: ['must'] } as const;
  const judge = watchJudge({ target, named, settings, output }, () => undefined);
  for (const [index, { key, status }] of answers.entries()) {
    const sentAt = EARLIER + index * 1000;
    const exchange = {
      number: index + 1,
      method: 'GET',
      path: '/v1/etfs',
      requestHeaders: [['X-API-KEY', key]] as const,
      status,
      responseHeaders: [['Content-Type', 'application/json']] as const,
      body: Buffer.from('{}'),
      sentAt,
      receivedAt: sentAt + 20,
      client: '127.0.0.1',
    };
    judge.take(exchange, sentAt);
  }
  judge.miss(UNJUDGED.unreachable, 3);
  judge.finish();
  return judge.results();
}

describe('what a watch says', () => {
  it('of a key that the target file lists is not inferred', () => {
    const answers = [LISTED, OTHER].map((key) => ({ key, status: 200 }));
    const notes = watched({ file: 't.yaml' }, answers).notes.join(' ');
    expect(notes).toMatch(/: valid \(from the target file\).*: valid \(inferred\)/);
  });

  it('of keys that were only refused is that they are unknown, without a verdict', () => {
    const answers = [200, 401, 401].map((status, index) => ({
      key: [LISTED, OTHER, 'bogus'][index] ?? '',
      status,
    }));
    const results = watched({}, answers);
    expect(results.requests.byRole).toEqual({ valid: 1, unknown: 2 });
    const { rows } = roleMatrix(results);
    const cells = rows.flatMap((row) => row.cells).filter(({ seen }) => seen.length > 0);
    expect(cells.map(({ role, outcome }) => [role, outcome])).toEqual([
      ['valid', 'passed'],
      ['unknown', 'untested'],
    ]);
  });

  it('of requests that did not get through is not that they were forwarded', () => {
    const { notes } = watched({}, [{ key: LISTED, status: 200 }]);
    expect(notes[0]).toContain('1 of 4 requests were judged');
  });

  it('of its time is that of the watch', () => {
    const before = Date.now();
    const { startedAt, endedAt } = watched({}, [{ key: LISTED, status: 200 }]);
    expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(endedAt)).toBeGreaterThanOrEqual(Date.parse(startedAt));
    expect(Date.parse(endedAt)).toBeLessThanOrEqual(Date.now());
  });

  it('of reruns names the target file, and none where there was none', () => {
    const forbidden = [{ key: OTHER, status: 403 }];
    const commandOf = (results: Results): string =>
      rerunCommand(results, { id: '5/restricted-elsewhere' });
    expect(commandOf(watched({ file: 't.yaml' }, forbidden))).toContain('--target t.yaml');
    const without = watched({}, forbidden);
    expect(without.target.keys.restricted).toHaveLength(1);
    expect(commandOf(without)).toContain('--base-url http://service.example/v1');
    expect(JSON.stringify(outlineOf(without, false))).not.toContain('Replace FILE');
  });
});
