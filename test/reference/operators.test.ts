import { describe, expect, it } from 'vitest';
import { listOperatorFaults } from '../../src/reference/catalog.ts';
import { changesAnswer } from './operator-probes.ts';

const faults = listOperatorFaults();

describe('faults made by operators', () => {
  it('have ids of their own that begin with their operator', () => {
    const ids = faults.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(faults.filter(({ id, operator }) => !id.startsWith(`op/${operator}/`))).toEqual([]);
  });

  it.each([...new Set(faults.map(({ operator }) => operator))])(
    'change an answer, each by %s',
    (operator) => {
      const own = faults.filter((fault) => fault.operator === operator);
      const silent = own.filter(({ id, endpoint }) => !changesAnswer(id, endpoint));
      expect(silent.map(({ id }) => id)).toEqual([]);
    },
  );
});
