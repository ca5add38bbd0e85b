import { describe, expect, it } from 'vitest';
import { ENDPOINT_PATHS, endpoint } from '../../contract/endpoints.ts';
import { FIELDS, RESOURCE_NAMES } from '../../contract/resources.ts';
import { OPERATORS } from './descriptions.ts';
import { INVISIBLE, invisibleBecause } from './invisible.ts';
import { generated, operatorFaults } from './operators.ts';
import { SHAPES } from './shapes.ts';

describe('operators', () => {
  it('are all described, and nothing else is', () => {
    const made = new Set(generated().map(({ operator }) => operator));
    expect(new Set(Object.keys(OPERATORS))).toEqual(made);
  });

  it('come to every endpoint', () => {
    const reached = new Set(operatorFaults().map((fault) => fault.endpoint));
    expect(ENDPOINT_PATHS.filter((path) => !reached.has(path))).toEqual([]);
  });

  it('come to every stated query parameter, but for those that cannot be seen', () => {
    const ids = operatorFaults().map(({ id }) => id);
    const missing = ENDPOINT_PATHS.flatMap((path) =>
      Object.keys(endpoint(path).query).filter(
        (name) => !ids.some((id) => id.includes(`.${name}`)),
      ),
    );
    expect(missing).toEqual([]);
  });

  it('know every field of §2', () => {
    const unknown = RESOURCE_NAMES.flatMap((resource) =>
      FIELDS[resource]
        .map(({ place }) => place)
        .filter((place) => !Object.keys(SHAPES[resource]).some((own) => own.startsWith(place)))
        .map((place) => `${resource}${place}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe('what cannot be seen', () => {
  it('is made by an operator, if ids are named', () => {
    const ids = generated().map(({ id }) => id);
    const stale = INVISIBLE.flatMap((entry) => entry.ids).filter(
      (own) => !ids.some((id) => id === own || id.startsWith(`${own}/`)),
    );
    expect(stale).toEqual([]);
  });

  it('is left out with its reason', () => {
    const id = 'op/ignored/currencies-pairs.order_by';
    expect(invisibleBecause(id)).toContain('not stated');
    expect(operatorFaults().map((fault) => fault.id)).not.toContain(id);
    expect(invisibleBecause('op/ignored/currencies-pairs.page')).toBeUndefined();
  });
});
