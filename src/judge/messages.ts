/**
 * Every sentence that says what is wrong with an answer, by the kind of finding. `{at}` is the request, such as `GET /news`;
 * other names in braces are facts of the finding. Fingerprints, causes and waivers go by the kind, so a sentence may be
 * reworded; a kind is never renamed, and never reused for another defect.
 */
export const MESSAGES = {
  // Any answer
  'other-success': '{at} answers with another status than 200',
  'key-kept-out': '{at} keeps out a valid key that works elsewhere',
  'request-refused': '{at} refuses a request that the specification allows',
  'value-refused': '{at} refuses {parameter}={value}, which the specification allows',
  'other-body': '{at} answers with a body of another kind',
  'field-missing': '{at}: {field} is {is}; expected {due}',
  'field-null': '{at}: {field} is {is}; expected {due}',
  'field-string': '{at}: {field} is {is}; expected {due}',
  'field-number': '{at}: {field} is {is}; expected {due}',
  'field-boolean': '{at}: {field} is {is}; expected {due}',
  'field-array': '{at}: {field} is {is}; expected {due}',
  'field-object': '{at}: {field} is {is}; expected {due}',
  'field-value': '{at}: {field} is {is}; expected {due}',
  'let-in': '{at} {because}answered {answer}',
  crashed: '{at} {because}answered {answer}',
  'refused-otherwise': '{at} {because}answered {answer}',

  // Load
  'good-key-refused': 'A request of a good key was refused with another status than 429',
  'steady-key-refused': 'A key that kept to its limit was refused while another key was flooded',
  'quota-exceeded': 'More requests were admitted than the monthly quota had left',
  'quota-not-reached': 'Fewer requests were admitted than the monthly quota had left',
  'quota-refusal-status': 'The refusal of a used-up quota is no error of the request',
  'refused-below-limit': 'Requests were refused although every key stayed below its limit',
  'server-errors-under-load': 'The target answered with server errors under load',

  // §2
  'not-a-url': '{at} has a link that is no http(s) URL{more}',
  'name-for-symbol': '{at} has the full name of a currency where its symbol belongs{more}',
  'allocation-not-a-percentage': '{at} has an allocation that is no percentage{more}',
  'amount-not-a-number': '{at} has an amount that cannot be read as a number{more}',
  'percentage-not-a-number': '{at} has a percentage that cannot be read as a number{more}',
  'figure-too-small': '{at} has a figure that is too small{more}',
  'supply-not-decimal': '{at} has a supply that is no decimal string{more}',
  'candle-contradicts-itself': '{at} has a candle whose figures contradict each other{more}',
  'candles-not-days-apart': '{at} has candles that are not whole days apart{more}',
  'unlisted-time-field': '{at} names a time column that the chart does not list{more}',
  'chart-twice': '{at} lists a chart name twice{more}',
  'foreign-pair': '{at} has a pair that the currency is not part of{more}',
  'negative-figure': '{at} has a negative figure{more}',
  'author-text-differs':
    'author_description of {authors} authors of {at} changes with language={language}',
  'other-currency': '{at} answers with another currency',
  'other-ticker': '{at}: {others} of {rows} rows carry another ticker',
  'round-count': '{at} counts other rounds than it lists',
  'updated-before-created': '{at} was updated before it was created',
  'investors-missing': '{at}: investors lacks {missing} of {named} that the rounds name',
  'null-in-past': '{at}: {field} is null in all {rows} rows of the past',
  below: '{at}: {field} is below {other}',
  above: '{at}: {field} is above {other}',
  'prices-differ': '{at} and the pairs of the currency give different prices',
  'id-twice': 'Two news of {at} have the same id',
  'unlisted-tags':
    'The content of {items} news of {at} holds tags that the specification does not list',
  'negative-counts': '{counts} engagement counts of {at} are below zero',
  'released-in-future': '{items} news of {at} are released in the future',
  'links-not-urls': '{links} links or images of {at} are no http(s) URLs',
  'other-stock': '{at} answers with another stock',
  'timeline-empty': '{at}: unlock_timeline is an empty array',

  // §4
  'not-json': '{at} answered {status} with a body that is not JSON',
  'byte-order-mark': '{at} answered {status} with a byte order mark before JSON',
  'coding-not-applied':
    '{at} answered {status} with plain JSON that Content-Encoding calls compressed',
  'json-not-declared': '{at} answered JSON without saying so',
  'server-error': '{at} answered with a server error',
  'wrapped-body': '{at} wraps its body in an envelope',

  // §4.1
  'same-record': '{at} has the same record for two currencies',
  'no-own-pair': '{at} has no pair that the currency is part of',
  'pairs-of-others': '{at} with exchange={exchange} has {pairs} of other exchanges',
  'total-of-exchange':
    'total of {at} with exchange={exchange} does not count the pairs of that exchange',
  'pairs-out-of-order':
    '{at} without order_by has {pairs} with a larger turnover_24h than a pair before',

  // §4.2
  'unexpected-field': '{holders} of {items} featured news have {field}',
  'other-category':
    '{others} of {items} news of {at} with category={category} have another category',
  'category-missing':
    '{at} with category={asked} shows no news of category {category}, although {known} are featured',
  'other-match':
    '{others} of {items} news of {at} with currency_id={currency} are not matched with that currency',
  'known-id-refused': '{at} refuses a currency_id that other endpoints answer for',
  'filter-empty': '{at} with {filter} is empty, although {known} such news were shown without',
  'default-other-page': '{at} without page says that it is another page than the first',
  'default-other-items': '{at} without page has other items than page 1',
  'too-many-news': 'An answer holds more news than one request may bring',
  'not-refused': '{at} with {parameter}={value} is not refused as a bad request',
  'listed-value-refused': '{at} refuses {parameter}={value}, which is listed',
  'missing-in-language':
    '{missing} news that {at} shows with language={from}, before and after, are missing with language={language}',
  'other-items-in-language':
    '{at} shows other news with language={language} than with language={other}',
  'other-language': '{field} of {items} news of {at} is not in the language asked for{byDefault}',
  'default-language-differs':
    '{others} of {items} news of {at} without language differ from those with language=en',

  // §4.3
  'other-rows': '{at} gets other rows with {asked}',
  'listed-pair-refused': '{at} calls a listed pair not listed',
  'wrong-country-code-error': 'The refusal of an unknown country_code has the wrong code',
  'wrong-message': 'The refusal of {at} {because}has the wrong message',
  'symbols-incomplete': 'details.constraint does not hold the full list of symbols',
  'wrong-unlisted-message': 'The refusal of an unlisted pair has the wrong message',

  // §4.4
  'settled-in-part': '{at}: the row of {date} is settled in part',
  'unsettled-field-empty': '{at}: the unsettled row of {date} has no {field}',
  'unsettled-late': '{at}: {rows} row(s) are not settled although the next trading day is over',
  'zero-for-null': '{at}: the newest row, of {date}, has 0 for all settlement figures',
  'unsettled-other-day': '{at}: the unsettled row is not that of the current trading day',
  'settled-early': '{at}: the row of {date} is settled before the session of the day is over',
  'still-unsettled': '{at}: the row of {date} was not settled before and still is not',
  'unsettled-row-gone': '{at}: the row of {date}, not settled before, is gone',
  'settlement-null': '{at}: a settlement figure is null',
  'volume-other-string':
    '{at}: volume is a string that differs from value_traded in {others} of {rows} rows',
  'volume-is-turnover-number': '{at}: volume is a number and yet the turnover, in all {rows} rows',
  'volume-is-turnover': '{at}: volume is the turnover in USD',

  // §4.6
  'listed-chart-unknown': '{at} does not know the listed chart {chart}',

  // §4.7
  'endpoint-missing': '{at} does not answer',

  // §5
  'key-header-not-named': 'The authentication error of {at} does not name the key header',
  'no-solution': 'The authentication error of {at} offers no solution',
  'header-case': '{at} does not find the key in the header {header}',
  'restricted-key-refused':
    '{at} refuses the restricted key, although the target file does not list it as forbidden',

  // §7
  'details-without-invalid': 'The details of {at} say nothing about what is invalid',
  'details-without-unknown': 'The details of {at} say nothing about what is not found',
  'no-error-object': '{at} answered {status} without an error object',
  'error-field': '{field} of the error body of {at} is not {expected}',
  'unlisted-code': '{at} answered with a code that §7 does not list',
  'status-of-code': '{at} answered code {code} with another status than §7 gives for it',
  'details-other-value': 'The details of the refusal of {at} hold another value than was sent',
  'unknown-id-crashes': '{at} failed for an identifier that does not exist',
  'unknown-id-found': '{at} answered with a record for an identifier that does not exist',
  'wrong-not-found-message': '{at} calls an unknown currency something else',
  'details-without-id': 'The details of {at} do not hold the identifier that was not found',

  // §8
  'remaining-out-of-range': 'X-RateLimit-Remaining of {at} is out of its range',
  'refusal-remaining': 'X-RateLimit-Remaining of {at}, a refusal, is out of its range',
  'remaining-twice':
    'X-RateLimit-Remaining is {remaining} on two admitted requests of one key and window, the other being {other}',
  'remaining-rises': 'X-RateLimit-Remaining rises within a window, after {after}',
  'reset-not-in-ms': 'X-RateLimit-Reset of {at} is not Unix time in milliseconds',
  'reset-in-seconds':
    'X-RateLimit-Reset of {at} is not Unix time in milliseconds, but seems to be in seconds',
  'reset-past': 'X-RateLimit-Reset of {at} lies in the past',
  'reset-too-far': 'X-RateLimit-Reset of {at} is more than one window ahead',
  'reset-moves-back': 'X-RateLimit-Reset moves back, after {after}',
  'reset-moves-on': 'X-RateLimit-Reset moves forward within a fixed window, after {after}',
  'keys-share-a-count':
    'Requests of one key count against another: {shared} answers fit a count that keys share, {apart} a count for each key',
  'limiter-status': '{at} was refused by the limiter with another status',
  'admitted-beyond-limit':
    '{at} was admitted although no kind of limiter has room for it: {admitted} requests of its key were admitted until then',
  'refused-after-reset': '{at} was refused after the reset that {refusal} announced',
  'refused-early': '{at} was refused before the limit of its key was spent',
  'refused-early-always':
    '{at} was refused after {admitted} requests of its window, counted from {begin}, and so it went in all {windows} windows that ended with a refusal{lower}',
  'wrong-limit-header': 'X-RateLimit-Limit of {at} is not the limit',
  'reset-always-past': 'X-RateLimit-Reset lies in the past on all answers of a key',
  'refused-for-all-keys':
    '{at} was refused before the limit of its key was spent, and where all keys together had spent it',
  'answered-beyond-quota':
    '{at} was answered after the {left} requests that keys.nearQuota had left',
  'refused-before-quota':
    '{at} was refused after {served} of the {left} requests that keys.nearQuota had left',
  'quota-refusal-shape':
    'The refusal of a key whose monthly quota is used up is not in the error shape',
  'rate-headers-missing': 'The refusal does not carry all three rate-limit headers',
  'wrong-refusal-code': 'The refusal has the wrong code',
  'wrong-refusal-detail': '{field} of the refusal is wrong',
  'not-counted': '{at} is not counted: X-RateLimit-Remaining goes on as if it had not been sent',
  'remaining-skips': 'X-RateLimit-Remaining goes down by {size} with each of {steps} requests',
  'retry-after-differs':
    'details.retry_after does not agree with the announced reset, neither in seconds nor in milliseconds',
  'windows-too-short':
    'Windows of a key end {apart} after each other, so that more than {requests} requests are admitted in {window}',

  // Families
  'candle-twice': '{at} has two candles with the same timestamp',
  'candles-out-of-order': '{at} has {candles} out of order',
  'no-records': '{at} with {query} answered with nothing, although there are records',
  'neither-records-nor-error':
    '{at} with {query} answered neither with records nor with a 400-class error',
  'page-empty': '{at} with {query} answered with an empty page, although there are items',
  'neither-page-nor-error':
    '{at} with {query} answered neither with a page nor with a 400-class error',
  'other-default-size': '{at} without page_size answered with pages of another size',
  'above-maximum': '{at} with {query} answered with more than the maximum',
  'limit-exceeded': '{at} with {query} answered with more than {limit}',
  'limit-not-used': '{at} with {query} gives less, although other answers have more',
  'records-left-out': '{at} with {query} leaves out records that other answers have',
  'record-of-no-other':
    '{at} with {query} has a {record} that the answer to a larger limit does not have',
  'record-skipped':
    '{at} with {query} leaves out a {record} from the middle of the answer to a larger limit',
  'same-figures':
    '{at} has the same figures for {name} as for {other} on all {days} days that both show',
  'envelope-out-of-range': 'The envelope of {at} with {query} says that the value is in use',
  'page-above-maximum': '{at} with {query} answered with a page beyond the maximum',
  'page-below-minimum': '{at} with {query} answered with a page below the minimum',
  'page-does-not-continue': 'Page {page} of {at} does not go on where page {before} ends',
  'page-refused': '{at} refuses page {page}, although there is one',
  'total-of-items': 'total of {at} does not count the items',
  'total-changes': 'total of {at} differs from page to page',
  'page-size-cut': '{at} cuts pages of {size} to another size',
  'page-too-long': '{at} with {query} answered with more items than asked for',
  'page-not-full': 'Page {page} of {at} is not full, although it is not the last',
  'envelope-differs': 'The envelope of {at} with {query} says another {field}',
  'part-differs':
    '{at} gives a different {field} for the {record} of {identity} than the plain answer',
  'old-range':
    '{at} with a range that starts beyond the window answered in another way than the specification leaves room for',
  'recent-range-refused': '{at} refuses a range inside of the recent days',
  'outside-range': '{at} answered with {records} outside of the range asked for',
  'range-left-out': '{at} left {records} of the range out that other answers have',
  'beyond-window': '{at} reaches back further than the window: {records}',
  'later-row-after': '{at}: a row has a later date than the row before it{more}',
  'day-twice': '{at}: a trading day has more than one row{more}',
  weekend: '{at}: there is a row for a day of the weekend{more}',
  holiday: '{at}: there is a row for an exchange holiday{more}',
  'rows-outdated': '{at} has no row of the last {days} trading days',
  'cumulative-sum':
    '{at}: {field} of {date} is not that of {before} plus the inflow of the day{more}',
  'details-without-field': 'The details of the refusal of {at} {because}do not name the field',
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
