import { must, observe, should, type RequirementFacts } from './types.ts';

const currency = ['currencyIds'] as const;

/** Requirements of §1, §4 in general, §5 and §7. */
export const GENERAL_REQUIREMENTS = {
  '4/json-body': must('Every answer of an endpoint is valid JSON', [
    '1 JSON over HTTP',
    '4 JSON and key',
  ]),
  '4/content-type': should('The content type of every answer says JSON', ['1 JSON over HTTP']),
  '4/bare-body': must(
    'Bodies are the bare object or array, not wrapped in an envelope',
    ['4 response shapes'],
    { rulings: [21] },
  ),
  '4/no-5xx': must(
    'No well-formed GET is answered with a 5xx status',
    ['4 response shapes', '7 500001'],
    { rulings: [20] },
  ),
  '4/other-methods': observe(
    'Answer to methods other than GET',
    ['1 JSON over HTTP', '4 JSON and key'],
    { rulings: [20] },
  ),
  '5/key-required': must(
    'Every endpoint refuses a request without a key with 401',
    ['5 1', '4 JSON and key'],
    { rulings: [7] },
  ),
  '5/missing-key-code': observe('Code of the refusal of a request without a key', ['5 3', '5 4'], {
    rulings: [7],
  }),
  '5/unknown-key': must(
    'Every endpoint refuses an unknown key with 401 and code 400101',
    ['5 3', '7 400101'],
    { rulings: [6] },
  ),
  '5/disabled-key': must(
    'A disabled key is refused with 401 and code 400101',
    ['5 3', '7 400101'],
    { rulings: [6], needs: ['disabled-key'] },
  ),
  '5/expired-key': must('An expired key is refused with 401 and code 400102', ['5 3', '7 400102'], {
    rulings: [6],
    needs: ['expired-key'],
  }),
  '5/forbidden': must(
    'A key without access to the endpoint is refused with 403 and code 400301',
    ['5 3', '7 400301'],
    { rulings: [6], needs: ['restricted-key'] },
  ),
  '5/restricted-elsewhere': should(
    'A restricted key works on the endpoints that it may call',
    ['5 3', '7 400301'],
    { needs: ['restricted-key'] },
  ),
  '5/details-header': must(
    'An authentication error names the key header in details.header',
    ['5 2', '7 error body'],
    { rulings: [10] },
  ),
  '5/details-solution': should('An authentication error has details.solution', ['7 error body'], {
    rulings: [10],
  }),
  '5/header-case': should('The name of the key header works in any letter case, as HTTP says', [
    '5 2',
  ]),
  '7/error-shape': must(
    'Every error body has code (number), message (string) and details (object)',
    ['7 error body', '7 500001', '7 500301'],
  ),
  '7/status-agrees': must('The status of an error is the one that the table gives for its code', [
    '7 400001',
    '7 400002',
    '7 400003',
    '7 400101',
    '7 400102',
    '7 400301',
    '7 400401',
    '7 400402',
    '7 402901',
    '7 500001',
    '7 500301',
  ]),
  '7/code-listed': should('Error codes are those of the table, in either form', ['7 note 1'], {
    rulings: [6],
  }),
  '7/code-form': observe('Six-digit or five-digit error codes', ['7 note 1'], {
    basis: 'contradictory',
    rulings: [6],
  }),
  '7/malformed-currency-id': must(
    'A malformed currency_id is refused with 400 and code 400001',
    ['7 400001'],
    { rulings: [6], needs: currency },
  ),
  '7/currency-not-found': must(
    'An unknown currency_id is answered with 404 and code 400401',
    ['7 400401'],
    { rulings: [6], needs: currency },
  ),
  '7/currency-not-found-message': must(
    'The message for an unknown currency is Currency not found',
    ['7 note 2'],
    { rulings: [10] },
  ),
  '7/unknown-path': must('A wrong path is answered with 404 and code 400402', ['7 400402'], {
    rulings: [6],
  }),
  '7/validation-message': must(
    'The message of a validation failure begins with Invalid parameter: and the name; that of a missing parameter names it',
    ['7 note 2'],
    { rulings: [10] },
  ),
  '7/validation-details': should(
    'The details of a validation failure name the field',
    ['7 error body'],
    { rulings: [10] },
  ),
  '7/details-value': should(
    'details.value of a validation failure, where present, is the value that was sent',
    ['7 error body'],
    { rulings: [10] },
  ),
  '7/details-keys': should(
    'The details of errors hold value, issue, constraint and suggestion where they say something',
    ['7 error body'],
    { rulings: [10] },
  ),
  '7/not-found-details': should(
    'The details of a resource that is not found hold the identifier',
    ['7 error body'],
    { rulings: [10], needs: currency },
  ),
  '7/unknown-resource': should(
    'An unknown ticker, event, chart or project is answered with 404 and code 400401',
    ['7 400401', '4.4 ticker'],
    { rulings: [11] },
  ),
  '7/unknown-resource-no-record': must(
    'An unknown ticker, event, chart or project gets neither a record nor a 5xx',
    ['7 400401', '4.4 ticker'],
    { rulings: [11] },
  ),
  '7/several-errors': observe('Which error wins when several apply', ['7 error body'], {
    rulings: [8],
  }),
} as const satisfies Record<string, RequirementFacts>;

