import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { Exchange } from '../../src/spec/exchange.ts';
import type { RequirementId } from '../../src/spec/requirement-id.ts';
import { isRequirementId } from '../../src/requirements/catalogue.ts';
import { contextOf } from '../../src/judge/context.ts';
import { DEFAULT_FACTS } from '../../src/judge/facts.ts';
import type { Judged, Judgement } from '../../src/judge/judgement.ts';
import { viewOf } from '../../src/judge/view.ts';
import { judgedBy, ownRules } from './own-rules.ts';

/** Wednesday noon; the month before holds Christmas and New Year. */
export const NOW = Date.parse('2026-01-07T12:00:00Z');
/** Trading days of New York before that, newest first. */
export const DAYS = [
  '2026-01-06',
  '2026-01-05',
  '2026-01-02',
  '2025-12-31',
  '2025-12-30',
  '2025-12-29',
  '2025-12-26',
  '2025-12-24',
  '2025-12-23',
  '2025-12-22',
];
export const TODAY = '2026-01-07';

export type Row = Record<string, unknown>;

/** Conforming summary rows of these days: inflow 100, 200, … from the oldest on. */
export function summaryRows(days: readonly string[] = DAYS): Row[] {
  let total = 5_000_000;
  const rows = days.toReversed().map((date, index): Row => {
    const inflow = (index + 1) * 100 - 350.25;
    total += inflow;
    return {
      date,
      total_net_inflow: inflow,
      total_value_traded: 1000 + index,
      total_net_assets: 9_000_000 + index,
      cum_net_inflow: total,
    };
  });
  return rows.toReversed();
}

/** Conforming history rows: today's, unsettled, and those of these days. */
export function historyRows(days: readonly string[] = DAYS): Row[] {
  return [unsettled(TODAY), ...settledRows(days)];
}

export function settledRows(days: readonly string[] = DAYS): Row[] {
  return summaryRows(days).map((row, index) => ({
    date: row['date'],
    ticker: 'IBIT',
    net_inflow: row['total_net_inflow'],
    cum_inflow: row['cum_net_inflow'],
    net_assets: row['total_net_assets'],
    currency_share: 0.03,
    prem_dsc: -0.001,
    value_traded: 1000.5 + index,
    volume: String(1000.5 + index),
  }));
}

export const unsettled = (date: string): Row => ({
  date,
  ticker: 'IBIT',
  net_inflow: null,
  cum_inflow: null,
  net_assets: null,
  currency_share: null,
  prem_dsc: null,
  value_traded: 77.5,
  volume: '77.5',
});

interface Options {
  readonly endpoint?: EndpointPath;
  readonly query?: Readonly<Record<string, string>>;
  readonly ticker?: string;
  readonly status?: number;
  readonly at?: number;
}

let count = 0;

/** An exchange with a body: a value, or the text itself. */
export function exchange(body: unknown, options: Options = {}): Exchange {
  const { endpoint = '/etfs/{ticker}/history', query = {}, status = 200, at = NOW } = options;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const path = endpoint.replace('{ticker}', options.ticker ?? 'IBIT');
  count += 1;
  return {
    id: `x${count}`,
    endpoint,
    pathParameters: endpoint.includes('{ticker}') ? { ticker: options.ticker ?? 'IBIT' } : {},
    role: 'valid',
    key: 'k:1',
    request: {
      method: 'GET',
      url: `http://target.test${path}`,
      path,
      query: Object.entries(query),
      headers: {},
    },
    response: {
      status,
      headers: { 'content-type': 'application/json' },
      text,
      bytes: text.length,
    },
    error: null,
    sentAt: at - 5,
    receivedAt: at,
    skewMs: 0,
    attempt: 1,
  };
}

export const history = (rows: unknown, options: Options = {}): Exchange => exchange(rows, options);

/** The answer to a summary request. */
export const summary = (
  rows: unknown,
  query: Readonly<Record<string, string>> = {},
  options: Options = {},
): Exchange =>
  exchange(rows, {
    endpoint: '/etfs/summary-history',
    query: { symbol: 'BTC', country_code: 'US', ...query },
    ...options,
  });

const RULES = ownRules(/^4\.[34]\/|^2\.8\/(ticker-echo|currency-share-unit)/);

/** What the rules on ETFs say about some exchanges. */
export function judge(exchanges: readonly Exchange[], envelope: string | null = null): Judgement {
  const facts = { ...DEFAULT_FACTS, envelope };
  const context = contextOf(facts, exchanges);
  const views = exchanges.flatMap((one) => viewOf(one, facts) ?? []);
  return judgedBy(RULES, views, context);
}

/** Findings of all requirements as `id pointer`. */
export function findings(judgement: Judgement): string[] {
  return [...judgement.requirements].flatMap(([id, judged]) =>
    judged.findings.map(({ pointer }) => `${id} ${pointer ?? ''}`),
  );
}

/** What was judged about one requirement, if anything was. */
export function judgedOf(judgement: Judgement, id: RequirementId): Judged | undefined {
  if (!isRequirementId(id)) throw new RangeError(`No requirement ${String(id)}`);
  return judgement.requirements.get(id);
}
