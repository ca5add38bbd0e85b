import type { Service } from './catalogue.ts';

/** Something innocent that a conformance suite is tempted to accuse, or to leave undecided. */
export interface HonestCase {
  readonly name: string;
  readonly service: Service;
  /** What a deployment chooses to be such a case. */
  readonly choices: Readonly<Record<string, string>>;
}

type Choices = HonestCase['choices'];

const both = (name: string, reference: Choices, independent: Choices): HonestCase[] => [
  ...of('reference', name, reference),
  ...of('independent', name, independent),
];

/** One case for each choice: choices of one kind exclude each other, and each has to be seen. */
const of = (service: Service, name: string, ...all: readonly Choices[]): HonestCase[] =>
  all.map((choices) => {
    const what = Object.entries(choices).map(([key, value]) => `${key}=${value}`);
    return { name: `${name} (${service}: ${what.join(' ')})`, service, choices };
  });

/** What was once accused although it is allowed (rulings 3 to 13, 17, 20 and 22). */
const ACCUSED: readonly HonestCase[] = [
  ...of(
    'reference',
    'a missing parameter told in other words',
    { 'message-of-missing-parameters': 'missing-required-parameter' },
    { 'message-of-missing-parameters': 'sentence-with-quotes' },
    { 'message-of-missing-parameters': 'upper-case-start' },
  ),
  ...of(
    'independent',
    'a missing parameter told in other words',
    { 'missing-message': 'is-required' },
    { 'missing-message': 'must-not-be-empty' },
    { 'missing-message': 'spring' },
  ),
  ...both(
    'two missing parameters in one message',
    { 'message-of-missing-parameters': 'all-at-once' },
    { 'missing-several': 'all' },
  ),
  ...both(
    'lists without a stated shape that demand a parameter',
    { 'open-endpoints': 'demand-a-parameter' },
    { 'etf-list': 'needs-parameter', 'chart-data': 'needs-parameter' },
  ),
  ...both(
    'a range beyond the window refused in own words',
    { 'beyond-the-window': 'refused-in-own-words' },
    { beyond: 'refuse-403' },
  ),
  ...both(
    'text after the name of the parameter',
    { 'message-of-wrong-parameters': 'with-hint' },
    { 'invalid-suffix': 'reason' },
  ),
  ...both(
    'an unknown country refused as a pair that is not listed',
    { 'refusal-of-an-unknown-country': 'unknown-country-unsupported' },
    { 'unknown-country': 'listing' },
  ),
  ...of(
    'reference',
    'a reset made by adding up clocks, or rounded',
    { 'announced-reset': 'some-ms-off' },
    { 'announced-reset': 'seconds-left-added-to-the-clock' },
    { 'announced-reset': 'nearest-second' },
  ),
  ...of(
    'independent',
    'a reset made by adding up clocks, or rounded',
    { reset: 'ttl' },
    { reset: 'seconds-up' },
    { reset: 'jitter' },
  ),
  ...both(
    'currencies without a project or an economy of tokens',
    { 'currencies-without-token-economics-or-fundraising': 'economics-for-some' },
    { economics: 'some-404', fundraising: 'some-404' },
  ),
  ...both(
    'a default of rows that reaches back beyond the window',
    {
      'reach-of-candles': 'longer-without-a-range',
      'reach-of-etf-rows': 'longer-summary-without-a-range',
    },
    { 'plain-reach': 'default-rows' },
  ),
  ...of(
    'reference',
    'identifiers made up as unknown that exist',
    { 'currency-ids': 'numbers-of-a-catalogue' },
    { 'currency-ids': 'small-numbers' },
  ),
  ...both(
    'lists that show other names than the path takes',
    { 'lists-without-a-stated-shape': 'display-names-only' },
    { 'event-list': 'display-and-path', 'sector-list': 'display-and-path' },
  ),
  ...both(
    'exchanges that are asked for by slug',
    { 'names-of-exchanges': 'exchange-by-slug' },
    { exchanges: 'slug' },
  ),
  ...both(
    '1D for 1d and blanks around values',
    { 'letter-case-and-blanks-of-values': 'trimmed-and-folded' },
    { folding: 'folded', trimming: 'yes' },
  ),
  ...both(
    'figures that cannot exist',
    { 'figures-that-cannot-exist': 'figures-that-do-not-exist', 'stock-figures': 'no-pe' },
    { 'stock-losses': 'all', 'macro-unreleased': 'forecast-too', undisclosed: 'null' },
  ),
  ...both(
    'two unsettled rows before the deadline of the older one',
    { settlement: 'two-rows-open' },
    { 'etf-settled': 'next-evening' },
  ),
  ...both(
    'pairs that change places with the price',
    { 'order-of-pairs': 'moves-with-each-request' },
    { live: 'every-request' },
  ),
  ...both(
    'the limit of an ETF history ignored',
    { 'limit-of-etf-history': 'ignored' },
    { 'etf-limit': 'ignored' },
  ),
  ...both('the page of a firewall', { firewall: 'in-front' }, { firewall: 'html-403' }),
  ...both(
    'a volume in text, rounded to cents',
    { 'ETF-volume': 'string-rounded-to-cents' },
    { 'etf-volume': 'rounded-text' },
  ),
  ...both(
    'an identifier that the refusal repeats',
    { 'message-of-unknown-resources': 'with-the-identifier' },
    { 'unknown-message': 'resource', details: 'more' },
  ),
  ...of(
    'reference',
    'markup that browsers read well',
    { 'html-of-news': 'source-in-picture' },
    { 'html-of-news': 'bare-less-than' },
  ),
  ...of('reference', 'a Date that is off', { 'date-header': '5-s-behind' }, { Date: 'date-ahead' }),
  ...of('independent', 'a clock that is off', { 'clock-off': '30' }, { 'clock-off': '-58' }),
  ...of(
    'reference',
    'requests looked at before their key',
    { 'order-of-path-and-key': 'request-before-key' },
    { 'order-of-path-and-key': 'parameters-before-key' },
  ),
  ...of('independent', 'requests looked at before their key', {
    order: 'route-values-key-limit',
  }),
];

