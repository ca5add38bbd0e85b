import { withoutIndexes } from '../text/json-value.ts';
import type { EndpointPath } from '../spec/endpoints.ts';
import type { Finding } from '../spec/finding.ts';
import type { RequirementId } from '../spec/requirement-id.ts';
import { messageOf, type FactsOf, type FindingKind } from './messages.ts';
import { requestName, type View } from './view.ts';

/** A question that is asked of several subjects: "Order of rows" of "ETF history". */
export interface About {
  readonly topic: string;
  readonly subject: string;
}

/** What the specification leaves open. */
export type Question = string | About;

const asked = (question: Question): Pick<Reading, 'question' | 'about'> =>
  typeof question === 'string'
    ? { question }
    : { question: `${question.topic} of ${question.subject}`, about: question };

/** An answer to a question that the specification leaves open. */
export interface Reading {
  readonly question: string;
  /** Set if the same is asked of several subjects, so that a report can list those with one answer together. */
  readonly about?: About;
  readonly answer: string;
  /** Set if the answer is data of which each exchange shows a part: the union is the answer, not a mix of readings. */
  readonly parts?: readonly string[];
  readonly exchange: string;
  /** The observe requirement that records it, if any. */
  readonly requirement: RequirementId | null;
}

export interface Judged {
  /** Exchanges judged; empty if there was nothing to judge. */
  readonly exchanges: Set<string>;
  readonly findings: Finding[];
  /** Number of findings, including dropped ones. */
  total: number;
  /** Exchanges of dropped findings. */
  readonly dropped: Set<string>;
}

/** A finding before the collector adds the requirement and the sentence. */
export type FindingText = { readonly [Kind in FindingKind]: FindingOf<Kind> }[FindingKind];

type FindingOf<Kind extends FindingKind> = Pick<
  Finding,
  'expected' | 'actual' | 'header' | 'parameter'
> & {
  readonly kind: Kind;
  readonly pointer?: string | null;
  /** Answers it was compared with. */
  readonly against?: readonly View[];
} & (keyof FactsOf<Kind> extends never
    ? { readonly facts?: WrongPart }
    : { readonly facts: FactsOf<Kind> & WrongPart });

type WrongPart = { readonly wrong?: 'status' | 'error code' };

/** What all requirements have found and read so far. */
export class Judgement {
  readonly requirements = new Map<RequirementId, Judged>();
  readonly readings: Reading[] = [];
  /** Requirements whose judgement threw, with the error: an internal error that affects no other requirement. */
  readonly broken = new Map<RequirementId, string>();

  /** Records results for one requirement. */
  own(id: RequirementId, endpoints?: readonly EndpointPath[]): OwnJudgement {
    return new OwnJudgement(id, this, endpoints);
  }

  broke(id: RequirementId, error: unknown, view: View | null): void {
    if (this.broken.has(id)) return;
    const text = error instanceof Error ? error.message : String(error);
    const where = view === null ? '' : ` on exchange ${view.exchange.id}`;
    this.broken.set(id, `the judgement of ${id} failed${where}: ${text}`);
  }
}

/**
 * Records results for one requirement. Beyond `MAX_FINDINGS`, findings that add nothing to the fingerprint are dropped:
 * reports stay readable, and the fingerprint does not depend on the order of answers.
 */
export class OwnJudgement {
  readonly #id: RequirementId;
  readonly #into: Judgement;
  readonly #endpoints: readonly (EndpointPath | null)[] | undefined;
  readonly #varieties = new Set<string>();

  /** @param endpoints endpoints that the requirement is about (default: all); other answers are ignored */
  constructor(id: RequirementId, into: Judgement, endpoints?: readonly EndpointPath[]) {
    this.#id = id;
    this.#into = into;
    this.#endpoints = endpoints;
  }

  isAbout({ exchange: { endpoint } }: View): boolean {
    return this.#endpoints?.includes(endpoint) ?? true;
  }

  /** Notes that this answer could be judged. */
  judged(view: View): void {
    if (this.isAbout(view)) this.#entry().exchanges.add(view.exchange.id);
  }

