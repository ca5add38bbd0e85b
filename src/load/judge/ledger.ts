import type { RequirementId } from '../../spec/requirement-id.ts';
import { requirementOf } from '../../requirements/catalogue.ts';
import type { LoadFinding, LoadRequirement } from '../../report/model/load-results.ts';
import { Judgement, type FindingText } from '../../judge/judgement.ts';
import { messageOf } from '../../judge/messages.ts';
import { requestName, type View } from '../../judge/view.ts';

const FINDINGS_KEPT = 20;

interface Entry {
  judged: number;
  total: number;
  readonly findings: LoadFinding[];
}

/**
 * Collects the findings of a scenario. Unlike a run it counts judged exchanges instead of keeping them, because there
 * may be a hundred thousand.
 */
export class Ledger extends Judgement {
  readonly #entries = new Map<RequirementId, Entry>();
  readonly #answers = new Map<string, Set<string>>();
  readonly notes: string[] = [];
  /** Reasons why there is no verdict, if any. */
  readonly doubts: string[] = [];

  override expect(
    id: RequirementId,
    view: View | null,
    holds: boolean,
    finding: () => FindingText,
  ): void {
    if (holds) this.judged(id);
    else this.found(id, view, finding());
  }

  override found(id: RequirementId, view: View | null, text: FindingText): void {
    const { kind, facts = {}, against = [] } = text;
    // The exchanges of a load are not kept, so an id would lead nowhere.
    const sent = new Map(against.map((one) => [one.exchange.id, sentWords(one)]));
    const named = Object.entries<string | number>(facts).map(
      ([name, fact]) => [name, sent.get(String(fact)) ?? fact] as const,
    );
    const at = view === null ? '' : requestName(view);
    const message = messageOf(kind, at, Object.fromEntries(named));
    this.take(id, { ...text, message });
  }

  /** Takes over what was found elsewhere. */
  take(
    id: RequirementId,
    { message, expected, actual, pointer = '' }: LoadFinding & { readonly pointer?: string | null },
  ): void {
    const entry = this.#entry(id);
    entry.judged += 1;
    entry.total += 1;
    if (entry.findings.length >= FINDINGS_KEPT) return;
    const where = pointer === null || pointer === '' ? '' : ` (${pointer})`;
    entry.findings.push({ message: message + where, expected, actual });
  }

  /** Records that the requirement was judged `times` times without a finding. */
  override judged(id: RequirementId, _view: View | null = null, times = 1): void {
    this.#entry(id).judged += times;
  }

  override read(
    question: string,
    answer: string,
    _view: View | null,
    id: RequirementId | null = null,
  ): void {
    const answers = this.#answers.get(question) ?? new Set();
    this.#answers.set(question, answers.add(answer));
    if (id !== null) this.judged(id);
  }

  /** Discards the judgements of a requirement. */
  forget(id: RequirementId): void {
    this.#entries.delete(id);
  }

  wasJudged(id: RequirementId): boolean {
    return (this.#entries.get(id)?.judged ?? 0) > 0;
  }

  /** Answers to questions that the specification leaves open. */
  get answered(): { question: string; answer: string }[] {
    return [...this.#answers].map(([question, answers]) => ({
      question,
      answer: [...answers].join(' / '),
    }));
  }

  /** One result per judged requirement, and per requirement of `wanted` that was not judged. */
  results(wanted: readonly RequirementId[]): LoadRequirement[] {
    const ids = new Set([...wanted, ...this.#entries.keys()]);
    return [...ids].map((id) => {
      const { level, title } = requirementOf(id);
      const entry = this.#entries.get(id) ?? { judged: 0, total: 0, findings: [] };
      return { id, level, title, outcome: outcomeOf(level, entry), ...entry };
    });
  }

  #entry(id: RequirementId): Entry {
    let entry = this.#entries.get(id);
    if (entry === undefined) {
      entry = { judged: 0, total: 0, findings: [] };
      this.#entries.set(id, entry);
    }
    return entry;
  }
}

const sentWords = (view: View): string =>
  `${requestName(view)} sent at ${new Date(view.exchange.sentAt).toISOString()}`;

function outcomeOf(level: LoadRequirement['level'], entry: Entry): LoadRequirement['outcome'] {
  if (entry.judged === 0) return 'untested';
  if (level === 'observe') return 'observed';
  if (entry.total === 0) return 'passed';
  return level === 'must' ? 'failed' : 'warned';
}
