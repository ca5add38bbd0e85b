import type { Exchange } from '../../spec/exchange.ts';
import type { Results } from './results.ts';

/** The response of the earlier run to the same request. */
export interface PreviousAnswer {
  /** Id of the exchange in the later run. */
  readonly exchange: string;
  /** Id in the earlier run. */
  readonly earlier: string;
  /** Earlier status; 0 without a response. */
  readonly status: number;
  readonly text: string;
}

/** Maximum number of responses and characters of each, so that the report does not double in size. */
const KEPT = 60;
const CHARACTERS = 8_000;

/** Identifies a request: method, path, query and key role. */
function question({ request, role }: Exchange): string {
  return JSON.stringify([request.method, request.path, request.query, role]);
}

/**
 * Earlier responses for exchanges with findings and for those with a different status. Other bodies change with the data
 * every day.
 */
export function previousAnswers(before: Results, after: Results): readonly PreviousAnswer[] {
  const earlier = new Map<string, Exchange>();
  for (const exchange of before.exchanges) {
    const key = question(exchange);
    if (!earlier.has(key)) earlier.set(key, exchange);
  }
  const inFindings = new Set(
    after.requirements.flatMap(({ findings }) => findings.map(({ exchange }) => exchange)),
  );
  const asked = new Set<string>();
  const answers: PreviousAnswer[] = [];
  for (const exchange of after.exchanges) {
    if (answers.length >= KEPT) break;
    const key = question(exchange);
    const old = earlier.get(key);
    if (old === undefined || asked.has(key)) continue;
    const status = old.response?.status ?? 0;
    const changed = status !== (exchange.response?.status ?? 0);
    if (!changed && !inFindings.has(exchange.id)) continue;
    if (!changed && old.response?.text === exchange.response?.text) continue;
    asked.add(key);
    answers.push({
      exchange: exchange.id,
      earlier: old.id,
      status,
      text: (old.response?.text ?? '').slice(0, CHARACTERS),
    });
  }
  return answers;
}
