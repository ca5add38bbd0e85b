import { expect, it } from 'vitest';
import type { Value } from '../../src/contract/resources/value.ts';

it('a field that is stated once has a requirement, a place in the schemas, an example and faults', async () => {
  const { CURRENCIES } = await import('../../src/contract/resources/currencies.ts');
  const { decimal } = await import('../../src/contract/resources/value.ts');
  const fields: Record<string, Value> = CURRENCIES['currency-snapshot'].fields;
  fields['beta'] = decimal('How it moves with the market.', '1.25');
  // Loaded now, so that all of them see the further field.
  const { resourceSchemas } = await import('../../src/openapi/resource-schemas.ts');
  const { REQUIREMENTS } = await import('../../src/requirements/catalogue.ts');
  const { listFaults, listOperatorFaults } = await import('../../src/reference/catalog.ts');
  const { fieldRequirement } = await import('../../src/rules/schemas.ts');

  const id = '2.2/beta';
  expect(REQUIREMENTS.find((one) => one.id === id)).toMatchObject({
    title: '`beta` of the currency snapshot is a decimal (JSON number or decimal string)',
    clauses: ['2.2 beta'],
    endpoints: ['/currencies/{currency_id}/market-snapshot'],
  });
  expect(resourceSchemas()['currency-snapshot']).toMatchObject({
    required: expect.arrayContaining(['beta']) as unknown,
    properties: { beta: { $ref: 'types.json#/$defs/bigDecimal' } },
    examples: [{ beta: '1.25' }],
  });
  expect(listFaults().filter(({ kills }) => kills.some((killed) => killed === id))).toHaveLength(1);
  const made = listOperatorFaults().map((fault) => fault.id);
  for (const operator of ['missing', 'null', 'retyped']) {
    expect(made).toContain(`op/${operator}/currencies-market-snapshot.beta`);
  }
  expect(fieldRequirement('currency-snapshot', '/beta')).toBe(id);
});
