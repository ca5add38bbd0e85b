// §2.7 matched_currencies: names of matched currencies.
import { isJudgeable, type Context } from '../../src/judge/context.ts';
import { show } from '../../src/judge/judgement.ts';
import { newsItems } from '../../src/judge/news-items.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { objectsOf, valuesAt } from '../../src/judge/values-at.ts';
import { isObject, type View } from '../../src/judge/view.ts';
import { judgeValues } from './judge.ts';

/** Ruling 22: `full_name` is the name in currency info (§2.1), `name` the symbol. Other spellings are not judged. */
export const matchedNames = judgeAll((views, context, it) => {
  const known = knownCurrencies(views, context);
  for (const view of known.size === 0 ? [] : views) {
    const matched = isJudgeable(view, context)
      ? newsItems(view).flatMap((item) => valuesAt(item, '/matched_currencies/*'))
      : [];
    judgeValues(
      view,
      matched.filter(({ value }) => isObject(value) && known.has(String(value['id']))),
      {
        kind: 'name-for-symbol',
        expected: 'name: the symbol of currency info; full_name: its name',
        holds: (value) => !isObject(value) || !isSwapped(value, known),
        actual: ({ value }) =>
          isObject(value)
            ? `name ${show(value['name'])}, full_name ${show(value['full_name'])}`
            : show(value),
      },
      it,
    );
  }
});

/** Name and symbol of a currency, in upper case. */
interface Names {
  readonly name: string;
  readonly symbol: string;
}

const upper = (value: unknown): string =>
  typeof value === 'string' ? value.trim().toUpperCase() : '';

/** Name and symbol of a record, if both are present and differ. */
function namesOf(record: Readonly<Record<string, unknown>>): Names | undefined {
  const [name, symbol] = [upper(record['name']), upper(record['symbol'])];
  return name === '' || symbol === '' || name === symbol ? undefined : { name, symbol };
}

/** Currencies by id, from currency info (§2.1). */
function knownCurrencies(views: readonly View[], context: Context): ReadonlyMap<string, Names> {
  const known = views
    .flatMap((view) => objectsOf(view, context, 'currency-info'))
    .flatMap(({ value }) => {
      const [id, names] = [value['currency_id'], namesOf(value)];
      return typeof id === 'string' && names !== undefined ? [[id, names] as const] : [];
    });
  return new Map(known);
}

/** Whether a name looks like a symbol, such as POL: it may be another or a former symbol of the currency. */
const couldBeSymbol = (name: unknown): boolean =>
  typeof name === 'string' && /^[A-Z0-9.$-]{1,10}$/.test(name.trim());

/**
 * Whether `name` of a matched currency is its full name. A `full_name` that equals the symbol proves nothing: some
 * currencies use XRP for both.
 */
function isSwapped(
  matched: Readonly<Record<string, unknown>>,
  known: ReadonlyMap<string, Names>,
): boolean {
  const { name, symbol } = known.get(String(matched['id'])) ?? {};
  if (name === undefined || upper(matched['name']) !== name) return false;
  return upper(matched['full_name']) === symbol || !couldBeSymbol(matched['name']);
}
