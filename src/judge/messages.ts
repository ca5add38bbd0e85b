const FIELD = '{at}: {field} is {is}; expected {due}';
const ANSWERED = '{at} {because}answered with {answer}';

/**
 * Every sentence that says what is wrong with an answer, by the kind of finding. `{at}` is the request, such as `GET /news`;
 * other names in braces are facts of the finding. Fingerprints, causes and waivers go by the kind, so a sentence may be
 * reworded; a kind is never renamed, and never reused for another defect.
 */
export const MESSAGES = {
  // Any answer
  'other-success': '{at} answers with a success status other than 200',
  'key-kept-out': '{at} refuses a valid key that works elsewhere',
  'request-refused': '{at} refuses a request{of} that the specification allows',
  'other-body': '{at} answers with a body of the wrong type',
  'field-missing': FIELD,
  'field-null': FIELD,
  'field-string': FIELD,
  'field-number': FIELD,
  'field-boolean': FIELD,
  'field-array': FIELD,
  'field-object': FIELD,
  'field-value': FIELD,
  'let-in': ANSWERED,
  crashed: ANSWERED,
  'refused-otherwise': ANSWERED,

  // Load
  'good-key-refused': 'A request with a valid key was refused with a status other than 429',
  'steady-key-refused': 'A key within its limit was refused during a flood on another key',
  'refused-below-limit': 'Requests were refused although every key was below its limit',
  'server-errors-under-load': 'The target answered with server errors under load',

  // §2
  'not-a-url': '{at} has a link that is not an http(s) URL{more}',
  'name-for-symbol': '{at} has the full name of a currency in place of its symbol{more}',
  'allocation-not-a-percentage': '{at} has an allocation that is not a percentage{more}',
  'amount-not-a-number': '{at} has an amount that is not a number{more}',
  'percentage-not-a-number': '{at} has a percentage that is not a number{more}',
  'figure-too-small': '{at} has a figure that is too small{more}',
  'supply-not-decimal': '{at} has a supply that is not a decimal string{more}',
  'candle-contradicts-itself': '{at} has a candle with contradictory figures{more}',
  'candles-not-days-apart': '{at} has candles that are not a whole number of days apart{more}',
  'unlisted-time-field': '{at} names a time field that is not in the list of fields{more}',
  'chart-twice': '{at} lists a chart name twice{more}',
  'foreign-pair': '{at} has a pair without the requested currency{more}',
  'negative-figure': '{at} has a negative figure{more}',
  'author-text-differs':
    'author_description of {authors} authors in {at} changes with language={language}',
  'other-currency': '{at} answers with a different currency',
  'other-ticker': '{at}: {others} of {rows} rows have a different ticker',
  'round-count': '{at}: total_rounds differs from the number of rounds listed',
  'updated-before-created': '{at}: update_time is before create_time',
  'investors-missing':
    '{at}: `investors` lacks {missing} of the {named} investors that the rounds name',
  'null-in-past': '{at}: `{field}` is null in all {rows} past rows',
  below: '{at}: {field} is below {other}',
  above: '{at}: {field} is above {other}',
  'prices-differ': '{at}: the price differs from the prices in the pairs of the currency',
  'id-twice': 'Two news items in {at} have the same id',
  'script-tags': '{at}: the content of {items} of {total} news items contains scripts',
  'unlisted-tags':
    '{at}: the content of {items} of {total} news items contains HTML tags that the specification does not list',
  'negative-counts': '{at} has negative engagement counts: {counts}',
  'released-in-future': '{at}: the release time of {items} of {total} news items is in the future',
  'links-not-urls': '{at} has links or images that are not http(s) URLs: {links}',
  'other-stock': '{at} answers with a different stock',
  'timeline-empty': '{at}: unlock_timeline is an empty array',

  // §4
  'not-json': '{at} answered {status} with a body that is not JSON',
  'byte-order-mark': '{at} answered {status} with a byte order mark before the JSON',
  'json-not-declared': '{at} answered with JSON but without a JSON content type',
  'server-error': '{at} answered with a server error',
  'wrapped-body': '{at} wraps its body in an envelope',

  // §4.1
  'same-record': '{at} returns the same record for two currencies',
  'no-own-pair': '{at} has no pair with the requested currency',
  'pairs-of-others': '{at} with exchange={exchange} returns {pairs} of other exchanges',
  'total-of-exchange':
    '{at} with exchange={exchange}: `total` is not the number of pairs of that exchange',
  'pairs-out-of-order':
    '{at} without order_by returns {pairs} with a larger turnover_24h than an earlier pair',

  // §4.2
  'unexpected-field': '{holders} of {items} featured news items include `{field}`',
  'other-category':
    '{at} with category={category}: {others} of {items} news items have a different category',
  'category-missing':
    '{at} with category={asked} returns no news of category {category}, although {known} such news items are featured',
  'other-match':
    '{at} with currency_id={currency}: {others} of {items} news items are not matched with that currency',
  'known-id-refused': '{at} refuses a currency_id that other endpoints accept',
  'filter-empty':
    '{at} with {filter} is empty, although other responses of the run have {known} matching news items',
  'default-other-page': '{at} without `page` returns a page other than the first',
  'too-many-news': 'The response contains more than the maximum number of news items',
  'not-refused': '{at} accepts {parameter}={value}, which must be refused',
  'listed-value-refused': '{at} refuses {parameter}={value}, which the specification lists',
  'missing-in-language':
    '{at} with language={language} lacks {missing} news items that were returned with language={from} both before and after',
  'other-items-in-language':
    '{at} returns different news items with language={language} than with language={other}',
  'other-language':
    '{at} returns the `{field}` of {items} news items in the wrong language{byDefault}',
  'default-language-differs':
    '{at} without `language`: {others} of {items} news items differ from those with language=en',

  // §4.3
  'other-rows': '{at} returns different rows with {asked} than in upper case',
  'listed-pair-refused': '{at} refuses a pair of symbol and country that is listed',
  'wrong-country-code-error': 'The refusal of an unknown country_code has the wrong {wrong}',
  'wrong-message': 'The refusal of {at} {because}has the wrong message',
  'symbols-incomplete': 'details.constraint is not the complete list of symbols',
  'wrong-unlisted-message': 'The refusal of an unlisted pair has the wrong message',

  // §4.4
  'settled-in-part': '{at}: the row of {date} is only partly settled',
  'unsettled-field-empty': '{at}: the unsettled row of {date} has no {field}',
  'unsettled-late': '{at}: unsettled rows after the end of the next trading day: {rows}',
  'zero-for-null': '{at}: the newest row, {date}, has 0 for every settlement figure',
  'unsettled-other-day': '{at}: the unsettled row is not for the current trading day',
  'settled-early': '{at}: the row of {date} was settled before its trading session ended',
  'still-unsettled': '{at}: the row of {date} is still unsettled, as in the earlier run',
  'unsettled-row-gone': '{at}: the row of {date}, unsettled in the earlier run, is missing',
  'settlement-null': '{at}: a settlement figure is null',
  'volume-other-string':
    '{at}: `volume` is a string that differs from value_traded in {others} of {rows} rows',
  'volume-is-turnover-number':
    '{at}: `volume` is a number and equals the turnover in all {rows} rows',
  'volume-is-turnover': '{at}: `volume` is the turnover in USD',

  // §4.6
  'listed-chart-unknown': '{at} does not know the listed chart {chart}',

  // §4.7
  'endpoint-missing': '{at} does not exist, or does not return JSON',

  // §5
  'key-header-not-named': 'The authentication error of {at} does not name the key header',
  'no-solution': 'The authentication error of {at} offers no solution',
  'header-case': '{at} ignores the key in the header {header}',
  'restricted-key-refused':
    '{at} refuses the restricted key, although the target file does not list the endpoint as forbidden',

  // §7
  'details-without-invalid': 'The error details of {at} do not say what is invalid',
  'details-without-unknown': 'The error details of {at} do not say what was not found',
  'error-field': '{at}: `{field}` of the error body is not {expected}',
  'unlisted-code': '{at} answered with an error code that §7 does not list',
  'status-of-code':
    '{at} answered with code {code} and a status other than the one that §7 gives for that code',
  'details-other-value': '{at}: details.value of the error is not the value that was sent',
  'unknown-id-crashes': '{at} returns a server error for an identifier that does not exist',
  'unknown-id-found': '{at} returns a record for an identifier that does not exist',
  'wrong-not-found-message': '{at} has the wrong message for an unknown currency',
  'details-without-id':
    'The error details of {at} do not contain the identifier that was not found',

  // §8
  'remaining-out-of-range': 'X-RateLimit-Remaining of {at} is out of range',
  'refusal-remaining': 'X-RateLimit-Remaining is not 0 in the refusal of {at}',
  'remaining-twice':
    'X-RateLimit-Remaining is {remaining} on two admitted requests with one key in one window; the other request is {other}',
  'remaining-rises': 'X-RateLimit-Remaining rises within a window, after {after}',
  'reset-not-in-ms': 'X-RateLimit-Reset of {at} is not in Unix milliseconds',
  'reset-in-seconds': 'X-RateLimit-Reset of {at} is in seconds, not in Unix milliseconds',
  'reset-past': 'X-RateLimit-Reset of {at} is in the past',
  'reset-too-far': 'X-RateLimit-Reset of {at} is more than one window ahead',
  'reset-moves-back': 'X-RateLimit-Reset moves back, after {after}',
  'reset-moves-on': 'X-RateLimit-Reset moves forward within a fixed window, after {after}',
  'keys-share-a-count':
    'Keys share one count: {shared} responses fit a shared count, {apart} a count per key',
  'limiter-status': '{at} was refused by the rate limiter with a status other than 429',
  'admitted-beyond-limit':
    '{at} was admitted beyond the limit: it is request {admitted} with its key in one window, and no permitted kind of limiter would admit it',
  'refused-after-reset': '{at} was refused after the reset that {refusal} announced',
  'refused-early': '{at} was refused before its key had used up the limit',
  'refused-early-always':
    '{at} was refused after {admitted} requests of its window, counted from {begin}; the same holds for every {window} that was observed from its first request to a refusal{lower}',
  'wrong-limit-header': 'X-RateLimit-Limit of {at} is not the limit',
  'reset-always-past': 'X-RateLimit-Reset is in the past on every admitted response for a key',
  'refused-for-all-keys':
    '{at} was refused before its key had used up the limit, but after all keys together had used it up',
  'answered-after-quota':
    '{at} was answered although the monthly quota of the key was used up, for which other requests were refused',
  'answered-beyond-quota':
    '{at} was answered after the {left} requests that keys.nearQuota had left',
  'refused-before-quota':
    '{at} was refused after {served} of the {left} requests that keys.nearQuota had left',
  'quota-refusal-shape':
    'The refusal of a request beyond the monthly quota does not have the documented error shape',
  'rate-headers-missing': 'The refusal lacks two or more of the three rate-limit headers',
  'rate-header-missing': 'The refusal lacks one of the three rate-limit headers',
  'wrong-refusal-code': 'The refusal has the wrong error code',
  'refusal-detail-missing': '{field} of the refusal is missing',
  'refusal-detail-type': '{field} of the refusal has the wrong type',
  'refusal-detail-value': '{field} of the refusal has the wrong value',
  'not-counted': '{at} is not counted: X-RateLimit-Remaining continues as if it had not been sent',
  'remaining-skips': 'X-RateLimit-Remaining goes down by {size} with each of {steps} requests',
  'retry-after-differs':
    'details.retry_after matches the announced reset neither in seconds nor in milliseconds',
  'windows-too-short':
    'Windows of a key end {apart} apart, so more than {requests} requests are admitted in {window}',

  // Families
  'candle-twice': '{at} has two candles with the same timestamp',
  'candles-out-of-order': '{at} has {candles} out of order',
  'no-records': '{at} with {query} returned nothing, although there are records',
  'neither-records-nor-error': '{at} with {query} returned neither records nor a 400-class error',
  'page-empty': '{at} with {query} returned an empty page, although there are items',
  'neither-page-nor-error': '{at} with {query} returned neither a page nor a 400-class error',
  'other-default-size': '{at} without page_size does not use the default page size',
  'above-maximum': '{at} with {query} returned more than the maximum number of records',
  'limit-exceeded': '{at} with {query} returned more than {limit}',
  'limit-not-used': '{at} with {query} returned too few records: other responses contain more',
  'records-left-out': '{at} with {query} omits records that other responses contain',
  'record-of-no-other': '{at} with {query} contains a {record} that another response lacks',
  'record-skipped': '{at} with {query} skips a {record} that another response contains',
  'same-figures':
    '{at} has the same figures for {name} and {other} on all {days} days that they have in common',
  'envelope-out-of-range': '{at} with {query}: the envelope echoes a value that is out of range',
  'page-above-maximum': '{at} with {query} returned a page larger than the maximum size',
  'page-does-not-continue': 'Page {page} of {at} does not continue where page {before} ends',
  'page-refused': '{at} refuses page {page}, which exists',
  'total-of-items': '{at}: `total` is not the number of items',
  'total-changes': '{at}: `total` differs from page to page',
  'page-size-cut': '{at} does not return {size} items for page_size={size}',
  'page-not-full':
    'Page {page} of {at} is not full, although `total` counts enough items to fill it',
  'envelope-differs': '{at} with {query}: the envelope echoes a different `{field}`',
  'part-differs':
    '{at} has a different `{field}` for the {record} of {identity} than the unfiltered response',
  'old-range':
    '{at} with a range that starts before the window: the response is not one that the specification allows',
  'recent-range-refused': '{at} refuses a range within the recent window',
  'outside-range': '{at} returned {records} outside the requested range',
  'range-left-out': '{at} omits {records} of the requested range that other responses contain',
  'beyond-window': '{at} returned {records} older than the window',
  'later-row-after': '{at}: a row is later than the row before it{more}',
  'day-twice': '{at}: a trading day has more than one row{more}',
  weekend: '{at}: there is a row for a weekend day{more}',
  holiday: '{at}: there is a row for an exchange holiday{more}',
  'rows-outdated': '{at} has no row for any of the last {days} trading days',
  'cumulative-sum':
    '{at}: {field} of {date} is not {field} of {before} plus the inflow of {date}{more}',
  'details-without-field': 'The error details of {at} {because}do not name the field',
} as const;

/** What is wrong with an answer: a closed list. */
export type FindingKind = keyof typeof MESSAGES;

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** What the sentence of a kind names besides the request. */
export type FactsOf<Kind extends FindingKind> = Readonly<
  Record<Exclude<NamesIn<(typeof MESSAGES)[Kind]>, 'at'>, string | number>
>;

/** Kinds whose sentence says no more than how many more there are. */
export type CountedKind = {
  [Kind in FindingKind]: keyof FactsOf<Kind> extends 'more'
    ? 'more' extends keyof FactsOf<Kind>
      ? Kind
      : never
    : never;
}[FindingKind];

/** The sentence of a finding. `at` is the request that it is about; empty for findings about a whole run. */
export function messageOf(
  kind: FindingKind,
  at: string,
  facts: Readonly<Record<string, string | number>> = {},
  sentence: string = MESSAGES[kind],
): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'at' ? at : String(facts[name]),
  );
}
