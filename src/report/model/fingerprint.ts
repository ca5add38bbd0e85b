import { createHash } from 'node:crypto';
import type { Exchange } from '../../spec/exchange.ts';
import type { RequirementResult } from './results.ts';
import { isGap, isWaivable } from './set-aside.ts';
import { shape } from './shape.ts';

/** Section of what is counted by key, at whatever endpoint. */
const LIMITS = '8';

/**
 * Fingerprint of what speaks against a requirement: `e-` and 16 hex digits. It stays the same while the target is wrong
 * in the same way at the same endpoints, whatever values it sends, and changes when it is wrong in another way. Which
 * endpoint the limiter meets (§8) is chance, and does not count. Where the
 * requirement could not be judged, or the target shows nothing of the kind, the reason stands for the evidence. A waiver
 * carries it, so that it cannot cover a defect that nobody has looked at. Null when nothing speaks against it.
 */
export function evidenceFingerprint(
  requirement: RequirementResult,
  exchanges: ReadonlyMap<string, Exchange>,
): string | null {
  const { findings, waived = requirement } = requirement;
  if (findings.length === 0) {
    if (!isWaivable({ ...requirement, outcome: waived.outcome })) return null;
    if (isGap(waived.outcome)) return digest(requirement.id, gapLines(requirement));
  }
  const isOfKeys = requirement.section === LIMITS;
  const lines = new Set(
    findings.map((finding) => {
      const exchange = finding.exchange === null ? undefined : exchanges.get(finding.exchange);
      return JSON.stringify([
        shape(finding.message),
        shape(finding.expected),
        kindOf(finding.actual),
        (finding.pointer ?? '').replace(/\/\d+(?=\/|$)/g, '/*'),
        isOfKeys ? '' : (exchange?.endpoint ?? ''),
        exchange?.response?.status ?? 0,
      ]);
    }),
  );
  return digest(requirement.id, lines);
}

/** Why it could not be judged: its own reason, and those of its checks, which may have met with different things. */
function gapLines({ waived, checks, ...own }: RequirementResult): ReadonlySet<string> {
  const { outcome, reason } = waived ?? own;
  const reasons = checks.filter((one) => one.outcome === outcome).map((one) => one.reason);
  return new Set([reason, ...reasons].map((one) => JSON.stringify([outcome, shape(one ?? '')])));
}

function digest(id: string, lines: ReadonlySet<string>): string {
  const text = [id, ...[...lines].toSorted()].join('\n');
  return `e-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

/** The kind of value that was there, and no more: the value itself differs from run to run. */
function kindOf(actual: string): string {
  const named = /\((string|number|boolean)\)$/.exec(actual.trim())?.[1];
  if (named !== undefined) return named;
  try {
    return typeof JSON.parse(actual);
  } catch {
    // Without an article, as it was when waivers were made that still hold.
    return shape(actual.replace(/^an (?=array of |object with )/, ''));
  }
}
