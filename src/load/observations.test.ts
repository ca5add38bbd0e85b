import { describe, expect, it } from 'vitest';
import { admitted, summaryOf } from '../../test/load/rows.ts';
import { linesOf, parseSummary, readRows } from './observations.ts';

const line = JSON.stringify(admitted(400, 19));

describe('readRows', () => {
  it('reads rows in the order sent', async () => {
    const later = JSON.stringify(admitted(500, 18));
    const rows = await readRows([later, line, ''], 'run');
    expect(rows.map(({ remaining }) => remaining)).toEqual(['19', '18']);
  });

  it.each([
    ['half a line', line.slice(0, 40), 'Line 1 of the observations is not JSON'],
    ['another log line', '"hello"', 'is not an observation'],
    ['a row of another run', line.replace('"run":"run"', '"run":"old"'), 'is from a different run'],
  ])('refuses %s', async (_, text, message) => {
    await expect(readRows([text], 'run')).rejects.toThrow(message);
  });
});

describe('linesOf', () => {
  it('fails while reading a missing file', async () => {
    await expect(readRows(linesOf('/nowhere/rows.ndjson'), 'run')).rejects.toThrow('ENOENT');
  });
});

describe('parseSummary', () => {
  const summary = summaryOf([admitted(400, 19)]);

  it('reads the summary of this run', () => {
    expect(parseSummary(JSON.stringify(summary), 'run')).toEqual(summary);
  });

  it('rejects one that is stale or invalid', () => {
    const text = JSON.stringify(summary);
    expect(() => parseSummary(text, 'other')).toThrow('from a different run');
    expect(() => parseSummary('{}', 'run')).toThrow('is not in the format');
    expect(() => parseSummary('', 'run')).toThrow('not JSON');
  });
});
