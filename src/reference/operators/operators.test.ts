import { describe, expect, it } from 'vitest';
import { ENDPOINT_PATHS, endpoint } from '../../spec/endpoints.ts';
import { VALUES } from '../../spec/resources.ts';
import { slugOf } from './operator.ts';
import { OPERATORS } from './descriptions.ts';
import { INVISIBLE, invisibleBecause } from './invisible.ts';
import { generated, operatorFaults } from './operators.ts';

describe('operators', () => {
  it('give each fault an id of its own, which begins with the operator', () => {
    const faults = operatorFaults();
    const ids = faults.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(faults.filter(({ id, operator }) => !id.startsWith(`op/${operator}/`))).toEqual([]);
  });

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

  it('come to every value of §2', () => {
    const ids = new Set(generated().map(({ id }) => id));
    const missed = ENDPOINT_PATHS.flatMap((path) => {
      const { resource } = endpoint(path).response;
      const places = resource === undefined ? [] : VALUES[resource].map((value) => value.path);
      return places
        .map((place) => place.slice(1).replaceAll('/*', '').replaceAll('/', '.'))
        .map((field) => `op/missing/${slugOf(path)}.${field}`)
        .filter((id) => !ids.has(id as `op/${string}`));
    });
    expect(missed).toEqual([]);
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
