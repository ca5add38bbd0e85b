// Whoever changes a schema file has changed what is judged, the OpenAPI document and the faults. The schemas are changed
// before anything that reads them is loaded.
import { describe, expect, it } from 'vitest';
import { RESOURCE_SCHEMAS } from '../../schemas/index.ts';

const snapshot = RESOURCE_SCHEMAS['currency-snapshot'] as unknown as {
  required: string[];
  properties: Record<string, object>;
  examples: Record<string, unknown>[];
};
snapshot.required.push('beta');
snapshot.properties['beta'] = {
  $ref: 'types.json#/$defs/bigDecimal',
  description: 'How it moves with the market.',
};
for (const example of snapshot.examples) example['beta'] = '1.25';
snapshot.properties['marketcap_rank'] = { type: 'string', description: 'Rank by market cap.' };

const stock = RESOURCE_SCHEMAS['stock-snapshot'] as unknown as {
  properties: { mkt_status: { enum: string[] } };
};
stock.properties.mkt_status.enum = ['open', 'halted'];

const { openApiDocument } = await import('../../src/openapi/document.ts');
const { REQUIREMENTS } = await import('../../src/requirements/catalogue.ts');
const { listFaults, listOperatorFaults } = await import('../../src/reference/catalog.ts');
const { fieldRequirement, validate } = await import('../../src/judge/schema/schemas.ts');

const titleOf = (id: string): string | undefined =>
  REQUIREMENTS.find((one) => one.id === id)?.title;
const operators = new Set(listOperatorFaults().map(({ id }) => id));
const { components } = openApiDocument() as unknown as {
  components: { schemas: Record<string, { properties: Record<string, unknown> }> };
};

describe('a field that is added', () => {
  it('has a requirement', () => {
    expect(REQUIREMENTS.find((one) => one.id === '2.2/beta')).toMatchObject({
      title: '`beta` of the currency snapshot is a decimal (JSON number or decimal string)',
      clauses: ['2.2 beta'],
      endpoints: ['/currencies/{currency_id}/market-snapshot'],
    });
    expect(fieldRequirement('currency-snapshot', '/beta')).toBe('2.2/beta');
  });

  it('stands in the OpenAPI document', () => {
    expect(components.schemas['CurrencySnapshot']).toMatchObject({
      required: expect.arrayContaining(['beta']) as unknown,
      properties: { beta: { $ref: '#/components/schemas/BigDecimal' } },
      examples: [{ beta: '1.25' }],
    });
  });

  it('has faults', () => {
    const killed = listFaults().filter(({ kills }) => kills.some((id) => id === '2.2/beta'));
    expect(killed).toHaveLength(1);
    for (const operator of ['missing', 'null', 'retyped'])
      expect(operators).toContain(`op/${operator}/currencies-market-snapshot.beta`);
  });
});

describe('a type that is changed', () => {
  it('is what is judged, documented and broken', () => {
    expect(titleOf('2.2/marketcap-rank')).toBe(
      '`marketcap_rank` of the currency snapshot is a string',
    );
    const problems = validate('currency-snapshot', snapshot.examples[0]);
    expect(problems).toMatchObject([{ pointer: '/marketcap_rank', expected: 'a string' }]);
    expect(components.schemas['CurrencySnapshot']?.properties['marketcap_rank']).toMatchObject({
      type: 'string',
    });
    // A number may be null where there is none (ruling 3), a text may not.
    expect(
      listOperatorFaults().find(
        ({ id }) => id === 'op/null/currencies-market-snapshot.marketcap_rank',
      ),
    ).not.toHaveProperty('level', 'should');
  });
});

describe('an enum that is changed', () => {
  it('is what is judged, documented and broken', () => {
    const closed = {
      ...(RESOURCE_SCHEMAS['stock-snapshot'].examples?.[0] as object),
      mkt_status: 'close',
    };
    expect(validate('stock-snapshot', closed)).toMatchObject([
      { pointer: '/mkt_status', expected: 'one of "open", "halted"' },
    ]);
    expect(validate('stock-snapshot', { ...closed, mkt_status: 'halted' })).toEqual([]);
    expect(components.schemas['StockSnapshot']?.properties['mkt_status']).toMatchObject({
      enum: ['open', 'halted'],
    });
    expect(operators).toContain('op/retyped/crypto-stocks-market-snapshot.mkt_status');
  });
});
