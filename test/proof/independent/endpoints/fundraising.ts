import { Refusal } from '../conduct/errors.ts';
import type { Call } from '../core/call.ts';
import { DAY } from '../core/clock.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { at, random } from '../core/random.ts';
import { hasPart, type Currency } from '../data/currencies.ts';
import { nameOf, picture, slugOf, written } from '../data/names.ts';
import type { World } from '../worlds/world.ts';
import { currencyOf } from './currencies.ts';
import { timeLong } from './write.ts';

const ROUNDS = ['Seed', 'Series A', 'Series B', 'Strategic'];
const FIRMS = ['North Capital', 'Blue Ventures', 'Chainwell', 'Delta Fund', 'Everest Labs'];

/** Identifier of the project of a currency, or of a project by its index. */
export function projectId(index: number): string {
  return String(9_120_000 + index * 31);
}

function investor(world: World, index: number, lead: boolean): JsonObject {
  const name = at(FIRMS, index);
  return {
    investor_id: String(500 + index),
    name: written(world, name),
    logo_url: picture('investors', name),
    type: 1 + (index % 3),
    is_lead_investor: lead,
  };
}

function amountOf(world: World, index: number): string | null {
  const choice = world.choice('undisclosed');
  if (choice === 'none' || index % 2 === 0) return String((index + 1) * 2_500_000);
  if (choice === 'null') return null;
  return choice === 'word' ? 'Undisclosed' : '';
}

function portfolioItem(world: World, index: number): JsonObject {
  const [name] = nameOf(index);
  return {
    project_id: projectId(index),
    project_name: written(world, name),
    logo_url: picture('projects', name),
    ecosystems: index % 2 === 0 ? ['Ethereum', 'Base'] : [],
    established_date: timeLong(world, Date.UTC(2018 + (index % 6), 2, 1)),
    funding_status: 'Series A',
    regions: ['US'],
  };
}

/** Each round has two investors, of whom the second leads the next one. */
function backers(world: World, rounds: number): JsonObject[] {
  return Array.from({ length: rounds + 1 }, (_, index) => investor(world, index, index < rounds));
}

function body(world: World, one: Currency, now: number, rounds: number): JsonObject {
  const dice = random(world.seed, 'rounds', one.index);
  const day = now - (now % DAY);
  const list: JsonObject[] = Array.from({ length: rounds }, (_, index) => ({
    round_id: String(8000 + one.index * 10 + index),
    round: at(ROUNDS, index),
    amount: amountOf(world, index),
    valuation: index % 2 === 0 ? null : String((index + 1) * 40_000_000),
    date: timeLong(world, day - (200 + index * 260) * DAY),
    investors: [investor(world, index, true), investor(world, index + 1, false)],
  }));
  return {
    project_id: projectId(one.index),
    social_username: slugOf(one.name).replaceAll('-', '_'),
    create_time: timeLong(world, day - 900 * DAY),
    update_time: timeLong(world, day - 3 * DAY),
    fundraising_rounds: list,
    investors: rounds === 0 ? [] : backers(world, rounds),
    team: rounds === 0 ? [] : [{ name: written(world, 'Ada Example'), position: 'CEO' }],
    investment_stats: {
      total_rounds: rounds,
      rounds_last_year: Math.min(rounds, 1),
      lead_invest_count: dice.integer(0, 4),
      portfolio_count: rounds === 0 ? 0 : 2,
      last_invest_date:
        rounds === 0 || one.index % 2 === 0 ? null : timeLong(world, day - 200 * DAY),
    },
    portfolio:
      rounds === 0
        ? []
        : [portfolioItem(world, one.index + 3), portfolioItem(world, one.index + 4)],
  };
}

/** GET /currencies/{currency_id}/fundraising */
export function fundraising(call: Call): Json {
  const { world, now } = call;
  const one = currencyOf(call);
  if (!hasPart(world, 'fundraising', one.index)) {
    throw new Refusal('resource', {
      message: 'Fundraising not found',
      details: { currency_id: one.id, suggestion: 'Not every currency has raised funds.' },
    });
  }
  const choice = world.choice('fundraising');
  const empty =
    (choice === 'some-empty' && one.index % 3 !== 0) ||
    (choice === 'first-four-empty' && one.index < 4);
  return body(world, one, now, empty ? 0 : 1 + (one.index % 3));
}
