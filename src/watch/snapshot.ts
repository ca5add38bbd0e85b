import type { Finding } from '../spec/finding.ts';
import type { Level } from '../spec/levels.ts';
import type { Results } from '../report/model/results.ts';
import type { KeyLine } from './key-book.ts';

/** A finding with when it was told; null for one of an earlier process. */
export interface RecentFinding extends Finding {
  readonly at: string | null;
  readonly level: Level;
}

/** What a page shows of a watch. Plain JSON; whatever comes from the target is text in it. */
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
  /** Requirements that are violated, with how often. */
  readonly violated: readonly {
    readonly id: string;
    readonly level: Level;
    readonly title: string;
  }[];
  readonly findings: readonly {
    readonly at: string | null;
    readonly requirement: string;
    readonly level: Level;
    readonly message: string;
    readonly expected: string;
    readonly actual: string;
    readonly exchange: string;
  }[];
  readonly keys: readonly KeyLine[];
}

/** Keys and texts that a page shows at the most. */
const MOST_KEYS = 30;
const MOST_TEXT = 400;

const cut = (text: string): string =>
  text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT - 1)}…` : text;

/** What is known beside the results. */
export interface Counted {
  readonly since: string;
  readonly passed: number;
  readonly waiting: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly leftOut: ReadonlyMap<string, number>;
  readonly keys: readonly KeyLine[];
  readonly recent: readonly RecentFinding[];
}

/** The state of a watch as a page shows it. */
export function snapshotOf(results: Results, counted: Counted): Snapshot {
  const { verdict, sentence, summary, requirements, requests, target } = results;
  return {
    at: new Date().toISOString(),
    since: counted.since,
    baseUrl: target.baseUrl,
    verdict,
    sentence,
    exchanges: {
      passed: counted.passed,
      judged: requests.total - counted.waiting,
      waiting: counted.waiting,
      leftOut: [...counted.leftOut]
        .map(([reason, count]) => ({ reason, count }))
        .toSorted((a, b) => b.count - a.count),
    },
    statuses: counted.statuses,
    coverage: summary,
    violated: requirements
      .filter(({ outcome }) => outcome === 'failed' || outcome === 'warned')
      .map(({ id, level, title }) => ({ id, level, title })),
    findings: counted.recent.map((finding) => ({
      at: finding.at,
      requirement: finding.requirement,
      level: finding.level,
      message: cut(finding.message),
      expected: cut(finding.expected),
      actual: cut(finding.actual),
      exchange: finding.exchange,
    })),
    keys: counted.keys.slice(0, MOST_KEYS),
  };
}
