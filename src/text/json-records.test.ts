import { describe, expect, it } from 'vitest';
import { jsonRecords } from './json-records.ts';

const record = (id: number): object => ({ id, title: 'a record', red: ['2.1/name'], none: null });
const many = Array.from({ length: 40 }, (_, id) => record(id));

describe('jsonRecords', () => {
  it('keeps short values on one line', () => {
    expect(jsonRecords({ holds: true, rows: [1, 2] })).toBe('{"holds":true,"rows":[1,2]}\n');
  });

  it('puts each record of a long list on a separate line', () => {
    const lines = jsonRecords({ date: '2026-11-21', many }).split('\n');
    expect(lines.slice(0, 4)).toEqual([
      '{',
      '  "date": "2026-11-21",',
      '  "many": [',
      `    ${JSON.stringify(record(0))},`,
    ]);
    expect(lines).toHaveLength(many.length + 6);
  });

  it('holds the same content as JSON.stringify', () => {
    const value = {
      many,
      named: Object.fromEntries(many.map((one, index) => [`"${index}"`, one])),
      left: undefined,
      gaps: [undefined, ...many],
      empty: { list: [], object: {} },
    };
    expect(JSON.parse(jsonRecords(value))).toEqual(JSON.parse(JSON.stringify(value)));
  });
});
