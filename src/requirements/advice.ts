import type { Advice } from './definition.ts';

// Advice that several requirements share, because they fail for the same reasons.

export const BOUND_ACCEPTED: Advice = {
  shownBy: 'a request for exactly the maximum',
  why: 'Clients use the stated maximum to save requests, and break or miss records when it does not apply.',
  usually: [
    'The comparison excludes the maximum (`>=` instead of `>`).',
    'A gateway has a lower maximum.',
  ],
};

export const NUMBER_INVALID: Advice = {
  shownBy: 'a request with a value that is below the minimum or not a number',
  why: 'Bad input must not cause a server error: a 5xx alerts the operators of the service.',
  usually: [
    'The value reaches a parser or a query unchecked, and the failure is answered with a redirect or with a body of another kind.',
  ],
};

export const REQUIRED: Advice = {
  shownBy: 'a request without the parameter',
  why: "A silent default hides the client's mistake.",
  usually: [
    'The service uses a default instead of refusing the request.',
    'The code is 400003 or 400001 instead of 400002.',
  ],
};

export const PLAIN_REQUEST: Advice = {
  why: 'While a request fails, nothing else about its response can be judged.',
  usually: [
    'The identifier in the target file does not exist in this environment.',
    'The body is empty, wrapped or of the wrong kind, such as HTML or an object instead of an array.',
    "The endpoint's back end is down.",
  ],
};

export const KEY_REFUSED: Advice = {
  why: 'The code tells clients what to do: look for a typo (400101) or get a new key (400102).',
  usually: [
    'The gateway refuses with its own code or body.',
    'Expired keys are deleted, so they are unknown (400101) instead of expired (400102).',
    'One endpoint is outside the gateway and does not check keys.',
  ],
};

export const ACCESS: Advice = {
  why: 'A key must give access to exactly what was sold: more is a leak, less an outage.',
  usually: [
    '`keys.restricted.forbidden` differs from the configuration of the service.',
    'Access is checked by path prefix, so /news also covers /news/featured.',
    'The refusal has status 401 or 404 instead of 403 with code 400301.',
  ],
};

export const CURRENCY_CODES: Advice = {
  why: 'Clients use these codes to distinguish a typo from a removed asset.',
  usually: [
    'Malformed and unknown ids get the same response: a 404 or an empty 200.',
    'The id reaches the database unchecked and causes a 500.',
    'The malformed id in the target file is valid for this service: set `fixtures.malformedCurrencyId`.',
  ],
};

export const MESSAGE: Advice = {
  why: "Clients' logs and support tools match this exact text.",
  usually: [
    'A validation library sends its own message instead of the specified one.',
    'The parameter name is missing, in quotes, or spelled as in the source code (`countryCode`).',
  ],
};

export const DETAILS: Advice = {
  why: '`details` lets clients fix a request without reading the documentation.',
  usually: [
    '`details` is null, an array or missing in errors from the gateway.',
    'The required member of `details` has a different name.',
  ],
};

export const RATE_HEADERS: Advice = {
  why: 'Clients pace themselves by these headers; wrong ones make them wait too long or run into the limit.',
  usually: ['The gateway announces a different limit from the one it enforces.'],
};

export const COUNTDOWN: Advice = {
  shownBy:
    'responses to several requests with one key in one window, with the rate-limit headers, while nobody else uses the key',
  why: 'Clients cannot plan with a count that jumps.',
  usually: ['Several instances count separately, and the load balancer alternates between them.'],
};

export const RATE_REFUSAL: Advice = {
  shownBy: 'a 429 response of the rate limiter',
  why: 'Automatic retries rely on `code`, `limit`, `window` and `retry_after` in the body of the refusal.',
  usually: [
    'The refusal comes from a gateway with its own body.',
    '`retry_after` is a string or a fraction, or is sent only in a header.',
    "The figures come from the configuration instead of the key's plan.",
  ],
};

export const QUOTA: Advice = {
  why: 'Clients have paid for every request in the monthly quota, including the last, but for none beyond it.',
  usually: [
    '`keys.nearQuota.remaining` in the target file is outdated: each run uses up some of the quota.',
  ],
  usuallyFor: {
    'answered-after-quota': ['Some endpoints are outside the quota.'],
    'answered-beyond-quota': [
      'A month has begun since `keys.nearQuota.remaining` was counted, or the key was given more requests.',
      'The quota is counted with a delay, so a few extra requests are admitted.',
    ],
    'quota-refusal-shape': ['The refusal comes from a gateway with its own body.'],
  },
};