/** Requirements of §8. */
export const LIMIT_REQUIREMENTS = {
  '8/limit-enforced': must(
    'A request beyond the limit of the window is refused with 429',
    ['8 request frequency', '1 rate limited per key', '7 402901'],
    { rulings: [13], needs: ['window'] },
  ),
  '8/limit-not-early': must(
    'Every request within the limit of the window is admitted',
    ['8 request frequency'],
    { rulings: [13], needs: ['window'] },
  ),
  '8/per-key': must(
    'The requests of one key do not count against another key',
    ['8 request frequency', '5 1', '1 rate limited per key'],
    { rulings: [13], needs: ['second-key', 'window'] },
  ),
  '8/reset': must(
    'A refused request is admitted after the reset',
    ['8 table 2 X-RateLimit-Reset', '8 request frequency'],
    { rulings: [13], needs: ['window'] },
  ),
  '8/refusal-headers': must(
    'The refusal carries the three rate-limit headers',
    [
      '8 table 2 X-RateLimit-Limit',
      '8 table 2 X-RateLimit-Remaining',
      '8 table 2 X-RateLimit-Reset',
    ],
    { rulings: [12], needs: ['window'] },
  ),
  '8/refusal-code': must(
    'The refusal has code 402901 or its twin 42901',
    ['8 refusal', '7 402901'],
    { basis: 'contradictory', rulings: [6], needs: ['window'] },
  ),
  '8/refusal-message': must('The message of the refusal is Rate limit exceeded', ['8 refusal'], {
    rulings: [10],
    needs: ['window'],
  }),
  '8/refusal-limit': must('details.limit of the refusal is the limit', ['8 refusal'], {
    rulings: [14],
    needs: ['window'],
  }),
  '8/refusal-window': must('details.window of the refusal is 60s', ['8 refusal'], {
    rulings: [14],
    needs: ['window'],
  }),
  '8/retry-after': must('details.retry_after of the refusal is an integer', ['8 refusal'], {
    rulings: [14],
    needs: ['window'],
  }),
  '8/retry-after-fits': should(
    'retry_after agrees with the announced reset in seconds or milliseconds',
    ['8 refusal'],
    { rulings: [14], needs: ['window'] },
  ),
  '8/retry-after-unit': observe('Unit of retry_after', ['8 unit of retry_after'], {
    rulings: [14],
    needs: ['window'],
  }),
  '8/headers-present': observe(
    'Rate-limit headers on answers other than the refusal',
    [
      '8 table 2 X-RateLimit-Limit',
      '8 table 2 X-RateLimit-Remaining',
      '8 table 2 X-RateLimit-Reset',
    ],
    { rulings: [12] },
  ),
  '8/header-limit': must(
    'X-RateLimit-Limit, where present, is the limit',
    ['8 table 2 X-RateLimit-Limit'],
    { rulings: [12] },
  ),
  '8/header-remaining': must(
    'X-RateLimit-Remaining, where present, is an integer from 0 to below the limit, and 0 on a refusal',
    ['8 table 2 X-RateLimit-Remaining'],
    { rulings: [12] },
  ),
  '8/remaining-decrements': must(
    'X-RateLimit-Remaining goes down by one with each admitted request of a window',
    ['8 table 2 X-RateLimit-Remaining'],
    { rulings: [12, 13] },
  ),
  '8/header-reset': must(
    'X-RateLimit-Reset, where present, is Unix time in milliseconds at most one window ahead',
    ['8 table 2 X-RateLimit-Reset'],
    { rulings: [12] },
  ),
  '8/reset-steady': must(
    'X-RateLimit-Reset does not move back, and stands still within a fixed window',
    ['8 table 2 X-RateLimit-Reset'],
    { rulings: [12, 13] },
  ),
  '8/refused-counted': observe(
    'Whether refused requests count against the limit',
    ['8 request frequency'],
    { rulings: [13], needs: ['window'] },
  ),
  '8/window-kind': observe('Fixed or sliding window', ['8 request frequency'], {
    rulings: [13],
    needs: ['window'],
  }),
  '8/quota': must(
    'The request after the last one of the monthly quota is refused in the error shape',
    ['8 monthly quota'],
    { rulings: [15], needs: ['near-quota-key'] },
  ),
  '8/quota-not-early': must(
    'The last requests of the monthly quota are admitted',
    ['8 monthly quota'],
    { rulings: [15], needs: ['near-quota-key'] },
  ),
  '8/quota-answer': observe(
    'Status and code when the monthly quota is exhausted',
    ['8 quota exhausted'],
    { rulings: [15], needs: ['near-quota-key'] },
  ),
  '8/beyond-window': observe(
    'Answer to a range beyond the recent window: refused, cut or empty',
    ['8 beyond the window'],
    { rulings: [5] },
  ),
} as const satisfies Record<string, RequirementFacts>;
