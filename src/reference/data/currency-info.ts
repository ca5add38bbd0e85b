import { DAY } from '../../spec/time.ts';
import type { JsonObject } from '../world.ts';
import { dayNumber, startOf } from './calendar.ts';
import type { Currency } from './currencies.ts';
import { SECTORS, type SectorId } from './facts/currency-facts.ts';
import { dice, hex, percentages, pickAt, round, stream, unit, type Stream } from './prng.ts';

const ROLES: Readonly<Record<SectorId, string>> = {
  layer1: 'the native asset of a base-layer network that settles transactions and runs programs',
  layer2: 'the token of a scaling network that settles on another chain',
  defi: 'the governance token of an open financial protocol',
  payment: 'a currency made for transfers of value without an intermediary',
  stable: 'a token that is meant to keep a stable value against the US dollar',
  meme: 'a currency that grew out of an internet joke and is carried by its community',
  oracle: 'the token of a network that brings outside data onto blockchains',
  ai: 'the token of a network for machine intelligence',
  storage: 'the token of a marketplace for storage and computing',
  exchange: 'the token of a trading platform and its chain',
  rwa: 'a token backed by assets outside of blockchains',
  privacy: 'a currency whose transfers hide sender, receiver and amount',
  gaming: 'the token of a world of games and collectables',
};

const EVENTS: readonly string[] = [
  'Main network launched.',
  'First listing on a large exchange.',
  'Protocol upgrade activated.',
  'Foundation published its annual transparency report.',
  'Independent security audit completed.',
  'Staking opened to the public.',
];

const slug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** Currency info (§2.1): a function of the seed alone. */
export function currencyInfo(seed: number, currency: Currency): JsonObject {
  const { symbol, name, sectors, chain } = currency;
  const source = stream(seed, 'info', symbol);
  const issued = Date.parse(currency.issued);
  const first = sectors[0] ?? 'layer1';
  const site = slug(name);
  const until = startOf(dayNumber(2023, 12, 1));
  const roll = dice(source);
  const count = roll.int(2, 5);
  return {
    currency_id: currency.id,
    name,
    symbol,
    introduction:
      `${name} (${symbol}) is ${ROLES[first]}. It was first issued in ${currency.issued.slice(0, 4)}. ` +
      (currency.max === null
        ? 'Its supply has no fixed limit.'
        : `Its supply is limited to ${currency.max.toLocaleString('en-US')} units.`),
    sector: sectors.map((id) => ({ id, name: SECTORS[id] })),
    icon: `https://static.example.com/currencies/${symbol.toLowerCase()}.png`,
    contracts:
      chain === null
        ? []
        : [{ chain, contract: contractAddress(chain, stream(seed, 'contract', symbol)) }],
    white_paper: `https://docs.example.com/${site}/whitepaper.pdf`,
    first_issue_time: String(issued),
    explorers: [
      `https://explorer.example.com/${site}`,
      ...(roll.chance(0.6) ? [`https://scan.example.org/${site}`] : []),
    ],
    community: {
      social_primary: `https://social.example.com/${site}`,
      social_forum: `https://forum.example.com/c/${site}`,
    },
    significant_events: EVENTS.slice(0, count).map((content, i) => ({
      time: String(issued + Math.floor((((until - issued) / count) * i) / DAY) * DAY),
      content,
    })),
  };
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'.split('');

/** An address in the form of its chain: base 58 on Solana, hexadecimal elsewhere. */
function contractAddress(chain: string, source: Stream): string {
  if (chain !== 'Solana') return `0x${hex(source, 40)}`;
  return Array.from({ length: 44 }, (_, i) => pickAt(BASE58, unit(source, i))).join('');
}

const HOLDERS = [
  'Community',
  'Ecosystem fund',
  'Core contributors',
  'Early investors',
  'Treasury',
  'Public sale',
];
const FIRST_UNLOCK = dayNumber(2024, 1, 15);

/** Token economics (§2.3). Shares sum to 100; what is unlocked and what is locked sum to the total supply. */
export function tokenEconomics(seed: number, currency: Currency): JsonObject {
  const roll = dice(stream(seed, 'economics', currency.symbol));
  const locked = currency.total - currency.circulating;
  const vests = locked > currency.total * 0.02;
  const holders = vests ? HOLDERS.slice(0, roll.int(4, HOLDERS.length)) : [];
  const shares = percentages(holders.map(() => roll.int(5, 40)));
  return {
    token_allocation: vests
      ? holders.map((holder, i) => ({ holder, percentage: shares[i] ?? 0 }))
      : [{ holder: 'Public issuance', percentage: 100 }],
    token_unlock: { unlocked: String(currency.circulating), total_locked: String(locked) },
    unlock_timeline: vests ? timeline(locked, roll.int(12, 48)) : null,
  };
}

function timeline(locked: number, months: number): JsonObject[] {
  const monthly = locked / months;
  return Array.from({ length: months }, (_, i) => ({
    vestings: [
      { label: 'Core contributors', amount: round(monthly * 0.6, 2) },
      ...(i % 3 === 0 ? [{ label: 'Early investors', amount: round(monthly * 0.4, 2) }] : []),
    ],
    timestamp: String(startOf(FIRST_UNLOCK + Math.round(i * 30.4375))),
  }));
}
