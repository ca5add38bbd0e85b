import { DAY } from '../../spec/time.ts';
import type { Json, JsonObject } from '../world.ts';
import { dayNumber, startOf } from './calendar.ts';
import type { Currency } from './currencies.ts';
import { FUNDRAISING_FACTS } from './facts/fundraising-facts.ts';
import { once } from './memo.ts';
import { dice, digits, stream, unit } from './prng.ts';

interface Project {
  readonly id: string;
  readonly name: string;
  readonly established: number;
  readonly currency: Currency | undefined;
}

const { investors: INVESTORS, rounds: ROUNDS } = FUNDRAISING_FACTS;

/** Nothing is dated after this instant, so that a clock moved back to 2024 keeps it in the past. */
const UNTIL = startOf(dayNumber(2023, 12, 15));
/** `rounds_last_year` counts from here: the year that ends with the last update. */
const LAST_YEAR = UNTIL - 365 * DAY;

/** Projects whose answer has every list filled under every seed: the ones that are looked at first. */
const LEADING = new Set(['BTC', 'ETH', 'SOL']);

const slug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
const logo = (kind: string, name: string): string =>
  `https://static.example.com/${kind}/${slug(name)}.png`;

/** Projects and their money (§2.6, §4.7); every currency has a project. */
export function createFundraising(seed: number, currencies: readonly Currency[]) {
  const project = (name: string, established: number, currency?: Currency): Project => ({
    id: `1${digits(stream(seed, 'project-id', name), 18)}`,
    name,
    established,
    currency,
  });
  const startups = FUNDRAISING_FACTS.startups.map((name, i) => {
    const day = dayNumber(2019, 1, 7) + Math.floor(unit(stream(seed, 'startup'), i) * 1400);
    return project(name, startOf(day));
  });
  const owned = currencies.map((one) =>
    project(`${one.name} Project`, Date.parse(one.issued) - 300 * DAY, one),
  );
  const all = new Map([...owned, ...startups].map((one) => [one.id, one]));
  const byCurrency = new Map(owned.map((one) => [one.currency?.id ?? '', one]));
  const described = once((id) => {
    const known = all.get(id);
    return known && describe(seed, known, startups);
  });
  const list: readonly Json[] = [...all.values()].map((one) => ({
    project_id: one.id,
    ...summary(seed, one),
    currency_id: one.currency?.id ?? null,
  }));
  /** Project of a currency. */
  const projectOf = (currencyId: string): string | undefined => byCurrency.get(currencyId)?.id;
  return {
    projectOf,
    projectIds: [...all.keys()],
    fundraising: (currencyId: string) => described(projectOf(currencyId) ?? ''),
    fundraisingProjects: () => list,
    fundraisingProject(projectId: string): JsonObject | undefined {
      const known = all.get(projectId);
      return known && { ...summary(seed, known), ...described(projectId) };
    },
  };
}

/** The fields of a portfolio project without its id (§2.6). */
function summary(seed: number, project: Project): JsonObject {
  const roll = dice(stream(seed, 'project', project.name));
  return {
    project_name: project.name,
    logo_url: logo('projects', project.name),
    ecosystems: roll.several(FUNDRAISING_FACTS.ecosystems, roll.int(1, 3)),
    established_date: project.established,
    funding_status: roll.pick(FUNDRAISING_FACTS.statuses),
    regions: roll.several(FUNDRAISING_FACTS.regions, roll.int(1, 2)),
  };
}

const investor = (seed: number, name: string) => {
  const source = stream(seed, 'investor', name);
  return {
    investor_id: `1${digits(source, 18)}`,
    name,
    logo_url: logo('investors', name),
    type: 1 + Math.floor(unit(source, 99) * 3),
  };
};

function describe(seed: number, project: Project, startups: readonly Project[]): JsonObject {
  const roll = dice(stream(seed, 'fundraising', project.name));
  // Chains from before venture money raised nothing; the others raised one round after the other.
  const leading = LEADING.has(project.currency?.symbol ?? '');
  const early = project.established < Date.UTC(2012, 0, 1);
  const count = early && !leading ? 0 : roll.int(2, ROUNDS.length);
  const span = UNTIL - project.established;
  const rounds = ROUNDS.slice(0, count).map(({ name: round, millions }, i) => {
    const amount = Math.round(millions * (0.6 + roll.next() * 1.1) * 100) * 10_000;
    const members = roll.several(INVESTORS, roll.int(1, 4)).map((name) => investor(seed, name));
    return {
      round_id: `1${digits(stream(seed, 'round', project.name, round), 18)}`,
      round,
      amount: String(amount),
      valuation: roll.chance(0.4) ? null : String(amount * roll.int(5, 12)),
      date:
        project.established +
        Math.floor((span * (i + 0.2 + 0.6 * roll.next())) / count / DAY) * DAY,
      investors: members.map((member, index) => ({ ...member, is_lead_investor: index === 0 })),
    };
  });
  const invests = leading || (count > 0 && roll.chance(0.5));
  const portfolio = invests
    ? roll.several(startups, roll.int(1, 4)).filter(({ id }) => id !== project.id)
    : [];
  return {
    project_id: project.id,
    social_username: slug(project.name),
    create_time: project.established + 30 * DAY,
    update_time: UNTIL,
    fundraising_rounds: rounds.toReversed(),
    // Each once, in the order in which they came.
    investors: [
      ...new Set(rounds.flatMap(({ investors }) => investors.map(({ name }) => name))),
    ].map((name) => investor(seed, name)),
    team: Array.from({ length: roll.int(2, 5) }, (_, i) => {
      const name = `${roll.pick(FUNDRAISING_FACTS.firstNames)} ${roll.pick(FUNDRAISING_FACTS.lastNames)}`;
      return {
        name,
        position: FUNDRAISING_FACTS.positions[i] ?? 'Contributor',
        avatar_url: logo('people', name),
      };
    }),
    investment_stats: {
      total_rounds: rounds.length,
      rounds_last_year: rounds.filter(({ date }) => date > LAST_YEAR).length,
      lead_invest_count: portfolio.length === 0 ? 0 : roll.int(0, portfolio.length),
      portfolio_count: portfolio.length,
      last_invest_date: portfolio.length === 0 ? null : UNTIL - Math.floor(roll.next() * 300) * DAY,
    },
    portfolio: portfolio.map((one) => ({ project_id: one.id, ...summary(seed, one) })),
  };
}