/** What was once left undecided because there was little of it. */
const THIN: readonly HonestCase[] = [
  ...both(
    'any text is a well-formed identifier',
    { 'form-of-currency-ids': 'any' },
    { 'id-check': 'unknown' },
  ),
  ...of(
    'independent',
    'no rounds in the first four currencies',
    { fundraising: 'first-four-empty' },
    { fundraising: 'first-four-404' },
  ),
  ...both(
    'no news of the category asked for',
    { 'categories-of-news': 'no-stock-news' },
    { 'news-categories': 'without-13' },
  ),
  ...both('fewer than twenty news', { news: '5' }, { news: '7' }),
  ...both('no news at all', { news: '0' }, { news: '0' }),
  ...both(
    'one category of news',
    { 'categories-of-news': 'news-only' },
    { 'news-categories': 'one' },
  ),
  ...both('no social posts', { 'kinds-of-news': 'no-posts' }, { 'news-kinds': 'articles' }),
  ...both(
    'titles of two words',
    { 'texts-of-news': 'titles-of-two-words' },
    { 'news-titles': 'two-words' },
  ),
  ...of(
    'reference',
    'short quotes or none',
    { 'texts-of-news': 'short-quotes' },
    { 'texts-of-news': 'empty-quotes' },
  ),
  ...both('one pair', { pairs: '1' }, { pairs: '1' }),
  ...both('no pairs', { pairs: '0' }, { pairs: '0' }),
  ...both(
    'a first macro event without history',
    { macro: 'first-without-history' },
    { 'macro-history': 'first-without' },
  ),
  ...both(
    'dates of macro rows in another format',
    { 'macro-dates': 'with-slashes' },
    { 'macro-dates': 'words' },
  ),
  ...both('an empty list of charts', { charts: 'none' }, { charts: '0' }),
  ...both('one row of an ETF', { 'etf-history': 'one-row' }, { 'etf-age': 'one-day' }),
  ...both(
    'a listing of three days',
    { 'etf-history': 'three-rows', candles: 'young-currencies' },
    { 'kline-age': 'newborn', 'stock-age': 'all-young' },
  ),
  ...both(
    'no ETF on bitcoin in the United States',
    { 'etf-listings': 'none-on-bitcoin' },
    { 'etf-listings': 'btc-us-empty' },
  ),
  ...both(
    'windows that end at other times for other keys',
    { 'kind-of-window': 'other-for-each-key', 'valid-keys': 'two' },
    { limiter: 'aligned-by-key' },
  ),
  ...both(
    'a key that somebody else uses, too',
    { 'other-users-of-the-key': 'one' },
    { 'shared-key': 'now-and-then' },
  ),
  ...both('no Date', { 'date-header': 'none' }, { date: 'none' }),
];

/** What was once taken for a choice of the target, or made a judgement throw. */
const DATA: readonly HonestCase[] = [
  ...of('independent', 'ties in the order of pairs and two releases a day', {
    'pair-ties': 'many',
    'macro-twice': 'yes',
  }),
  ...both(
    'more fields in one record than in the others',
    { 'extra-fields': 'extra-fields' },
    { 'extra-fields': 'one-record' },
  ),
  ...both(
    'one kind of investors, or no rounds',
    { 'fundraising-figures': 'one-kind-of-investors' },
    { 'empty-lists': 'empty' },
  ),
  ...both('dates such as 20261121', { 'macro-dates': 'compact' }, { 'macro-dates': 'compact' }),
  ...both(
    'control characters in texts',
    { 'texts-of-news': 'control-characters' },
    { names: 'controls' },
  ),
];

/** Everything innocent that was ever accused or left undecided, by name. */
export const HONEST_CASES: readonly HonestCase[] = [...ACCUSED, ...THIN, ...DATA];

/** A deployment that is several cases at once. */
export interface Deployment {
  readonly service: Service;
  readonly choices: Choices;
  readonly cases: readonly HonestCase[];
}

/** True for a case of which there is nothing: it would hide others of its kind. */
const isEmpty = ({ choices }: HonestCase): boolean =>
  Object.values(choices).some((value) => value === '0' || value.startsWith('none'));

/**
 * Packs cases into few deployments: each takes every case that contradicts nothing in it, up to `most` of them. Those with
 * nothing keep to themselves.
 */
export function packed(cases: readonly HonestCase[], most: number): Deployment[] {
  const deployments: { service: Service; choices: Record<string, string>; cases: HonestCase[] }[] =
    [];
  for (const one of cases) {
    const entries = Object.entries(one.choices);
    const room = deployments.find(
      ({ service, choices, cases: held }) =>
        service === one.service &&
        held.length < most &&
        held.every((other) => isEmpty(other) === isEmpty(one)) &&
        entries.every(([name]) => choices[name] === undefined),
    );
    if (room === undefined) {
      deployments.push({ service: one.service, choices: { ...one.choices }, cases: [one] });
    } else {
      Object.assign(room.choices, one.choices);
      room.cases.push(one);
    }
  }
  return deployments;
}
