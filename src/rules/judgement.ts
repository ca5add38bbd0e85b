import type { EndpointPath } from '../contract/endpoints.ts';
import type { Finding } from '../contract/finding.ts';
import type { RequirementId } from '../contract/requirement-id.ts';
import type { Context } from './context.ts';
import type { Subject } from './criterion.ts';
import type { View } from './view.ts';

/** What is seen of a question to which the specification allows several answers. */
export interface Reading {
  readonly question: string;
  readonly answer: string;
  /**
   * Set where the answer depends on the data, of which each exchange shows a part: the parts of all of them together
   * are the answer, and the target has no choice to mix.
   */
  readonly parts?: readonly string[];
  readonly exchange: string;
  /** The observe requirement that records it, if there is one. */
  readonly requirement: RequirementId | null;
}

/** What was found about one requirement. */
export interface Judged {
  /** Exchanges that the requirement was judged on. Empty: nothing to judge was seen. */
  readonly exchanges: Set<string>;
  readonly findings: Finding[];
}

/** A finding as a rule states it; the collector adds the requirement. */
export type FindingText = Pick<Finding, 'message' | 'expected' | 'actual' | 'header'> & {
  readonly pointer?: string | null;
};

/**
 * The requirement that is judged; undefined when there is none, and when it is not about the endpoint of the answer: a
 * rule for a resource looks at every endpoint that serves it. Without an endpoint it does not matter where.
 */
export type RequirementOf = (
  subject: Subject,
  endpoint?: EndpointPath | null,
) => RequirementId | undefined;

/** Collects what rules find. One requirement keeps at most `MAX_FINDINGS` findings, so that a broken list stays readable. */
export class Judgement {
  readonly requirements = new Map<RequirementId, Judged>();
  readonly readings: Reading[] = [];
  /** Requirements whose rule threw, with what it said: a defect of Assay that costs nothing but these. */
  readonly broken = new Map<RequirementId, string>();
  readonly #requirementOf: RequirementOf;

  constructor(requirementOf: RequirementOf) {
    this.#requirementOf = requirementOf;
  }

  /** Notes that the requirement could be judged on this exchange. */
  judged(subject: Subject, view: View): void {
    this.#entry(subject, view)?.judged.exchanges.add(view.exchange.id);
  }

  /** Notes a violation. Implies `judged`. */
  found(subject: Subject, view: View, finding: FindingText): void {
    const entry = this.#entry(subject, view);
    if (entry === undefined) return;
    const { judged, requirement } = entry;
    judged.exchanges.add(view.exchange.id);
    if (judged.findings.length >= MAX_FINDINGS) return;
    judged.findings.push({
      requirement,
      message: finding.message,
      expected: finding.expected,
      actual: finding.actual,
      pointer: finding.pointer ?? null,
      ...(finding.header === undefined ? {} : { header: finding.header }),
      exchange: view.exchange.id,
    });
  }

  /** Judges a condition: notes that it could be judged, and the finding when it does not hold. */
  expect(subject: Subject, view: View, holds: boolean, finding: () => FindingText): void {
    this.judged(subject, view);
    if (!holds) this.found(subject, view, finding());
  }

  /** Records an observation. */
  read(question: string, answer: string, view: View, subject: Subject | null = null): void {
    if (subject !== null) this.judged(subject, view);
    const requirement = this.idOf(subject, view);
    this.readings.push({ question, answer, exchange: view.exchange.id, requirement });
  }

  /** Records what an exchange shows of the data: values in use, names of fields. */
  collect(
    question: string,
    parts: readonly string[],
    view: View,
    subject: Subject | null = null,
  ): void {
    if (subject !== null) this.judged(subject, view);
    const requirement = this.idOf(subject, view);
    const { id } = view.exchange;
    this.readings.push({ question, answer: joined(parts), parts, exchange: id, requirement });
  }

  /** Notes that a rule threw, so that its requirements were not judged as they should be. */
  broke(rule: Rule, error: unknown, view: View | null): void {
    const text = error instanceof Error ? error.message : String(error);
    const where = view === null ? '' : ` on exchange ${view.exchange.id}`;
    for (const subject of rule.judges) {
      const id = this.idOf(subject);
      if (id !== null && !this.broken.has(id))
        this.broken.set(id, `rule ${rule.name} failed${where}: ${text}`);
    }
  }

  /** The requirement that is judged, on this answer when one is given; null when there is none. */
  idOf(subject: Subject | null, view?: View): RequirementId | null {
    if (subject === null) return null;
    return this.#requirementOf(subject, view?.exchange.endpoint) ?? null;
  }

  #entry(subject: Subject, view: View): { requirement: RequirementId; judged: Judged } | undefined {
    const requirement = this.idOf(subject, view);
    if (requirement === null) return undefined;
    let judged = this.requirements.get(requirement);
    if (judged === undefined) {
      this.requirements.set(requirement, (judged = { exchanges: new Set(), findings: [] }));
    }
    return { requirement, judged };
  }
}

/** Parts that an answer shows of one question. */
const MOST_PARTS = 30;

/** Parts in alphabetical order, each once; `none` without any. */
export function joined(parts: readonly string[]): string {
  const sorted = [...new Set(parts)].toSorted();
  const more = sorted.length > MOST_PARTS ? ` and ${sorted.length - MOST_PARTS} more` : '';
  return `${sorted.slice(0, MOST_PARTS).join(', ') || 'none'}${more}`;
}

/** What was read of one question. */
export interface Answered {
  readonly question: string;
  /** Every answer, and the exchanges that show it. More than one: the target mixes readings. */
  readonly answers: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Readings by question. Those that collect data have one answer: all parts that any exchange shows. */
export function byQuestion(readings: readonly Reading[]): readonly Answered[] {
  const questions = new Map<string, Map<string, Set<string>>>();
  const parts = new Map<string, Set<string>>();
  for (const { question, answer, parts: own, exchange } of readings) {
    const answers = questions.get(question) ?? new Map<string, Set<string>>();
    questions.set(question, answers);
    if (own === undefined) answers.set(answer, (answers.get(answer) ?? new Set()).add(exchange));
    else {
      const known = parts.get(question) ?? new Set();
      parts.set(question, known);
      const fresh = own.some((part) => !known.has(part)) || answers.size === 0;
      for (const part of own) known.add(part);
      const [seen = new Set<string>()] = answers.values();
      answers.clear();
      // Exchanges that add nothing show nothing.
      answers.set(joined([...known]), fresh ? seen.add(exchange) : seen);
    }
  }
  return [...questions].map(([question, answers]) => ({ question, answers }));
}

/** What was read, in one line; null when nothing was. */
export function summaryOf(readings: readonly Reading[]): string | null {
  const lines = byQuestion(readings).flatMap(({ question, answers }) =>
    [...answers.keys()].map((answer) => `${question}: ${answer}`),
  );
  return lines.length === 0 ? null : lines.join('; ');
}

export const MAX_FINDINGS = 20;

/**
 * A rule judges and never sends. It names what it can say something about, so that a check can apply just the rules of
 * its requirement. `each` looks at one exchange at a time, `all` at a set in the order sent.
 */
export interface Rule {
  readonly name: string;
  readonly judges: readonly Subject[];
  readonly each?: (view: View, context: Context, into: Judgement) => void;
  readonly all?: (views: readonly View[], context: Context, into: Judgement) => void;
}

/** A short rendering of a value for "actual": JSON, cut at 120 characters. */
export function show(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = (JSON.stringify(value) as string | undefined) ?? typeof value;
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}
