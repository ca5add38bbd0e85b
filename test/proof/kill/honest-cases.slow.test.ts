// The innocent behaviour that was ever taken for a violation, or left undecided: each by name, several on one server.
import { beforeAll, describe, expect, it } from 'vitest';
import { proveTasks } from '../../kept/prove.ts';
import type { ProofTask, Service } from './catalogue.ts';
import { choicesIn, problemsOf } from './worlds.ts';

/**
 * Everything innocent that a conformance suite is tempted to accuse (rulings 3 to 13, 17, 20 and 22) or to leave undecided, and
 * that once was: the choices of a deployment of the reference server that are such a case, and those of the independent
 * service. Each of several in a list is a case: choices of one kind exclude each other.
 */
const HONEST_CASES: readonly (readonly [
  name: string,
  reference: readonly string[],
  independent: readonly string[],
])[] = [
  [
    'a missing parameter told in other words',
    ['message-of-missing-parameters=missing-parameter-in-words'],
    ['missing-message=is-required', 'missing-message=must-not-be-empty', 'missing-message=spring'],
  ],
  ['two missing parameters in one message', [], ['missing-several=all']],
  [
    'lists without a stated shape that demand a parameter',
    [],
    ['etf-list=needs-parameter chart-data=needs-parameter'],
  ],
  ['a range beyond the window refused in own words', [], ['beyond=refuse-403']],
  ['text after the name of the parameter', [], ['invalid-suffix=reason']],
  [
    'an unknown country refused as a pair that is not listed',
    ['refusal-of-an-unknown-country=unknown-country-unsupported'],
    ['unknown-country=listing'],
  ],
  [
    'a reset made by adding up clocks, or rounded',
    ['announced-reset=seconds-left-added-to-the-clock', 'announced-reset=nearest-second'],
    ['reset=ttl', 'reset=seconds-up', 'reset=jitter'],
  ],
  [
    'currencies without a project or an economy of tokens',
    ['currencies-without-token-economics-or-fundraising=economics-for-some'],
    ['economics=some-404 fundraising=some-404'],
  ],
  ['a default of rows that reaches back beyond the window', [], ['plain-reach=default-rows']],
  [
    'lists that show other names than the path takes',
    ['lists-without-a-stated-shape=display-names-only'],
    ['event-list=display-and-path sector-list=display-and-path'],
  ],
  [
    'exchanges that are asked for by slug',
    ['names-of-exchanges=exchange-by-slug'],
    ['exchanges=slug'],
  ],
  ['1D for 1d and blanks around values', [], ['folding=folded trimming=yes']],
  [
    'figures that cannot exist',
    ['figures-that-cannot-exist=figures-that-do-not-exist'],
    ['stock-losses=all macro-unreleased=forecast-too undisclosed=null'],
  ],
  [
    'two unsettled rows before the deadline of the older one',
    ['unsettled-row=settles-a-day-later'],
    ['etf-settled=next-evening'],
  ],
  [
    'a history that the probe of the limiter repeats',
    [],
    ['etf-age=one-day etf-row-from=close etf-settled=next-midnight indices=0'],
  ],
  ['pairs that change places with the price', [], ['live=every-request']],
  ['the limit of an ETF history ignored', [], ['etf-limit=ignored']],
  ['the page of a firewall', [], ['firewall=html-403']],
  [
    'a volume in text, rounded to cents',
    ['ETF-volume=volume-rounded'],
    ['etf-volume=rounded-text'],
  ],
  ['an identifier that the refusal repeats', [], ['unknown-message=resource details=more']],
  ['markup that browsers read well', ['markup-of-news=news-loose-markup'], []],
  ['a Date that is off', ['date-header=date-behind', 'date-header=date-ahead'], []],
  ['a clock that is off', [], ['clock-off=30', 'clock-off=-58']],
  [
    'requests looked at before their key',
    ['order-of-path-and-key=request-before-key'],
    ['order=route-values-key-limit'],
  ],
  ['any text is a well-formed identifier', [], ['id-check=unknown']],
  [
    'no rounds in the first four currencies',
    [],
    ['fundraising=first-four-empty', 'fundraising=first-four-404'],
  ],
  ['no news of the category asked for', [], ['news-categories=without-13']],
  ['fewer than twenty news', [], ['news=7']],
  ['no news at all', [], ['news=0']],
  ['one category of news', [], ['news-categories=one']],
  ['no social posts', [], ['news-kinds=articles']],
  ['titles of two words', [], ['news-titles=two-words']],
  ['short quotes or none', ['texts-of-news=short-quotes', 'texts-of-news=empty-quotes'], []],
  ['one pair', [], ['pairs=1']],
  ['no pairs', [], ['pairs=0']],
  ['a first macro event without history', [], ['macro-history=first-without']],
  ['dates of macro rows in another format', ['macro-dates=with-slashes'], ['macro-dates=words']],
  ['an empty list of charts', [], ['charts=0']],
  ['one row of an ETF', [], ['etf-age=one-day']],
  ['a listing of three days', [], ['kline-age=newborn stock-age=all-young']],
  ['no ETF on bitcoin in the United States', [], ['etf-listings=btc-us-empty']],
  ['windows that end at other times for other keys', [], ['limiter=aligned-by-key']],
  ['a key that somebody else uses, too', [], ['shared-key=now-and-then']],
  ['no Date', ['date-header=no-date'], ['date=none']],
  ['ties in the order of pairs and two releases a day', [], ['pair-ties=many macro-twice=yes']],
  [
    'more fields in one record than in the others',
    ['extra-fields=extra-fields'],
    ['extra-fields=one-record'],
  ],
  [
    'one kind of investors, or no rounds',
    ['fundraising-figures=one-kind-of-investors'],
    ['empty-lists=empty'],
  ],
  ['dates such as 20261121', [], ['macro-dates=compact']],
  ['control characters in texts', [], ['names=controls']],
];

