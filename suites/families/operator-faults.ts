import { FIELDS, PAGE_FIELDS, RESOURCE_NAMES, type Field } from '../../src/spec/resources.ts';
import type { RequirementId } from '../../src/spec/requirement-id.ts';
import type { Fault } from '../../src/reference/faults/fault.ts';
import { isObject, retyped, rowsOf } from '../../src/reference/json.ts';
import { operatorFaults } from '../../src/reference/operators/operators.ts';
import { always, endpointIs, onBody, type Condition } from '../../src/reference/vocabulary.ts';
import type { Json } from '../../src/reference/world.ts';

/** Shape faults that show in any answer with a few rows. */
const SHAPE = /^op\/(?:missing|null|retyped)\/(?!.*\/(?:one-entity|page-2)$)/;

/**
 * One fault per field of §2, taken from the generated operators in turn, so that kinds and positions vary. Featured
 * news shares the requirements of news.
 */
function fieldFaults(): readonly Fault[] {
  const fields = RESOURCE_NAMES.flatMap((resource) => FIELDS[resource].map(({ id }) => id));
  const made = operatorFaults().filter(
    ({ id, level, endpoint }) =>
      SHAPE.test(id) && level === 'must' && endpoint !== '/news/featured',
  );
  return [...new Set(fields)].flatMap((field, index) => {
    const own = made.filter((one) => one.field === field);
    const fault = own[index % own.length];
    return fault === undefined ? [] : [{ ...fault, kills: [field] }];
  });
}

/** What operators generate anyway, by the requirement that it must turn red. */
const GENERATED: Partial<Record<RequirementId, `op/${string}`>> = {
  '4.1/info': 'op/body/currencies-one/in-array',
  '4.1/token-economics': 'op/body/currencies-token-economics/null',
  '4.1/fundraising': 'op/body/currencies-fundraising/in-array',
  '4.1/own-record': 'op/other-record/currencies-pairs/always-the-first',
  '2.2/price-agrees': 'op/other-record/currencies-market-snapshot/always-the-first',
  '4.1/klines': 'op/body/currencies-klines/in-object',
  '4.1/klines-interval-required': 'op/lax/currencies-klines.interval/optional',
  '4.1/klines-limit-default': 'op/default/currencies-klines.limit/10',
  '4.1/klines-limit-exact': 'op/off-by-one/currencies-klines.limit/one-less',
  '4.1/klines-one-order': 'op/order/currencies-klines/middle-swapped',
  '4.1/klines-own': 'op/other-record/currencies-klines/always-the-first',
  '4.1/klines-range': 'op/ignored/currencies-klines.end_time',
  '4.1/pairs': 'op/body/currencies-pairs/bare-list',
  '4.1/pairs-page-size-default': 'op/default/currencies-pairs.page_size/10',
  '4.1/pairs-page-size-max-accepted': 'op/bound/currencies-pairs.page_size/maximum-refused',
  '4.1/pairs-page-echo': 'op/paging/currencies-pairs/page-always-1',
  '4.1/pairs-exchange-filter': 'op/ignored/currencies-pairs.exchange/page-2',
  '4.1/pairs-total': 'op/paging/currencies-pairs/total-of-page',
  '4.2/news': 'op/body/news/bare-list',
  '4.2/category-filter': 'op/ignored/news.category/with-currency_id',
  '4.2/currency-filter': 'op/ignored/news.currency_id',
  '4.2/page-default': 'op/default/news.page/2',
  '4.2/page-size-max-accepted': 'op/bound/news.page_size/maximum-refused',
  '4.2/page-invalid': 'op/crash/news.page_size/text',
  '4.2/page-echo': 'op/paging/news/page-size-20',
  '4.2/pages-join': 'op/paging/news/page-2-again',
  '4.2/time-filter': 'op/ignored/news.end_time',
  '4.2/total': 'op/paging/news/total-of-page',
  '4.2/featured': 'op/body/news-featured/bare-list',
  '4.2/featured-page-required': 'op/lax/news-featured.page/optional',
  '4.2/featured-page-size-required': 'op/lax/news-featured.page_size/optional',
  '4.2/featured-page-size-minimum': 'op/bound/news-featured.page_size/minimum-one-less',
  '4.2/featured-page-size-bounds': 'op/bound/news-featured.page_size/maximum-refused',
  '4.2/featured-page-echo': 'op/paging/news-featured/page-from-0',
  '4.2/featured-pages-differ': 'op/paging/news-featured/gap',
  '4.2/featured-total': 'op/paging/news-featured/total-left',
  '4.2/featured-language': 'op/ignored/news-featured.language/with-category',
  '4.2/featured-category-filter': 'op/ignored/news-featured.category/with-language',
  '4.3/country-required': 'op/lax/etfs-summary-history.country_code/optional',
  '4.3/limit-default': 'op/default/etfs-summary-history.limit/10',
  '4.3/limit-max': 'op/crash/etfs-summary-history.limit/over-maximum',
  '4.3/limit-max-accepted': 'op/bound/etfs-summary-history.limit/maximum-refused',
  '4.3/range': 'op/ignored/etfs-summary-history.end_date',
  '4.4/limit-default': 'op/default/etfs-history.limit/10',
  '4.4/limit-max': 'op/crash/etfs-history.limit/over-maximum',
  '4.4/limit-max-accepted': 'op/bound/etfs-history.limit/maximum-refused',
  '4.4/limit-invalid': 'op/crash/etfs-history.limit/text',
  '4.4/range': 'op/ignored/etfs-history.end_date',
  '4.4/t1-group': 'op/settlement/etfs-history.prem_dsc/early',
  '4.5/market-snapshot': 'op/body/crypto-stocks-market-snapshot/in-array',
  '4.5/klines': 'op/body/crypto-stocks-klines/in-object',
  '4.5/klines-interval-required': 'op/lax/crypto-stocks-klines.interval/optional',
  '4.5/klines-limit-default': 'op/default/crypto-stocks-klines.limit/10',
  '4.5/klines-limit-exact': 'op/off-by-one/crypto-stocks-klines.limit/one-less',
  '4.5/klines-limit-invalid': 'op/crash/crypto-stocks-klines.limit/text',
  '4.5/klines-one-order': 'op/order/crypto-stocks-klines/middle-swapped',
  '4.5/klines-own': 'op/other-record/crypto-stocks-klines/always-the-first',
  '4.5/klines-range': 'op/ignored/crypto-stocks-klines.end_time',
  '4.6/macro-history': 'op/body/macro-events-history/in-object',
  '4.6/macro-range': 'op/ignored/macro-events-history.start_date',
  '5/key-required': 'op/key/everywhere/none-admitted',
  '5/unknown-key': 'op/key/everywhere/shortened',
  '5/disabled-key': 'op/key/everywhere/disabled-taken-for-another',
  '5/details-header': 'op/error/expired-key/details-header-missing',
  '8/header-limit': 'op/rate-header/limit/one-more/after-reset',
  '8/header-remaining': 'op/rate-header/remaining/negative/on-refusals',
  '8/header-reset': 'op/rate-header/reset/seconds/everywhere',
  '8/refusal-headers': 'op/rate-header/reset/missing-on-refusals',
  '8/refusal-limit': 'op/rate-refusal/limit-text',
  '8/refusal-window': 'op/rate-refusal/window-number',
  '8/retry-after': 'op/rate-refusal/retry-text',
};

