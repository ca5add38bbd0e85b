import { describe, expect, it } from 'vitest';
import { FIELDS, RESOURCE_NAMES } from '../../spec/resources.ts';
import { changed, sample, SAMPLES } from '../../../test/schemas/samples.ts';
import { schemaFile } from './schema-files.ts';
import { fieldRequirement, sentenceOf, validate, type SchemaProblem } from './schemas.ts';

const ROWS = RESOURCE_NAMES.flatMap((resource) =>
  FIELDS[resource].map((field) => ({
    resource,
    field,
    pointer: field.path.replaceAll('*', '0'),
  })),
);
const PLAIN = ROWS.filter(({ field }) => !field.path.includes('*'));

const price = (value: unknown): SchemaProblem[] =>
  validate('currency-snapshot', changed(SAMPLES['currency-snapshot'], '/price', value));
const day = (pointer: string, value: unknown): SchemaProblem[] =>
  validate('etf-summary-row', changed(SAMPLES['etf-summary-row'], pointer, value));
const candle = (pointer: string, value: unknown): SchemaProblem[] =>
  validate('kline', changed(SAMPLES.kline, pointer, value));

describe('records', () => {
  it.each(RESOURCE_NAMES)('accepts every example of %s', (resource) => {
    const examples = schemaFile(resource)['examples'];
    expect(examples).not.toEqual([]);
    for (const example of examples as unknown[]) {
      expect(validate(resource, example)).toEqual([]);
    }
  });

  it.each(RESOURCE_NAMES)('accepts unknown fields in %s', (resource) => {
    expect(validate(resource, { ...sample(resource), unknown_field: {} })).toEqual([]);
  });

  it.each(RESOURCE_NAMES)('rejects anything that is not a record of %s', (resource) => {
    for (const value of [null, [], 'text', 1, true]) {
      expect(validate(resource, value)).toMatchObject([
        { pointer: '', keyword: 'type', expected: 'an object' },
      ]);
    }
    expect(validate(resource, {})).toHaveLength(
      PLAIN.filter((row) => row.resource === resource).length,
    );
  });

  // No specified field is just a boolean.
  it.each(ROWS)('reports a wrong type: $resource $field.path', ({ resource, field, pointer }) => {
    const problems = validate(resource, changed(SAMPLES[resource], pointer, true));
    expect(problems).toHaveLength(1);
    expect(problems[0]?.pointer).toBe(pointer);
    expect(problems[0]?.actual).toBe('true (boolean)');
    expect(fieldRequirement(resource, problems[0]?.pointer ?? '')).toBe(field.id);
  });

  it.each(PLAIN)('reports a missing field: $resource $pointer', ({ resource, field, pointer }) => {
    const problems = validate(resource, changed(SAMPLES[resource], pointer, undefined));
    expect(problems, 'not listed in `required`').toMatchObject([
      { pointer, keyword: 'required', actual: 'missing' },
    ]);
    expect(fieldRequirement(resource, pointer)).toBe(field.id);
  });

  it.each(ROWS)('judges null: $resource $field.path', ({ resource, field, pointer }) => {
    const problems = validate(resource, changed(SAMPLES[resource], pointer, null));
    const wanted = field.value.nullable ? [] : [{ pointer, actual: 'null' }];
    expect(problems).toMatchObject(wanted);
  });
});

/** Pointers of all fields, nested ones included. Arrays are entered, but their elements are not listed. */
function pointers(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(Array.isArray(value) ? [] : [`${at}/${key}`]),
    ...pointers(inner, `${at}/${key}`),
  ]);
}

describe('nested fields', () => {
  // §2.6 does not show the fields of these elements.
  const unstated = /^\/(?:investors|team)\/\d+\//;
  const nested = RESOURCE_NAMES.flatMap((resource) =>
    pointers(SAMPLES[resource])
      .filter((pointer) => pointer.split('/').length > 2 && !unstated.test(pointer))
      .map((pointer) => ({ resource, pointer })),
  );

  it('are numerous', () => expect(nested.length).toBeGreaterThan(60));

  it.each(nested)('are required and typed: $resource $pointer', ({ resource, pointer }) => {
    expect(validate(resource, changed(SAMPLES[resource], pointer, undefined))).toMatchObject([
      { pointer, keyword: 'required' },
    ]);
    const wrong = validate(resource, changed(SAMPLES[resource], pointer, [[]]));
    expect(wrong).toHaveLength(1);
    expect(wrong[0]?.pointer.startsWith(pointer)).toBe(true);
    expect(fieldRequirement(resource, pointer)).toBeDefined();
  });

  it('may be anything where the specification shows none', () => {
    const record = { ...sample('fundraising'), investors: [{}], team: [{ any: 1 }] };
    expect(validate('fundraising', record)).toEqual([]);
  });
});

