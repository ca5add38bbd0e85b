import { DAY } from '../../spec/time.ts';
import type { Json, JsonObject } from '../world.ts';
import { dayNumber, startOf } from './calendar.ts';
import type { Currency } from './currencies.ts';
import { FUNDRAISING_FACTS } from './facts/fundraising-facts.ts';
import { dice, digits, pickAt, stream, unit, type Dice } from './prng.ts';

/** Projects and their money (§2.6, §4.7). */
export interface Fundraising {
  readonly projectIds: readonly string[];
  /** Project of a currency; every currency has one. */
  projectOf(currencyId: string): string | undefined;
  ofCurrency(currencyId: string): JsonObject | undefined;
  projects(): readonly Json[];
  project(projectId: string): JsonObject | undefined;
}

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

export function createFundraising(seed: number, currencies: readonly Currency[]): Fundraising {
  const projects = new Map<string, Project>();
  const byCurrency = new Map<string, Project>();
  const add = (name: string, established: number, currency: Currency | undefined): void => {
    const id = `1${digits(stream(seed, 'project-id', name), 18)}`;
    const project = { id, name, established, currency };
    projects.set(id, project);
    if (currency !== undefined) byCurrency.set(currency.id, project);
  };
  for (const currency of currencies) {
    add(`${currency.name} Project`, Date.parse(currency.issued) - 300 * DAY, currency);
  }
  for (const [i, name] of FUNDRAISING_FACTS.startups.entries()) {
    add(
      name,
      startOf(dayNumber(2019, 1, 7) + Math.floor(unit(stream(seed, 'startup'), i) * 1400)),
      undefined,
    );
  }
  const startups = [...projects.values()].filter(({ currency }) => currency === undefined);
  const built = new Map<string, JsonObject>();
  const fundraising = (project: Project): JsonObject => {
    const known = built.get(project.id);
    if (known !== undefined) return known;
    const value = describe(seed, project, startups);
    built.set(project.id, value);
    return value;
  };
  const list: readonly Json[] = [...projects.values()].map((project) => ({
    project_id: project.id,
    ...summary(seed, project),
    currency_id: project.currency?.id ?? null,
  }));
  return {
    projectIds: [...projects.keys()],
    projectOf: (currencyId) => byCurrency.get(currencyId)?.id,
    ofCurrency(currencyId) {
      const project = byCurrency.get(currencyId);
      return project && fundraising(project);
    },
    projects: () => list,
    project(projectId) {
      const project = projects.get(projectId);
      return project && { ...summary(seed, project), ...fundraising(project) };
    },
  };
}

/** The fields of a portfolio project without its id (§2.6). */
function summary(seed: number, project: Project): JsonObject {
  const roll = dice(stream(seed, 'project', project.name));
  return {
    project_name: project.name,
    logo_url: logo('projects', project.name),
    ecosystems: several(roll, FUNDRAISING_FACTS.ecosystems, 3),
    established_date: project.established,
    funding_status: roll.pick(FUNDRAISING_FACTS.statuses),
    regions: several(roll, FUNDRAISING_FACTS.regions, 2),
  };
}

/** One to `most` different choices. */
function several<T extends object | string | number>(
  roll: Dice,
  choices: readonly T[],
  most: number,
): T[] {
  const count = roll.int(1, most);
  const chosen = new Set<T>();
  while (chosen.size < count) chosen.add(roll.pick(choices));
  return [...chosen];
}

interface Investor {
  readonly id: string;
  readonly name: string;
  readonly type: number;
}

const investorAt = (seed: number, index: number): Investor => {
  const name = pickAt(INVESTORS, index / INVESTORS.length);
  const source = stream(seed, 'investor', name);
  return { id: `1${digits(source, 18)}`, name, type: 1 + Math.floor(unit(source, 99) * 3) };
};

function describe(seed: number, project: Project, startups: readonly Project[]): JsonObject {
  const roll = dice(stream(seed, 'fundraising', project.name));
  const backers = new Map<string, Investor>();
  // Chains from before venture money raised nothing; the others raised one round after the other.
  const leading = LEADING.has(project.currency?.symbol ?? '');
  const early = project.established < Date.UTC(2012, 0, 1);
  const count = early && !leading ? 0 : roll.int(2, ROUNDS.length);
  const span = UNTIL - project.established;
  const rounds = ROUNDS.slice(0, count).map(({ name: round, millions }, i) => {
    const amount = Math.round(millions * (0.6 + roll.next() * 1.1) * 100) * 10_000;
    const members = several(roll, [...INVESTORS.keys()], 4).map((index) => investorAt(seed, index));
    for (const member of members) backers.set(member.id, member);
    return {
      round_id: `1${digits(stream(seed, 'round', project.name, round), 18)}`,
      round,
      amount: String(amount),
      valuation: roll.chance(0.4) ? null : String(amount * roll.int(5, 12)),
      date:
        project.established +
        Math.floor((span * (i + 0.2 + 0.6 * roll.next())) / count / DAY) * DAY,
      investors: members.map((member, index) => ({
        investor_id: member.id,
        name: member.name,
        logo_url: logo('investors', member.name),
        type: member.type,
        is_lead_investor: index === 0,
      })),
    };
  });
  const invests = leading || (count > 0 && roll.chance(0.5));
  const portfolio = invests ? several(roll, startups, 4).filter(({ id }) => id !== project.id) : [];
  return {
    project_id: project.id,
    social_username: slug(project.name),
    create_time: project.established + 30 * DAY,
    update_time: UNTIL,
    fundraising_rounds: rounds.toReversed(),
    investors: [...backers.values()].map(({ id, name, type }) => ({
      investor_id: id,
      name,
      logo_url: logo('investors', name),
      type,
    })),
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
