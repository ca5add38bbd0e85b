import { describe, expect, it } from 'vitest';
import { variablesByPrint, variablesOf } from './key-variables.ts';

describe('variablesOf', () => {
  it('names the variable that holds a key, and omits roles without one', () => {
    const env = { K1: 'key-of-one', OTHER: 'x', 'not a name': 'key-of-two', GONE: undefined };
    const keys = { valid: ['key-of-two', 'key-of-one'], expired: 'key-that-ended' };
    expect(variablesOf(keys, env)).toEqual({ valid: [null, 'K1'] });
  });

  it('takes the first of several variables, whatever their order', () => {
    const keys = { valid: [], restricted: { key: 'key-of-one', forbidden: [] } };
    for (const env of [
      { B: 'key-of-one', A: 'key-of-one' },
      { A: 'key-of-one', B: 'key-of-one' },
    ]) {
      expect(variablesOf(keys, env)).toEqual({ restricted: ['A'] });
    }
  });
});

describe('variablesByPrint', () => {
  it('contains no key', () => {
    const prints = { valid: ['k:1', 'k:2'], expired: ['k:3'] };
    expect(variablesByPrint(prints, { valid: [null, 'K1'] })).toEqual({ 'k:2': 'K1' });
  });

  it('names the variable of the first valid key for its variations', () => {
    const prints = { valid: ['k:1', 'k:2'], unknown: ['k:3', 'k:4'] };
    const variables = { valid: ['K1', null] };
    expect(variablesByPrint(prints, variables)).toEqual({ 'k:1': 'K1', 'k:4': 'K1' });
  });
});
