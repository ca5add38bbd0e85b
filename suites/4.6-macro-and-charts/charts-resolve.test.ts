import { describe, expect, it } from 'vitest';
import { findings, judge } from '../../test/judge/exchanges.ts';
import { chart, chartData, charts, judgedIds } from '../../test/judge/resource-exchanges.ts';

describe('listed charts', () => {
  const list = charts(chart('a'), chart('b'));
  it.each([
    ['404', chartData('b', { code: 400401, message: 'Chart not found', details: {} }, 404), '-'],
    ['null', chartData('b', null), ''],
  ] as const)('must have data: %s', (_title, exchange, pointer) => {
    const found = findings(judge([list, exchange])).filter((id) => id.startsWith('4.6/'));
    expect(found).toEqual([`4.6/charts-resolve ${pointer}`]);
  });

  it('may have no data today', () => {
    expect(findings(judge([list, chartData('b', [])]))).toEqual([]);
    expect(judgedIds([list, chartData('b', [])])).toContain('4.6/charts-resolve');
  });

  it('may require a parameter, and unlisted ones are not judged', () => {
    const refused = chartData(
      'b',
      { code: 400002, message: 'Invalid parameter: x', details: {} },
      400,
    );
    expect(judgedIds([list, refused, chartData('c', null)])).not.toContain('4.6/charts-resolve');
  });
});
