import { expect, it } from 'vitest';
import { listOperatorFaults } from '../../src/reference/catalog.ts';
import { changesAnswer } from './operator-probes.ts';

const faults = listOperatorFaults();

it.each([...new Set(faults.map(({ operator }) => operator))])(
  'faults made by the operator %s change an answer, each of them',
  (operator) => {
    const own = faults.filter((fault) => fault.operator === operator);
    const silent = own.filter(({ id, endpoint }) => !changesAnswer(id, endpoint));
    expect(silent.map(({ id }) => id)).toEqual([]);
  },
);
