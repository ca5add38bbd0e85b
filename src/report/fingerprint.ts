import { createHash } from 'node:crypto';
import type { Exchange } from '../contract/exchange.ts';
import type { RequirementResult } from './results.ts';
import { shape } from './shape.ts';

/**
 * Fingerprint of what speaks against a requirement: `e-` and 16 hex digits. It stays the same while the target is wrong
 * in the same way at the same endpoints, whatever values it sends, and changes when it is wrong in another way. A
 * waiver carries it, so that it cannot cover a defect that nobody has looked at. Null when nothing was found.
 */
export function evidenceFingerprint(
  requirement: RequirementResult,
  exchanges: ReadonlyMap<string, Exchange>,
): string | null {
  const { findings, outcome } = requirement;
  if (findings.length === 0 && outcome !== 'failed' && outcome !== 'warned') return null;
  const lines = new Set(
    findings.map((finding) => {
      const exchange = finding.exchange === null ? undefined : exchanges.get(finding.exchange);
      return JSON.stringify([
        shape(finding.message),
        shape(finding.expected),
        kindOf(finding.actual),
        (finding.pointer ?? '').replace(/\/\d+(?=\/|$)/g, '/*'),
        exchange?.endpoint ?? '',
        exchange?.response?.status ?? 0,
      ]);
    }),
  );
  const text = [requirement.id, ...[...lines].toSorted()].join('\n');
  return `e-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

/** The kind of value that was there, and no more: the value itself differs from run to run. */
function kindOf(actual: string): string {
  const named = /\((string|number|boolean)\)$/.exec(actual.trim())?.[1];
  if (named !== undefined) return named;
  try {
    return typeof JSON.parse(actual);
  } catch {
    return shape(actual);
  }
}
