import type { Family } from './types.ts';
import { says } from './types.ts';

/** Guidance for groups of requirements of §5, §7 and §8, and of those of §2 that compare fields. */
export const GENERAL_FAMILIES: readonly Family[] = [
  {
    ids: /^5\/(?:unknown|disabled|expired)-key$/,
    guidance: says(
      'The code tells a caller what to do: look for a typo (400101), or apply for a new key (400102).',
      'The gateway refuses with a code or a body of its own.',
      'Expired keys are deleted, so that they are unknown (400101) instead of expired (400102).',
      'One endpoint stands outside the gateway and does not check keys.',
    ),
  },
  {
    ids: /^5\/(?:forbidden|restricted-elsewhere)$/,
    guidance: says(
      'A key must open exactly what it was sold for: too much is a leak, too little an outage.',
      'The list under keys.restricted.forbidden is not that of the service.',
      'Access is checked by prefix, so that /news also covers /news/featured.',
      'The refusal is a 401 or a 404 where 403 with 400301 is due.',
    ),
  },
  {
    ids: /^7\/(?:malformed-currency-id|currency-not-found)$/,
    guidance: says(
      'Callers tell a typo from an asset that is gone by these codes.',
      'Both cases are answered alike, with 404 or with an empty 200.',
      'The id reaches the database unchecked and ends in a 500.',
      'The malformed id of the target file is well-formed for this service: set fixtures.malformedCurrencyId.',
    ),
  },
  {
    ids: /-message$/,
    guidance: says(
      'Logs and support tools of callers match this sentence to the letter.',
      'A validation library writes its own sentence.',
      'The name of the parameter is missing, quoted or spelled as in the code (countryCode).',
    ),
  },
  {
    ids: /-details$|^5\/details-|symbol-constraint$/,
    guidance: says(
      'details is what lets a caller repair a request without reading documentation.',
      'details is null, an array or missing on errors that the gateway raises.',
      'The member is there under another name.',
    ),
  },
  {
    ids: /^8\/(?:refusal-headers|header-limit|header-remaining|header-reset|headers-present)$/,
    guidance: says(
      'Clients pace themselves by these headers; wrong ones make them wait too long or run into the limit.',
      'The gateway announces another limit than the one that is enforced.',
      'X-RateLimit-Reset is in seconds, or a duration instead of a time.',
      'The refusal is written by another layer than the headers, and has none.',
    ),
  },
  {
    ids: /^8\/(?:remaining-decrements|reset-steady)$/,
    guidance: says(
      'A count that jumps cannot be planned with.',
      'Several instances count for themselves, and the load balancer alternates between them.',
      'Someone else used the key during the run: give the run keys of its own.',
      'The reset is computed anew with each request in a window that is fixed.',
    ),
  },
  {
    ids: /^8\/(?:refusal-|retry-after)/,
    guidance: says(
      'Automatic retries are built on this body: on its code, limit, window and retry_after.',
      'The refusal comes from a gateway with a body of its own.',
      'retry_after is a text, a fraction, or only in a header.',
      'The figures are those of the configuration and not of the plan of the key.',
    ),
  },
  {
    ids: /^8\/(?:quota|quota-not-early|quota-answer)$/,
    guidance: says(
      'The last requests of a month are paid for; one after them is not.',
      'keys.nearQuota.remaining of the target file is out of date: each run uses the key up.',
      'The quota is counted with a delay, so that a few more are admitted.',
      'The refusal is no error body.',
    ),
  },
  {
    ids: /^2\.\d+\/.*non-negative$/,
    guidance: says(
      'Prices, volumes and counts below zero turn sums and charts upside down.',
      'A missing value is stored as -1.',
      'An unsigned counter ran over.',
    ),
  },
  {
    ids: /echo$/,
    guidance: says(
      'A record that names another asset than the one asked for will be filed under the wrong one.',
      'The record comes from a cache whose key leaves out the identifier or its case.',
      'An internal id is put out instead of the public one.',
    ),
  },
  {
    ids: /^2\.[17]\/urls$/,
    guidance: says(
      'Readers put these into links and images; a text that is no URL, or a javascript: one, is a hole.',
      'A relative path or a bare domain is passed on.',
      'Several addresses stand in one text, separated by commas.',
    ),
  },
  {
    ids: /^2\.2\/(?:high-low|ath-covers-price|cycle-low-below-price|fdv-covers-marketcap|supply-strings|percent-strings)$|^2\.9\/circulating-within-total$/,
    guidance: says(
      'Figures of one record that contradict each other show that they were not taken at one time, or not in one unit.',
      'The fields come from different sources or caches of different ages.',
      'One is in another currency or unit: thousands, percent, tokens instead of USD.',
      'The extreme is updated once a day, and a new one was reached meanwhile.',
    ),
  },
  {
    ids: /^2\.3\//,
    guidance: says(
      'Allocation and unlocks are shown as shares and amounts; another unit is off by a factor of a hundred.',
      'Fractions (0.2) are sent where percentages (20) are meant, so that they add up to 1.',
      'Amounts are formatted for people, with separators or a symbol.',
    ),
  },
  {
    ids: /^2\.4\//,
    guidance: says(
      'Indicators assume that low <= open, close <= high and that days follow each other.',
      'The candle of the current day is computed from another source than its high and low.',
      'Days are cut in local time, so that one has 23 or 25 hours or is missing.',
    ),
  },
  {
    ids: /^2\.5\/base-or-target$/,
    guidance: says(
      'The list belongs to one currency; foreign pairs in it are added to its volume.',
      'Pairs are found by a name that two currencies share.',
      'Wrapped or bridged tokens are counted under the original.',
    ),
  },
  {
    ids: /^2\.6\//,
    guidance: says(
      'Rounds and dates are compared across projects, so counts and times must agree within one.',
      'Statistics are computed at another time than the list of rounds.',
      'update_time is that of an import and create_time that of a manual entry.',
    ),
  },
  {
    ids: /^2\.11\//,
    guidance: says(
      'Charts are drawn from this description: the time column must be one of those listed, under one name.',
      'The name of the column is internal, or differs in case from the one in fields.',
      'A chart was renamed, and both entries are listed.',
    ),
  },
];
