import type { Exchange } from '../../spec/exchange.ts';
import type { Results } from './results.ts';

/** What the earlier run was answered to the same request. */
export interface PreviousAnswer {
  /** Id of the exchange in the later run. */
  readonly exchange: string;
  /** Id in the earlier run. */
  readonly earlier: string;
  /** Status then; 0 when no answer arrived. */
  readonly status: number;
  readonly text: string;
}

/** Answers kept, and characters of each: enough to see a change, too little to double the report. */
const KEPT = 60;
const CHARACTERS = 8_000;

/** The same question: method, path, query and kind of key. */
function question({ request, role }: Exchange): string {
  return JSON.stringify([request.method, request.path, request.query, role]);
}

/**
 * Earlier answers to the exchanges that findings of the later run point to, and to those whose status changed. Bodies
 * of other exchanges differ with the data of the day and would bury these.
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
