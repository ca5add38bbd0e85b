import { matchEndpoint } from '../../contract/endpoints.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { isRequirementId, requirementOf } from '../../requirements/catalogue.ts';
import type { Facts } from '../../rules/facts.ts';
import { judgeAll } from '../../requirements/judging.ts';
import type { Row } from '../plan.ts';
import type { Ledger } from './ledger.ts';

export interface SampleFacts {
  readonly facts: Facts;
  readonly baseUrl: string;
  readonly skewMs: number;
  readonly fingerprint: (keyIndex: number) => string;
  /** Takes keys out of texts that the target sent. */
  readonly redact: (text: string) => string;
}

/**
 * Judges the answers that were recorded whole with the rules of the suites: what holds for one request must hold among
 * thousands. Rules of §8 are left out, for they need every answer of a window and not a sample.
 */
export function judgeSamples(rows: readonly Row[], facts: SampleFacts, ledger: Ledger): void {
  const exchanges = rows.flatMap((row, index) => exchangeOf(row, index, facts));
  if (exchanges.length === 0) return;
  const judgement = judgeAll(exchanges, facts.facts);
  let quiet = 0;
  for (const [id, { exchanges: judged, findings }] of judgement.requirements) {
    if (id.startsWith('8/') || !isRequirementId(id) || requirementOf(id).level === 'observe')
      continue;
    if (findings.length === 0) {
      quiet += 1;
      if (id.startsWith('4/')) ledger.judged(id, judged.size);
      continue;
    }
    for (const { message, expected, actual, pointer } of findings) {
      const where = pointer === null || pointer === '' ? '' : ` (${pointer})`;
      ledger.found(id, { message: message + where, expected, actual });
    }
  }
  ledger.notes.push(
    `${exchanges.length} whole answers went through the rules of the suites: ${quiet} requirements without a finding.`,
  );
}

function exchangeOf(row: Row, index: number, facts: SampleFacts): Exchange[] {
  if (row.sample === null || row.key === null) return [];
  const [path = '', search = ''] = row.sample.path.split('?', 2);
  const match = matchEndpoint(path);
  const text = facts.redact(row.sample.text);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(row.sample.headers)) {
    headers[name] = facts.redact(value);
  }
  return [
    {
      id: `x${index + 1}`,
      endpoint: match?.endpoint ?? null,
      pathParameters: match?.parameters ?? {},
      role: 'valid',
      key: facts.fingerprint(row.key),
      request: {
        method: 'GET',
        url: facts.baseUrl + row.sample.path,
        path,
        query: [...new URLSearchParams(search)],
        headers: {},
      },
      response: { status: row.status, headers, text, bytes: Buffer.byteLength(text) },
      error: null,
      sentAt: row.t0,
      receivedAt: row.t1,
      skewMs: facts.skewMs,
      attempt: 1,
    },
  ];
}
