import { requirementOf } from '../../requirements/catalogue.ts';
import type { RequirementId } from '../../contract/requirement-id.ts';
import type { LoadFinding, LoadRequirement } from '../../report/load-results.ts';

const FINDINGS_KEPT = 20;

interface Entry {
  judged: number;
  total: number;
  readonly findings: LoadFinding[];
}

/** Collects what the judges of a scenario find. */
export class Ledger {
  readonly #entries = new Map<RequirementId, Entry>();
  readonly #readings = new Map<string, Set<string>>();
  readonly notes: string[] = [];
  /** Why no verdict can be reached; empty when one can. */
  readonly doubts: string[] = [];

  /** Judges a condition: counts it, and takes the finding when it does not hold. */
  expect(id: RequirementId, holds: boolean, finding: () => LoadFinding): void {
    const entry = this.#entry(id);
    entry.judged += 1;
    if (!holds) this.#add(entry, finding());
  }

  found(id: RequirementId, finding: LoadFinding): void {
    const entry = this.#entry(id);
    entry.judged += 1;
    this.#add(entry, finding);
  }

  /** Notes that the requirement was judged `times` times without a finding. */
  judged(id: RequirementId, times = 1): void {
    this.#entry(id).judged += times;
  }

  /** Takes back what was judged on a requirement. */
  forget(id: RequirementId): void {
    this.#entries.delete(id);
  }

  /** Records an answer to a question that the specification leaves open. */
  read(question: string, answer: string, id?: RequirementId): void {
    const answers = this.#readings.get(question) ?? new Set();
    this.#readings.set(question, answers.add(answer));
    if (id !== undefined) this.judged(id);
  }

  wasJudged(id: RequirementId): boolean {
    return (this.#entries.get(id)?.judged ?? 0) > 0;
  }

  get readings(): { question: string; answer: string }[] {
    return [...this.#readings].map(([question, answers]) => ({
      question,
      answer: [...answers].join(' / '),
    }));
  }

  /** One result for each requirement that was judged, and for those of `wanted` that were not. */
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

  #add(entry: Entry, finding: LoadFinding): void {
    entry.total += 1;
    if (entry.findings.length < FINDINGS_KEPT) entry.findings.push(finding);
  }
}

function outcomeOf(level: LoadRequirement['level'], entry: Entry): LoadRequirement['outcome'] {
  if (entry.judged === 0) return 'untested';
  if (level === 'observe') return 'observed';
  if (entry.total === 0) return 'passed';
  return level === 'must' ? 'failed' : 'warned';
}
