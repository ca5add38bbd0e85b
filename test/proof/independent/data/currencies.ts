import { hashOf } from '../core/random.ts';
import type { ChoiceValue, World } from '../worlds/world.ts';
import { nameOf, slugOf, uuidOf } from './names.ts';

/** A currency of the world. */
export interface Currency {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly symbol: string;
}

const FORMS: Readonly<Record<ChoiceValue<'currency-ids'>, RegExp>> = {
  numeric: /^\d{1,12}$/,
  slug: /^[a-z0-9-]{1,60}$/,
  symbol: /^[A-Z0-9]{1,12}$/,
  'symbol-lower': /^[a-z0-9]{1,12}$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'beyond-2-53': /^\d{15,20}$/,
  prefixed: /^cur_\d{5}$/,
  hex: /^[0-9a-f]{24}$/,
};

function idOf(world: World, index: number): string {
  const [name, symbol] = nameOf(index);
  return world.of('currency-ids', {
    numeric: String(index === 0 ? 1 : 1027 + (index - 1) * 13),
    slug: slugOf(name),
    symbol,
    'symbol-lower': symbol.toLowerCase(),
    uuid: uuidOf(`currency ${name}`),
    'beyond-2-53': String(1_673_723_677_362_319_867n + BigInt(index) * 7_919n),
    prefixed: `cur_${String(index + 1).padStart(5, '0')}`,
    hex: [1, 2, 3].map((n) => hashOf(`${name} ${n}`).toString(16).padStart(8, '0')).join(''),
  });
}

const lists = new WeakMap<World, { list: readonly Currency[]; byId: Map<string, Currency> }>();

function known(world: World): { list: readonly Currency[]; byId: Map<string, Currency> } {
  let entry = lists.get(world);
  if (entry === undefined) {
    const list = Array.from({ length: world.count('currencies') }, (_, index) => {
      const [name, symbol] = nameOf(index);
      return { index, id: idOf(world, index), name, symbol };
    });
    entry = { list, byId: new Map(list.map((one) => [one.id, one])) };
    lists.set(world, entry);
  }
  return entry;
}

/** All currencies, largest first. */
export function currencies(world: World): readonly Currency[] {
  return known(world).list;
}

/** The currency with an id. */
export function currencyById(world: World, id: string): Currency | undefined {
  return known(world).byId.get(id);
}

/** Whether a text has the form of an id here. */
export function looksLikeId(world: World, text: string): boolean {
  return FORMS[world.choice('currency-ids')].test(text);
}

/** Whether fundraising, token economics and the like are there for a currency. */
export function hasPart(world: World, part: 'fundraising' | 'economics', index: number): boolean {
  const choice = world.choice(part);
  if (choice === 'some-404') return index % 3 !== 0;
  if (choice === 'first-four-404') return index >= 4;
  if (choice === 'only-last') return index === world.count('currencies') - 1;
  return true;
}
