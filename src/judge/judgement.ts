import type { Finding } from '../spec/finding.ts';
import type { RequirementId } from '../spec/requirement-id.ts';
import { messageOf, type FactsOf, type FindingKind } from './messages.ts';
import { requestName, type View } from './view.ts';

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

/** A finding as a judgement states it; the collector adds the requirement and makes the sentence. */
export type FindingText = { readonly [Kind in FindingKind]: FindingOf<Kind> }[FindingKind];

type FindingOf<Kind extends FindingKind> = Pick<
  Finding,
  'expected' | 'actual' | 'header' | 'parameter'
> & {
  readonly kind: Kind;
  readonly pointer?: string | null;
  /** Answers that it was compared with. */
  readonly against?: readonly View[];
} & (keyof FactsOf<Kind> extends never
    ? { readonly facts?: undefined }
    : { readonly facts: FactsOf<Kind> });

/**
 * Collects what judgements find. Of a requirement with many findings, those that repeat an endpoint and a field are
 * dropped, so that a broken list stays readable and the fingerprint does not depend on the order of the answers.
 */
export class Judgement {
  readonly requirements = new Map<RequirementId, Judged>();
  readonly readings: Reading[] = [];
  readonly #varieties = new Set<string>();
  /** Requirements whose judgement threw, with what it said: a defect of Assay that costs nothing but these. */
  readonly broken = new Map<RequirementId, string>();

  /** Notes that the requirement could be judged on this exchange. */
  judged(id: RequirementId, view: View): void {
    this.#entry(id).exchanges.add(view.exchange.id);
  }

  /** Notes a violation. Implies `judged`. */
  found(requirement: RequirementId, view: View, finding: FindingText): void {
    const { exchanges, findings } = this.#entry(requirement);
    exchanges.add(view.exchange.id);
    const { kind, facts, against = [], pointer = null, ...rest } = finding;
    const { endpoint } = view.exchange;
    const variety = [
      requirement,
      kind,
      endpoint,
      rest.parameter,
      pointer?.replace(/\d+/g, '*'),
    ].join();
    if (findings.length >= MAX_FINDINGS && this.#varieties.has(variety)) return;
    this.#varieties.add(variety);
    const others = new Set(against.map(({ exchange }) => exchange.id));
    others.delete(view.exchange.id);
    findings.push({
      ...rest,
      requirement,
      kind,
      ...(facts !== undefined && { facts }),
      message: messageOf(kind, requestName(view), facts),
      pointer,
      ...(others.size > 0 && { against: [...others] }),
      exchange: view.exchange.id,
    });
  }

  /** Judges a condition: notes that it could be judged, and the finding when it does not hold. */
  expect(id: RequirementId, view: View, holds: boolean, finding: () => FindingText): void {
    this.judged(id, view);
    if (!holds) this.found(id, view, finding());
  }

  /** Records an observation, of a requirement when there is one. */
  read(question: string, answer: string, view: View, requirement: RequirementId | null): void {
    if (requirement !== null) this.judged(requirement, view);
    this.readings.push({ question, answer, exchange: view.exchange.id, requirement });
  }

  /** Records what an exchange shows of the data: values in use, names of fields. */
  collect(
    question: string,
    parts: readonly string[],
    view: View,
    requirement: RequirementId | null,
  ): void {
    if (requirement !== null) this.judged(requirement, view);
    const { id } = view.exchange;
    this.readings.push({ question, answer: joined(parts), parts, exchange: id, requirement });
  }

  /** Notes that the judgement of a requirement threw, so that it is not judged as it should be. */
  broke(id: RequirementId, error: unknown, view: View | null): void {
    if (this.broken.has(id)) return;
    const text = error instanceof Error ? error.message : String(error);
    const where = view === null ? '' : ` on exchange ${view.exchange.id}`;
    this.broken.set(id, `the judgement of ${id} failed${where}: ${text}`);
  }

  #entry(id: RequirementId): Judged {
    let judged = this.requirements.get(id);
    if (judged === undefined) {
      this.requirements.set(id, (judged = { exchanges: new Set(), findings: [] }));
    }
    return judged;
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

/** A short rendering of a value for "actual": JSON, cut at 120 characters. */
export function show(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = (JSON.stringify(value) as string | undefined) ?? typeof value;
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}
