import { ENDPOINT_PATHS, endpoint, type EndpointPath } from '../contract/endpoints.ts';
import { FIELDS, RESOURCE_NAMES } from '../contract/resources.ts';
import type { Need, Requirement } from '../requirements/catalogue.ts';
import { rulesFor } from '../requirements/judging.ts';

/** What recorded traffic as a whole shows, as far as reasons need it. */
export interface Shown {
  /** Endpoints of which at least one answer was judged. */
  readonly endpoints: ReadonlySet<EndpointPath>;
  /** True when all of it is the traffic of a run of Assay. */
  readonly complete: boolean;
}

const KEYS: Readonly<Partial<Record<Need, string>>> = {
  'disabled-key': 'a request with a disabled key: name the key as keys.disabled in a target file',
  'expired-key': 'a request with an expired key: name the key as keys.expired in a target file',
  'restricted-key':
    'requests with a key without access to some endpoint: name the key as keys.restricted in a target file',
  'near-quota-key': 'all requests of a key up to the end of its monthly quota',
};

/** What would have to be in a recording before these can be judged. */
const NEEDED: Readonly<Record<string, string>> = {
  '4/other-methods': 'a request with another method than GET',
  '4.4/t1-completes':
    'the history of an ETF while its newest row is unsettled, and again on the next trading day',
  '5/key-required': 'a request without a key, in a recording where other requests show theirs',
  '5/missing-key-code': 'a request without a key, in a recording where other requests show theirs',
  '5/unknown-key':
    'a key that is known never to have been issued, which a recording cannot tell from any other',
  '5/header-case': 'the key header in the letters that were sent, which recordings do not keep',
  '7/unknown-path': 'a request to a path that no version of the service has',
  '7/currency-not-found':
    'a request for a currency that is known not to exist: name it as fixtures.unknownCurrencyId in a target file',
  '7/currency-not-found-message':
    'a request for a currency that is known not to exist: name it as fixtures.unknownCurrencyId in a target file',
  '7/malformed-currency-id':
    'a request with a currency id of the wrong form: name it as fixtures.malformedCurrencyId in a target file',
  '7/unknown-resource': 'a request for something that is known not to exist',
  '7/unknown-resource-no-record': 'a request for something that is known not to exist',
  '7/not-found-details': 'a request for something that is known not to exist',
  '8/limit-enforced':
    'a burst: more requests of one key in one window than the limit admits, with what came of them',
  '8/limit-not-early':
    'a whole window of one key from its first request to a refusal, used by nobody else',
  '8/per-key': 'two keys in use in the same window, one of them near its limit',
  '8/reset': 'a request of a refused key after the announced reset',
  '8/refused-counted': 'every request of one key, which recorded traffic cannot promise',
  '8/window-kind': 'several answers of one key with the rate-limit headers',
};

/** Endings of ids, and the request that puts the requirement to the test. */
const BY_SLUG: readonly (readonly [RegExp, string])[] = [
  [/^8\/(refusal|retry)/, 'an answer 429 of the rate limiter'],
  [/^8\/(header|remaining|reset-steady)/, 'an answer with the rate-limit headers'],
  [
    /^5\/details/,
    'a refusal that is known to be about the key, such as that of a request without one',
  ],
  [/-required$/, 'a request that leaves the parameter out'],
  [
    /(enum|enum-code|unknown|symbol-message|symbol-constraint)$/,
    'a request with a value outside of the list',
  ],
  [/unlisted/, 'a request for a symbol that is not listed in the country'],
  [
    /(limit|page|page-size)-(invalid|minimum)$/,
    'a request with a value below the minimum, or that is no number',
  ],
  [/max-accepted$|page-size-bounds$/, 'a request with exactly the maximum'],
  [/(limit|size)-max$|max-items$/, 'a request for more than the maximum'],
  [/default$/, 'a request that leaves the parameter out'],
  [/limit-exact$/, 'a request with a limit, close in time to one with more records'],
  [
    /(limit-part|pages-join|pages-differ|languages-share-ids|exchange-complete|total)$/,
    'two requests for parts of one list within a few minutes',
  ],
  [/-case$/, 'the same request in two letter cases'],
  [/(range|time-filter)$/, 'a request with a start or an end'],
  [/window(-answer)?$/, 'a request that reaches back beyond the window'],
  [/filter|order-by|category-list/, 'a request with that parameter'],
  [/^7\//, 'an answer that refuses a request'],
];

/** Why recorded traffic says nothing about a requirement, and which request would change that. */
export function whyUntested(requirement: Requirement, shown: Shown): string {
  const { id, needs = [] } = requirement;
  if (rulesFor(id).length === 0) {
    return 'recorded traffic cannot show it: a run asks for it with requests of its own';
  }
  const key = needs.flatMap((need) => KEYS[need] ?? [])[0];
  const needed = key ?? NEEDED[id] ?? BY_SLUG.find(([pattern]) => pattern.test(id))?.[1];
  const endpoints = endpointsOf(requirement);
  const missing = endpoints.length > 0 && !endpoints.some((one) => shown.endpoints.has(one));
  if (missing) {
    const [first] = endpoints;
    const others = endpoints.length > 1 ? ' or another endpoint of its kind' : '';
    const purpose = first === undefined ? '' : endpoint(first).purpose;
    return `no answer with ${purpose} was recorded: needs GET ${first ?? ''}${others}`;
  }
  return needed === undefined
    ? 'no recorded answer shows it'
    : `no recorded answer shows it: needs ${needed}`;
}

/** Reason when a refusal was seen without proof that it is about what was wrong with the request. */
export const NO_CONTROL =
  'was refused as it should, but without a control: needs a good request to the same endpoint that succeeds, so that the refusal cannot have another cause';

/** Endpoints whose answers a requirement is about; empty when it is about all of them. */
export function endpointsOf({ id, section }: Requirement): readonly EndpointPath[] {
  if (section.startsWith('2.')) {
    const resources = RESOURCE_NAMES.filter((name) =>
      FIELDS[name].some((field) => field.id.startsWith(`${section}/`)),
    );
    const named = resources.filter((name) => FIELDS[name].some((field) => field.id === id));
    const wanted = named.length > 0 ? named : resources;
    return ENDPOINT_PATHS.filter((path) => {
      const { resource } = endpoint(path).response;
      return resource !== undefined && wanted.includes(resource);
    });
  }
  const inSection = ENDPOINT_PATHS.filter((path) => endpoint(path).section === section);
  const slug = id.slice(id.indexOf('/') + 1);
  const named = inSection.filter((path) => {
    const last = path.split('/').findLast((part) => !part.startsWith('{')) ?? '';
    return slug === last || slug.startsWith(`${last}-`);
  });
  if (named.length > 0) return named;
  if (section === '4.6' && slug.startsWith('macro')) return ['/macro/events/{event}/history'];
  return section === '4.2' ? ['/news'] : inSection;
}