  /** Records a violation. Implies `judged`. */
  found(view: View, finding: FindingText): void {
    if (!this.isAbout(view)) return;
    const judged = this.#entry();
    const { exchanges, findings } = judged;
    exchanges.add(view.exchange.id);
    judged.total += 1;
    const { kind, facts, against = [], pointer = null, ...rest } = finding;
    const { endpoint, role, id } = view.exchange;
    const place = withoutIndexes(pointer ?? '');
    const { parameter, header } = rest;
    const variety = JSON.stringify([kind, endpoint, parameter, header, place, view.status]);
    const isRepeated = this.#varieties.has(variety);
    if (findings.length >= (isRepeated ? MAX_FINDINGS : MAX_VARIETIES)) {
      judged.dropped.add(id);
      return;
    }
    this.#varieties.add(variety);
    const others = new Set(against.map(({ exchange }) => exchange.id));
    others.delete(id);
    findings.push({
      ...rest,
      requirement: this.#id,
      kind,
      ...(facts !== undefined && { facts }),
      message: messageOf(kind, requestName(view), facts),
      pointer,
      endpoint,
      role,
      ...(others.size > 0 && { against: [...others] }),
      exchange: id,
    });
  }

  /** Records that a condition was judged, and a finding if it does not hold. */
  expect(view: View, holds: boolean, finding: () => FindingText): void {
    this.judged(view);
    if (!holds && this.isAbout(view)) this.found(view, finding());
  }

  /** Records that an answer was judged, and a finding about the first thing that is wrong in it, if any. */
  none<Wrong>(view: View, wrong: readonly Wrong[], finding: (first: Wrong) => FindingText): void {
    const [first] = wrong;
    this.judged(view);
    if (first !== undefined) this.found(view, finding(first));
  }

  /** Records a reading. */
  read(question: Question, answer: string, view: View): void {
    this.judged(view);
    this.#keep(question, { answer }, view, this.isAbout(view) ? this.#id : null);
  }

  /** Records data of which each answer shows a part, such as values in use or field names. */
  collect(question: Question, parts: readonly string[], view: View): void {
    this.judged(view);
    const read = { answer: joined(parts), parts };
    this.#keep(question, read, view, this.isAbout(view) ? this.#id : null);
  }

  /** Records a reading that belongs to no requirement. */
  note(question: Question, answer: string, view: View): void {
    this.#keep(question, { answer }, view, null);
  }

  #keep(
    question: Question,
    read: Pick<Reading, 'answer' | 'parts'>,
    { exchange: { id } }: View,
    requirement: RequirementId | null,
  ): void {
    this.#into.readings.push({ ...asked(question), ...read, exchange: id, requirement });
  }

  #entry(): Judged {
    let judged = this.#into.requirements.get(this.#id);
    if (judged === undefined) {
      judged = { exchanges: new Set(), findings: [], total: 0, dropped: new Set() };
      this.#into.requirements.set(this.#id, judged);
    }
    return judged;
  }
}

const MAX_PARTS = 30;

/** Unique parts in alphabetical order; `none` if there are none. */
export function joined(parts: readonly string[]): string {
  const sorted = [...new Set(parts)].toSorted();
  const more = sorted.length > MAX_PARTS ? ` and ${sorted.length - MAX_PARTS} more` : '';
  return `${sorted.slice(0, MAX_PARTS).join(', ') || 'none'}${more}`;
}

export interface Answered extends Pick<Reading, 'question' | 'about'> {
  /** Every answer with the exchanges that show it. Several answers mean that the target mixes readings. */
  readonly answers: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Readings by question. Data questions get one answer: the union of all parts. */
export function byQuestion(readings: readonly Reading[]): readonly Answered[] {
  const questions = new Map<string, Map<string, Set<string>>>();
  const parts = new Map<string, Set<string>>();
  const abouts = new Map<string, About>();
  for (const { question, about, answer, parts: own, exchange } of readings) {
    if (about !== undefined) abouts.set(question, about);
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
      // Keep only exchanges that add something.
      answers.set(joined([...known]), fresh ? seen.add(exchange) : seen);
    }
  }
  return [...questions].map(([question, answers]) => {
    const about = abouts.get(question);
    return { question, ...(about && { about }), answers };
  });
}

/** All readings in one line; null if there are none. */
export function summaryOf(readings: readonly Reading[]): string | null {
  const lines = byQuestion(readings).flatMap(({ question, answers }) =>
    [...answers.keys()].map((answer) => `${question}: ${answer}`),
  );
  return lines.length === 0 ? null : lines.join('; ');
}

export const MAX_FINDINGS = 20;
/** More endpoints and fields than a requirement can have: a bound for hostile bodies. */
export const MAX_VARIETIES = 500;

/** A value as JSON, cut at 120 characters. */
export function show(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = (JSON.stringify(value) as string | undefined) ?? typeof value;
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}
