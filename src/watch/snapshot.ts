import type { Finding } from '../spec/finding.ts';
import type { Level } from '../spec/levels.ts';
import type { Results } from '../report/model/results.ts';
import { requirementOf } from '../requirements/catalogue.ts';
import { cut } from '../text/text.ts';
import type { KeyLine } from './key-book.ts';

/** A finding on the page. */
export interface RecentFinding {
  /** Null for one of an earlier process. */
  readonly at: string | null;
  readonly requirement: string;
  readonly level: Level;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly exchange: string;
}

/** Data of the live page: plain JSON, with data of the target only as text. */
export interface Snapshot {
  readonly at: string;
  readonly since: string;
  readonly baseUrl: string;
  readonly verdict: string;
  readonly sentence: string;
  readonly exchanges: {
    readonly passed: number;
    readonly judged: number;
    readonly waiting: number;
    readonly leftOut: readonly { readonly reason: string; readonly count: number }[];
  };
  readonly statuses: Readonly<Record<string, number>>;
  readonly coverage: Results['summary'];
  readonly findings: readonly RecentFinding[];
  readonly keys: readonly KeyLine[];
}

/** Maximum length of texts on the page. */
const MOST_TEXT = 400;

/** A finding as the page shows it. */
export function recentFinding(finding: Finding, at: string | null): RecentFinding {
  const { requirement, message, expected, actual, exchange } = finding;
  return {
    at,
    requirement,
    level: requirementOf(requirement).level,
    message: cut(message, MOST_TEXT),
    expected: cut(expected, MOST_TEXT),
    actual: cut(actual, MOST_TEXT),
    exchange,
  };
}
