import { describe, expect, it } from 'vitest';
import { listFaults } from '#src/reference/catalog.ts';
import type { ReferenceAnswer } from '#src/reference/reference.ts';
import { beyondProcess, beyondReplay } from './catalogue.ts';

const answer = (changes: Partial<ReferenceAnswer> = {}): ReferenceAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json', 'content-length': '2' },
  body: '[]',
  delayMs: 0,
  ...changes,
});
const withHeader = (name: string, value: string): ReferenceAnswer =>
  answer({ headers: { ...answer().headers, [name]: value } });

describe('a fault that needs a run', () => {
  it('is one that changes how requests are counted', () => {
    expect(beyondReplay({ hooks: { admission: (admission) => admission } })).toContain('admission');
    expect(beyondReplay({ hooks: [{}, { quota: (quota) => quota }] })).toContain('quota');
    expect(beyondReplay({ settings: { counted: 'successes' } })).toContain('counted');
    expect(beyondReplay({ hooks: { answer: (value) => value } })).toBeNull();
    expect(beyondReplay({})).toBeNull();
  });

  it('is among those made by hand every one of the limiter', () => {
    const byName = (name: string): string | null | undefined => {
      const fault = listFaults().find(({ id }) => id === name);
      return fault && beyondReplay(fault);
    };
    for (const id of ['limit-off', 'limit-shared', 'quota-off', 'remaining-stuck'])
      expect(byName(id), id).toEqual(expect.any(String));
  });
});

describe('an answer that no process can stand in for', () => {
  it('is none that is only wrong', () => {
    expect(beyondProcess(answer())).toBeNull();
    expect(beyondProcess(answer({ status: 500, body: '<p>', headers: {} }))).toBeNull();
  });

  it.each([
    ['late', answer({ delayMs: 1 })],
    ['of a connection that ends', withHeader('connection', 'close')],
    ['packed', withHeader('content-encoding', 'gzip')],
    ['in parts', withHeader('transfer-encoding', 'chunked')],
    ['cut', withHeader('content-length', '200')],
    ['without a body on a connection', answer({ status: 204 })],
    ['not the last one', answer({ status: 103 })],
    ['with a header of two lines', withHeader('x-note', 'a\r\nb')],
    ['with white space that HTTP takes off', withHeader('x-note', ' a')],
  ])('is one that is %s', (_, given) => {
    expect(beyondProcess(given)).toEqual(expect.any(String));
  });
});