function generatedFaults(): readonly Fault[] {
  const kills = Object.entries(GENERATED) as [RequirementId, string][];
  return kills.map(([requirement, id]) => {
    const fault = operatorFaults().find((one) => one.id === id);
    if (fault === undefined) throw new Error(`No operator generates ${id}.`);
    return { ...fault, kills: [requirement] };
  });
}

const PAGE_DEFECTS: readonly {
  readonly name: string;
  readonly says: string;
  readonly when: Condition;
  readonly change: (value: Json) => Json | undefined;
}[] = [
  { name: 'omit', says: 'left out', when: always, change: () => undefined },
  { name: 'retype', says: 'of a different type', when: always, change: retyped },
  {
    name: 'null',
    says: 'null in featured news',
    when: endpointIs('/news/featured'),
    change: () => null,
  },
];

function pageFault({ id, path }: Field, index: number): readonly Fault[] {
  const field = path.slice(1);
  const slot = index % PAGE_DEFECTS.length;
  return PAGE_DEFECTS.slice(slot, slot + 1).map(({ name, says, when, change }) => ({
    id: `${name}-page-${field.replaceAll('_', '-')}`,
    title: `Paging envelope: ${field} is ${says}`,
    kills: [id],
    hooks: onBody(when, (value) => {
      const rows = rowsOf(value);
      if (rows === undefined || !isObject(value)) return value;
      const { [field]: old = null, ...others } = value;
      const changed = change(old);
      // Keep the rows under another name, so that only the list is missing.
      if (field === 'list') return { ...others, items: rows };
      return changed === undefined ? others : { ...others, [field]: changed };
    }),
  }));
}

/** Faults that operators generate, and one for every field of the paging envelope; made on demand, since they take a while. */
export const generatedAndPageFaults = (): readonly Fault[] => [
  ...fieldFaults(),
  ...PAGE_FIELDS.flatMap(pageFault),
  ...generatedFaults(),
];
