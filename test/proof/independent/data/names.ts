import { at, hashOf, random } from '../core/random.ts';
import type { World } from '../worlds/world.ts';

/** Name and symbol of well-known currencies; further ones are made up. */
export const KNOWN: readonly (readonly [string, string])[] = [
  ['Bitcoin', 'BTC'],
  ['Ethereum', 'ETH'],
  ['Tether', 'USDT'],
  ['Solana', 'SOL'],
  ['BNB', 'BNB'],
  ['XRP', 'XRP'],
  ['Dogecoin', 'DOGE'],
  ['Cardano', 'ADA'],
  ['Avalanche', 'AVAX'],
  ['Chainlink', 'LINK'],
  ['Polkadot', 'DOT'],
  ['Litecoin', 'LTC'],
  ['Hedera', 'HBAR'],
  ['Uniswap', 'UNI'],
  ['Stellar', 'XLM'],
  ['Near Protocol', 'NEAR'],
  ['Aptos', 'APT'],
  ['Arbitrum', 'ARB'],
  ['Optimism', 'OP'],
  ['Cosmos', 'ATOM'],
  ['Filecoin', 'FIL'],
  ['Injective', 'INJ'],
  ['Render', 'RENDER'],
  ['Aave', 'AAVE'],
  ['Maker', 'MKR'],
  ['The Graph', 'GRT'],
  ['Algorand', 'ALGO'],
  ['Sui', 'SUI'],
  ['Celestia', 'TIA'],
  ['Lido', 'LDO'],
];

const HEADS = ['Luna', 'Vex', 'Orbi', 'Kira', 'Zeno', 'Pola', 'Quin', 'Tessa', 'Miro', 'Halo'];
const TAILS = ['coin', 'swap', 'chain', 'verse', 'pay', 'fi', 'net', 'dao', 'lend', 'base'];

/** Name and symbol of a currency by its index in the list. */
export function nameOf(index: number): readonly [string, string] {
  const known = KNOWN[index];
  if (known !== undefined) return known;
  const head = at(HEADS, index);
  const tail = at(TAILS, Math.floor(index / 10));
  return [
    `${head}${tail} ${index}`,
    `${head.slice(0, 2)}${tail.slice(0, 1)}${index}`.toUpperCase(),
  ];
}

/** A name as the texts of this world are written. */
export function written(world: World, text: string): string {
  return world.of('names', {
    plain: text,
    emoji: `${text} 🚀👩‍👩‍👧`,
    rtl: `${text} – عملة رقمية`,
    markup: `${text} <b>&amp; "Co"</b> \\ ' #{x} {{y}}`,
    long: `${text} ${'of the decentralised association for open finance '.repeat(12).trim()}`,
    controls: `${text}\u2028\u0001\u007f\tend`,
  });
}

/** An address whose form tells nothing. */
export function picture(kind: string, id: string): string {
  return `https://static.example.org/${kind}/${hashOf(id).toString(16)}.png`;
}

/** A UUID that belongs to a text. */
export function uuidOf(text: string): string {
  const dice = random('uuid', text);
  const hex = (length: number): string =>
    Array.from({ length }, () => dice.integer(0, 15).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
}

/** A name as part of an address: lower case, hyphens. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
