import { describe, expect, it } from 'vitest';
import { endpoint } from './endpoints.ts';
import { isEnveloped, saysHowItWent } from './envelope.ts';

const STATED = endpoint('/currencies/{currency_id}');
const UNSTATED = endpoint('/currencies');

describe('isEnveloped', () => {
  it.each([
    [{ data: [] }],
    [{ code: 0, message: 'success', data: {} }],
    [{ success: true, data: null, request_id: 'r-1' }],
  ])('sees an envelope in %j', (body) => {
    expect(isEnveloped(body, STATED)).toBe(true);
  });

  it.each([[[]], [{ code: 1, message: 'no' }], [{ data: [], next: 2 }], [null], ['data']])(
    'sees none in %j',
    (body) => {
      expect(isEnveloped(body, STATED)).toBe(false);
    },
  );

  it('treats a lone data member as the body when the specification states no shape', () => {
    expect(isEnveloped({ data: [] }, UNSTATED)).toBe(false);
    expect(isEnveloped({ code: 0, data: [] }, UNSTATED)).toBe(true);
  });
});

describe('saysHowItWent', () => {
  it('needs more than data', () => {
    expect(saysHowItWent({ data: [] })).toBe(false);
    expect(saysHowItWent({ code: 0, data: [] })).toBe(true);
    expect(saysHowItWent({ success: true, data: [] })).toBe(true);
  });
});
