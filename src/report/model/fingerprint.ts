import { createHash } from 'node:crypto';
import type { Exchange } from '../../spec/exchange.ts';
import type { KeyVariation } from '../../spec/near-keys.ts';
import { withoutIndexes } from '../../text/json-value.ts';
import { LIMITS } from './labels.ts';
import { STATUS } from '../../spec/finding.ts';
import type { RequirementResult, ResultFinding } from './results.ts';
import { isGap, isWaivable } from './status.ts';

/**
 * Fingerprint of the evidence against a requirement: `e2-` and 16 hex digits. It stays the same while the target fails in
 * the same way at the same endpoints, regardless of its data and of the wording, and changes when the target fails in a
 * different way. Endpoints do not count for the rate limiter (§8), which counts by key. For an inconclusive requirement or a gap in the data,
 * outcome and cause are the evidence. Waivers carry the fingerprint, so that they do not cover a different defect. Null if
 * there is nothing to waive.
 */
export function evidenceFingerprint(
  requirement: RequirementResult,
  exchanges: ReadonlyMap<string, Exchange>,
): string | null {
  const { id, section, findings, waived = requirement } = requirement;
  if (findings.length === 0) {
    if (!isWaivable({ ...requirement, outcome: waived.outcome })) return null;
    if (isGap(waived.outcome))
      return digest(id, [JSON.stringify([waived.outcome, requirement.cause])]);
  }
  const wayIn = waysIn(findings, exchanges);
  const lines = findings.map((finding) => {
    const { kind, parameter, exchange: at } = finding;
    const exchange = exchanges.get(at ?? '');
    const way = wayIn(finding);
    const { pointer, header } = firstPlace(finding, exchange);
    return JSON.stringify([
      kind,
      section === LIMITS ? null : (exchange?.endpoint ?? null),
      parameter ?? null,
      withoutIndexes(pointer ?? ''),
      header ?? null,
      exchange?.response?.status ?? 0,
      ...(way === null ? [] : [way]),
    ]);
  });
  return digest(id, lines);
}

/**
 * How a key got in that differs from a valid one: each way is a defect of its own, unless any unknown key gets in there.
 * Null for what needs no such distinction.
 */
export function waysIn(
  findings: readonly ResultFinding[],
  exchanges: ReadonlyMap<string, Exchange>,
): (finding: ResultFinding) => KeyVariation | null {
  const wayOf = ({ exchange }: ResultFinding): KeyVariation | null =>
    exchanges.get(exchange ?? '')?.variation ?? null;
  const unknown = findings.filter((one) => one.kind === 'let-in' && wayOf(one) === null);
  const open = new Set(unknown.map(({ endpoint }) => endpoint));
  return (finding) =>
    finding.kind !== 'let-in' || open.has(finding.endpoint) ? null : wayOf(finding);
}

/** Kinds of findings that were always at the code, also if only the status is wrong. */
const AT_CODE: ReadonlySet<string> = new Set([
  'crashed',
  'limiter-status',
  'listed-pair-refused',
  'refused-otherwise',
  'status-of-code',
  'wrong-country-code-error',
]);

/** Where a finding was when fingerprints were introduced, so that those in waivers stay valid. */
export function firstPlace(
  { kind = '', pointer, header }: ResultFinding,
  exchange: Exchange | undefined,
): { readonly pointer: string | null; readonly header?: string | undefined } {
  // They had none.
  if (kind === 'keys-share-a-count' || kind === 'refused-for-all-keys') return { pointer: null };
  const isRefusal = (exchange?.response?.status ?? 0) >= 400 || kind === 'status-of-code';
  return header === STATUS && isRefusal && AT_CODE.has(kind)
    ? { pointer: '/code' }
    : { pointer, header };
}

function digest(id: string, lines: readonly string[]): string {
  const text = [id, ...[...new Set(lines)].toSorted()].join('\n');
  return `e2-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}
