import type { Finding } from '../spec/finding.ts';
import type { Level } from '../spec/levels.ts';
import type { Results } from '../report/model/results.ts';
import type { KeyLine } from './key-book.ts';

/** A finding with its time; null for one of an earlier process. */
export interface RecentFinding extends Finding {
  readonly at: string | null;
  readonly level: Level;
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
  /** Violated requirements, with counts. */
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

/** Maximum number of keys, and length of texts, on the page. */
const MOST_KEYS = 30;
const MOST_TEXT = 400;

const cut = (text: string): string =>
  text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT - 1)}…` : text;

/** Data in addition to the results. */
export interface Counted {
  readonly since: string;
  readonly passed: number;
  readonly waiting: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly leftOut: ReadonlyMap<string, number>;
  readonly keys: readonly KeyLine[];
  readonly recent: readonly RecentFinding[];
}

/** The state of a watch for the live page. */
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
