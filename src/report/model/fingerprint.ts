import { createHash } from 'node:crypto';
import type { Exchange } from '../../spec/exchange.ts';
import type { RequirementResult } from './results.ts';
import { isGap, isWaivable } from './waivable.ts';

/** Section of what is counted by key, at whatever endpoint. */
const LIMITS = '8';

/**
 * Fingerprint of what speaks against a requirement: `e2-` and 16 hex digits. It stays the same while the target is wrong
 * in the same way at the same endpoints, whatever values it sends and however the finding is worded, and changes when the
 * target is wrong in another way. Which endpoint the limiter meets (§8) is chance, and does not count. Of what could not be
 * judged, and of what the target has no data for, outcome and cause stand for the evidence. A waiver carries the
 * fingerprint, so that it cannot cover a defect that nobody has looked at. Null when nothing speaks against the requirement.
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
  const lines = findings.map(({ kind, pointer, header, parameter, exchange: at }) => {
    const exchange = exchanges.get(at ?? '');
    return JSON.stringify([
      kind,
      section === LIMITS ? null : (exchange?.endpoint ?? null),
      parameter ?? null,
      withoutIndexes(pointer ?? ''),
      header ?? null,
      exchange?.response?.status ?? 0,
    ]);
  });
  return digest(id, lines);
}

/** A JSON pointer that is the same for all elements of an array. */
export const withoutIndexes = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*');

function digest(id: string, lines: readonly string[]): string {
  const text = [id, ...[...new Set(lines)].toSorted()].join('\n');
  return `e2-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}
