import type { Advice } from './definition.ts';

// Advice that several requirements share, because they fail for the same reasons.

export const BOUND_ACCEPTED: Advice = {
  shownBy: 'a request with exactly the maximum',
  why: 'Callers that want few requests use the stated maximum; when the bound itself is refused, they break at once.',
  usually: [
    'The comparison excludes the bound (`>=` for `>`).',
    'A gateway has a lower bound of its own.',
  ],
};

export const NUMBER_INVALID: Advice = {
  shownBy: 'a request with a value below the minimum, or that is no number',
  why: 'Bad input must not become a server error: a 5xx wakes up whoever runs the service, for a slip of a caller.',
  usually: [
    'The text reaches a number parser or the database unchecked, and the exception becomes a 500.',
    'A negative number reaches LIMIT or OFFSET of a query.',
  ],
};

export const REQUIRED: Advice = {
  shownBy: 'a request that leaves the parameter out',
  why: 'A parameter that is required and silently defaulted hides the slip of a caller until somebody looks at the figures.',
  usually: [
    'A default is used instead of a refusal.',
    'The code is 400003 or 400001 where a missing parameter has 400002.',
  ],
};

export const PLAIN_REQUEST: Advice = {
  why: 'This is the plain request of the endpoint. Nothing else about it can be judged while it fails.',
  usually: [
    'The identifier of the target file does not exist on this environment.',
    'The body is wrapped, or of another kind: an object for an array, an empty body, HTML.',
    'The back end of the endpoint is down, and the gateway says so.',
  ],
};

export const KEY_REFUSED: Advice = {
  why: 'The code tells a caller what to do: look for a typo (400101), or apply for a new key (400102).',
  usually: [
    'The gateway refuses with a code or a body of its own.',
    'Expired keys are deleted, so that they are unknown (400101) instead of expired (400102).',
    'One endpoint stands outside the gateway and does not check keys.',
  ],
};

export const ACCESS: Advice = {
  why: 'A key must open exactly what it was sold for: too much is a leak, too little an outage.',
  usually: [
    'The list under keys.restricted.forbidden is not that of the service.',
    'Access is checked by prefix, so that /news also covers /news/featured.',
    'The refusal is a 401 or a 404 where 403 with 400301 is due.',
  ],
};

export const CURRENCY_CODES: Advice = {
  why: 'Callers tell a typo from an asset that is gone by these codes.',
  usually: [
    'Both cases are answered alike, with 404 or with an empty 200.',
    'The id reaches the database unchecked and ends in a 500.',
    'The malformed id of the target file is well-formed for this service: set fixtures.malformedCurrencyId.',
  ],
};

export const MESSAGE: Advice = {
  why: 'Logs and support tools of callers match this sentence to the letter.',
  usually: [
    'A validation library writes its own sentence.',
    'The name of the parameter is missing, quoted or spelled as in the code (countryCode).',
  ],
};

export const DETAILS: Advice = {
  why: 'details is what lets a caller repair a request without reading documentation.',
  usually: [
    'details is null, an array or missing on errors that the gateway raises.',
    'The member is there under another name.',
  ],
};

export const RATE_HEADERS: Advice = {
  why: 'Clients pace themselves by these headers; wrong ones make them wait too long or run into the limit.',
  usually: [
    'The gateway announces another limit than the one that is enforced.',
    'X-RateLimit-Reset is in seconds, or a duration instead of a time.',
    'The refusal is written by another layer than the headers, and has none.',
  ],
};

export const COUNTDOWN: Advice = {
  shownBy: 'an answer with the rate-limit headers',
  why: 'A count that jumps cannot be planned with.',
  usually: [
    'Several instances count for themselves, and the load balancer alternates between them.',
    'Someone else used the key during the run: give the run keys of its own.',
    'The reset is computed anew with each request in a window that is fixed.',
  ],
};

export const RATE_REFUSAL: Advice = {
  shownBy: 'an answer 429 of the rate limiter',
  why: 'Automatic retries are built on this body: on its code, limit, window and retry_after.',
  usually: [
    'The refusal comes from a gateway with a body of its own.',
    'retry_after is a text, a fraction, or only in a header.',
    'The figures are those of the configuration and not of the plan of the key.',
  ],
};

export const QUOTA: Advice = {
  why: 'The last requests of a month are paid for; one after them is not.',
  usually: [
    'keys.nearQuota.remaining of the target file is out of date: each run uses the key up.',
    'The quota is counted with a delay, so that a few more are admitted.',
    'The refusal is no error body.',
  ],
};