interface HonestCase {
  readonly name: string;
  readonly service: Service;
  readonly choices: Readonly<Record<string, string>>;
}

/** Every case of the table, by service and choices. */
const CASES: readonly HonestCase[] = HONEST_CASES.flatMap(([name, reference, independent]) => {
  const of = (service: Service, lists: readonly string[]): HonestCase[] =>
    lists.map((list) => ({
      name: `${name} (${service}: ${list})`,
      service,
      choices: choicesIn(list.split(' '), service),
    }));
  return [...of('reference', reference), ...of('independent', independent)];
});

/** True for a case of which there is nothing: it would hide others of its kind. */
const isEmpty = ({ choices }: HonestCase): boolean =>
  Object.values(choices).some((value) => value === '0' || value.startsWith('none'));

/**
 * Packs cases into few deployments: each takes every case that contradicts nothing in it, up to `most` of them. Those with
 * nothing keep to themselves.
 */
function packed(cases: readonly HonestCase[], most: number) {
  const deployments: { service: Service; choices: Record<string, string>; cases: HonestCase[] }[] =
    [];
  for (const one of cases) {
    const names = Object.keys(one.choices);
    const room = deployments.find(
      ({ service, choices, cases: held }) =>
        service === one.service &&
        held.length < most &&
        held.every((other) => isEmpty(other) === isEmpty(one)) &&
        names.every((name) => choices[name] === undefined),
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

/** Many at once hide each other: a server without news is no server with odd news. */
const MOST = 10;
const FIRST_SEED = 1;

const problems = new Map<HonestCase, readonly string[]>();

beforeAll(async () => {
  const deployments = packed(CASES, MOST);
  const tasks = deployments.map(({ service, choices, cases }, index): ProofTask => ({
    name: `${index}: ${cases.map(({ name }) => name).join(', ')}`,
    service,
    faults: [],
    variants: [],
    profile: 'standard',
    validKeys: 1,
    seed: 1,
    world: { seed: FIRST_SEED + index, choices },
  }));
  const results = await proveTasks(tasks);
  for (const [index, { cases }] of deployments.entries()) {
    const result = results[index];
    const found = result === undefined ? ['did not run'] : problemsOf(result);
    const told = found.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
    for (const one of cases) problems.set(one, told);
  }
}, 900_000);

describe('is neither accused nor left undecided', () => {
  it.each(CASES.map((one) => [one.name, one] as const))('%s', (_, one) => {
    expect(problems.get(one)).toEqual([]);
  });
});

describe('the list', () => {
  it('holds every case once', () => {
    expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
  });

  it('is packed without loss or contradiction', () => {
    const deployments = packed(CASES, MOST);
    expect(deployments.flatMap(({ cases }) => cases).toSorted(byName)).toEqual(
      CASES.toSorted(byName),
    );
    for (const { choices, cases } of deployments) {
      for (const one of cases) expect(choices).toMatchObject(one.choices);
    }
  });
});

const byName = (a: HonestCase, b: HonestCase): number => (a.name < b.name ? -1 : 1);
