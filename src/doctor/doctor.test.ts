import { expect, it } from 'vitest';
import { makeExchange } from '../../test/report/fixture.ts';
import { validKeyCheck } from './doctor.ts';

it.each([
  [401, 400101, /^Check the key, and /],
  [403, 400101, /^Check the key, and /],
  [403, 400102, /^Get a new key: /],
  [403, 400301, /^Use a key that is allowed /],
  [403, 'E1', /^Use a key that is allowed /],
])('a key that is refused with %i and %s gets advice by the code', (status, code, advice) => {
  const body = JSON.stringify({ code, message: 'refused', details: {} });
  const refused = makeExchange(1, { endpoint: '/etfs', path: '/etfs', status, body });
  expect(validKeyCheck('key 1', refused, 'X-API-KEY')).toMatchObject({
    fix: expect.stringMatching(advice),
  });
});