describe('types', () => {
  it.each([0, -1.5, '0', '-0.5', '+1', '1.', '.5', '1E+3', '0e-18', '007.10'])(
    'accepts %j as a decimal',
    (value) => expect(price(value)).toEqual([]),
  );

  it.each(['', ' 1', '1 ', '1,000', '$1', '1%', 'NaN', 'Infinity', '0x10', '1e', '.', '-', '1\n'])(
    'rejects %j as a decimal',
    (value) => {
      expect(price(value)).toMatchObject([
        {
          pointer: '/price',
          keyword: 'pattern',
          expected: 'a decimal (JSON number or decimal string)',
        },
      ]);
    },
  );

  it('writes a readable sentence', () => {
    expect(price('abc').map(sentenceOf)).toEqual([
      '`price` is "abc" (string); expected a decimal (JSON number or decimal string)',
    ]);
    expect(price(undefined).map(sentenceOf)).toEqual([
      '`price` is missing; expected a decimal (JSON number or decimal string)',
    ]);
  });

  it.each(['2024-02-29', '2025-12-31'])('accepts %j as a date', (value) =>
    expect(day('/date', value)).toEqual([]),
  );

  it.each([
    '2025-02-29',
    '2025-13-01',
    '2025-1-1',
    '20250101',
    '2025-01-01T00:00:00Z',
    '',
    1767225600000,
  ])('rejects %j as a date, once', (value) =>
    expect(day('/date', value)).toMatchObject([{ pointer: '/date' }]),
  );

  it.each([999_999_999_999, 100_000_000_000_000, 1_767_225_600, 1767225600000.5, '1767225600000'])(
    'rejects %j as milliseconds',
    (value) => expect(candle('/timestamp', value)).toMatchObject([{ pointer: '/timestamp' }]),
  );

  it('accepts the bounds of milliseconds', () => {
    expect(candle('/timestamp', 1_000_000_000_000)).toEqual([]);
    expect(candle('/timestamp', 99_999_999_999_999)).toEqual([]);
  });

  it.each(['67250.5', Number.POSITIVE_INFINITY])('rejects %j as a number', (value) => {
    expect(candle('/close', value)).toMatchObject([
      { pointer: '/close', expected: 'a JSON number' },
    ]);
  });

  it('allows strings only for volume in an ETF history row', () => {
    const etf = SAMPLES['etf-history-row'];
    expect(validate('etf-history-row', changed(etf, '/volume', 12))).toEqual([]);
    expect(validate('etf-history-row', changed(etf, '/volume', 'many'))).toHaveLength(1);
    expect(validate('etf-history-row', changed(etf, '/value_traded', '12'))).toHaveLength(1);
    expect(validate('etf-history-row', changed(etf, '/net_inflow', '12'))).toHaveLength(1);
  });

  it.each([
    ['currency-info', '/first_issue_time', ''],
    ['currency-info', '/significant_events/0/time', ''],
    ['currency-info', '/community/social_forum', null],
    ['currency-info', '/explorers/0', 1],
    ['token-economics', '/token_allocation/0/percentage', '60'],
    ['token-economics', '/unlock_timeline/0/vestings/0/amount', '1'],
    ['fundraising', '/fundraising_rounds/0/investors/0/is_lead_investor', 1],
    ['fundraising', '/investment_stats/last_invest_date', ''],
    ['fundraising', '/investment_stats/total_rounds', 1.5],
    ['fundraising', '/portfolio/0/regions/0', null],
    ['fundraising', '/investors/0', 'name'],
    ['news-item', '/category', 5],
    ['news-item', '/category', '1'],
    ['news-item', '/is_blue_verified', 2],
    ['news-item', '/media_info/0/type', 'audio'],
    ['news-item', '/quote_info/created_at', 1_767_222_000],
    ['news-item', '/quote_info/like_count', '3'],
    ['featured-news-item', '/matched_currencies/0/id', 1],
    ['stock-snapshot', '/mkt_status', 'closed'],
    ['chart', '/fields/0/type', null],
  ] as const)('rejects %s%s = %j with one problem at that pointer', (resource, pointer, value) => {
    const problems = validate(resource, changed(SAMPLES[resource], pointer, value));
    expect(problems.map((one) => one.pointer)).toEqual([pointer]);
  });

  it.each([
    ['fundraising', '/investment_stats/last_invest_date', '2025-01-01'],
    ['fundraising', '/investment_stats/last_invest_date', 1_735_689_600_000],
    ['fundraising', '/fundraising_rounds/0/valuation', null],
    ['currency-snapshot', '/down_from_ath', ''],
    ['currency-snapshot', '/max_supply', null],
    ['news-item', '/matched_currencies', []],
    ['news-item', '/is_blue_verified', null],
    ['token-economics', '/unlock_timeline', null],
  ] as const)('accepts %s%s = %j', (resource, pointer, value) => {
    expect(validate(resource, changed(SAMPLES[resource], pointer, value))).toEqual([]);
  });
});
