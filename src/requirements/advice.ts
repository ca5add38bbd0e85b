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

export const SERIES_ORDER: Advice = {
  defect: 'paging and order',
  why: 'Which order comes is not stated, but mixed order and double timestamps break every indicator computed over it.',
  usually: [
    'The live candle is appended to a cached list that holds it already.',
    'Two sources are joined without sorting.',
  ],
};

export const BELOW_MINIMUM: Advice = {
  defect: 'validation',
  shownBy: 'a request with a value below the minimum, or that is no number',
  why: 'The parameter has a stated minimum; what lies below it is a slip that the caller should hear of.',
  usually: [
    'Only the maximum is checked.',
    'Page 0 is taken as the first page by a service that counts from 0 inside.',
  ],
};

export const PAGE_SEAM: Advice = {
  defect: 'paging and order',
  shownBy: 'two requests for parts of one list within a few minutes',
  why: 'Records at the seam of two pages are lost or doubled for everybody who reads page by page.',
  usually: [
    'The order has ties and no last criterion, so that it differs from query to query.',
    'The offset is computed from another page size than the one in use.',
    'Page 2 comes from a cache that is older than page 1.',
  ],
};

export const CATEGORY: Advice = {
  defect: 'filters and windows',
  shownBy: 'a request with that parameter',
  why: 'A feed for one category that holds others cannot be shown to the reader it was made for.',
  usually: [
    'The parameter is ignored for one of the categories, often the highest number.',
    'Only the first of several categories is used, or the list is not split at commas.',
  ],
};

export const LANGUAGE: Advice = {
  defect: 'filters and windows',
  why: 'Readers show the text as it comes. A text in another language is a defect that every user sees.',
  usually: [
    'News that is not translated yet falls back to English or Chinese without saying so.',
    'title is translated, content or the quote is not.',
    'zh and tc (simplified and traditional) are exchanged.',
  ],
};

export const UNKNOWN_FILTER_VALUE: Advice = {
  defect: 'validation',
  shownBy: 'a request with a value outside of the list',
  why: 'A caller with a typo gets the default and takes it for what was asked.',
  usually: ['The value falls back to the default; this is recorded as well as reported.'],
};

export const REQUIRED: Advice = {
  defect: 'validation',
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
  defect: 'authentication and limits',
  why: 'The code tells a caller what to do: look for a typo (400101), or apply for a new key (400102).',
  usually: [
    'The gateway refuses with a code or a body of its own.',
    'Expired keys are deleted, so that they are unknown (400101) instead of expired (400102).',
    'One endpoint stands outside the gateway and does not check keys.',
  ],
};

export const ACCESS: Advice = {
  defect: 'authentication and limits',
  why: 'A key must open exactly what it was sold for: too much is a leak, too little an outage.',
  usually: [
    'The list under keys.restricted.forbidden is not that of the service.',
    'Access is checked by prefix, so that /news also covers /news/featured.',
    'The refusal is a 401 or a 404 where 403 with 400301 is due.',
  ],
};

export const CURRENCY_CODES: Advice = {
  defect: 'status and errors',
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
  defect: 'headers',
  why: 'Clients pace themselves by these headers; wrong ones make them wait too long or run into the limit.',
  usually: [
    'The gateway announces another limit than the one that is enforced.',
    'X-RateLimit-Reset is in seconds, or a duration instead of a time.',
    'The refusal is written by another layer than the headers, and has none.',
  ],
};

export const COUNTDOWN: Advice = {
  defect: 'headers',
  shownBy: 'an answer with the rate-limit headers',
  why: 'A count that jumps cannot be planned with.',
  usually: [
    'Several instances count for themselves, and the load balancer alternates between them.',
    'Someone else used the key during the run: give the run keys of its own.',
    'The reset is computed anew with each request in a window that is fixed.',
  ],
};

export const RATE_REFUSAL: Advice = {
  defect: 'authentication and limits',
  shownBy: 'an answer 429 of the rate limiter',
  why: 'Automatic retries are built on this body: on its code, limit, window and retry_after.',
  usually: [
    'The refusal comes from a gateway with a body of its own.',
    'retry_after is a text, a fraction, or only in a header.',
    'The figures are those of the configuration and not of the plan of the key.',
  ],
};

export const QUOTA: Advice = {
  defect: 'authentication and limits',
  why: 'The last requests of a month are paid for; one after them is not.',
  usually: [
    'keys.nearQuota.remaining of the target file is out of date: each run uses the key up.',
    'The quota is counted with a delay, so that a few more are admitted.',
    'The refusal is no error body.',
  ],
};

export const NON_NEGATIVE: Advice = {
  why: 'Prices, volumes and counts below zero turn sums and charts upside down.',
  usually: ['A missing value is stored as -1.', 'An unsigned counter ran over.'],
};

export const IDENTIFIER_ECHO: Advice = {
  why: 'A record that names another asset than the one asked for will be filed under the wrong one.',
  usually: [
    'The record comes from a cache whose key leaves out the identifier or its case.',
    'An internal id is put out instead of the public one.',
  ],
};

export const URLS: Advice = {
  why: 'Readers put these into links and images; a text that is no URL, or a javascript: one, is a hole.',
  usually: [
    'A relative path or a bare domain is passed on.',
    'Several addresses stand in one text, separated by commas.',
  ],
};

export const CONTRADICTING_FIGURES: Advice = {
  why: 'Figures of one record that contradict each other show that they were not taken at one time, or not in one unit.',
  usually: [
    'The fields come from different sources or caches of different ages.',
    'One is in another currency or unit: thousands, percent, tokens instead of USD.',
    'The extreme is updated once a day, and a new one was reached meanwhile.',
  ],
};

export const CANDLES: Advice = {
  why: 'Indicators assume that low <= open, close <= high and that days follow each other.',
  usually: [
    'The candle of the current day is computed from another source than its high and low.',
    'Days are cut in local time, so that one has 23 or 25 hours or is missing.',
  ],
};

export const FUNDRAISING: Advice = {
  why: 'Rounds and dates are compared across projects, so counts and times must agree within one.',
  usually: [
    'Statistics are computed at another time than the list of rounds.',
    'update_time is that of an import and create_time that of a manual entry.',
  ],
};

export const CHARTS: Advice = {
  why: 'Charts are drawn from this description: the time column must be one of those listed, under one name.',
  usually: [
    'The name of the column is internal, or differs in case from the one in fields.',
    'A chart was renamed, and both entries are listed.',
  ],
};
