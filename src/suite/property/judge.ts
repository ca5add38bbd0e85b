import { numberOf, type Exchange } from '../../contract/exchange.ts';
import type { Finding } from '../../contract/finding.ts';
import type { RequirementId } from '../../contract/requirement-id.ts';
import { requirementOf } from '../../requirements/catalogue.ts';
import type { Facts } from '../../rules/facts.ts';
import type { Judgement } from '../../rules/judgement.ts';
import { judgeAll } from '../../requirements/judging.ts';

/** What the rules say about the requests of a case. */
export interface Verdict {
  readonly findings: readonly Finding[];
  /** Requirements that were judged, and on which of the exchanges. */
  readonly judged: ReadonlyMap<RequirementId, readonly Exchange[]>;
}

/**
 * All rules on the exchanges of a case, beside the plain requests that show what the endpoint answers otherwise. What
 * is to be said of the plain requests alone is no finding of the case. Findings about the limiter depend on what was
 * sent before and are left to the judgement of the whole run.
 */
export function judgeCase(
  plain: readonly Exchange[],
  asked: readonly Exchange[],
  facts: Facts,
): Verdict {
  const before = new Set(findingsOf(judgeAll(plain, facts)).map(keyOf));
  const own = new Map(asked.map((exchange) => [exchange.id, exchange]));
  const all = new Map([...plain, ...asked].map((exchange) => [exchange.id, exchange]));
  const judgement = judgeAll([...all.values()].toSorted(bySending), facts);
  const judged = new Map<RequirementId, readonly Exchange[]>();
  for (const [id, { exchanges }] of judgement.requirements) {
    const mine = [...exchanges].flatMap((exchange) => own.get(exchange) ?? []);
    if (mine.length > 0) judged.set(id, mine);
  }
  const findings = findingsOf(judgement).filter((finding) => !before.has(keyOf(finding)));
  return { findings, judged };
}

function findingsOf(judgement: Judgement): Finding[] {
  return [...judgement.requirements]
    .filter(([id]) => requirementOf(id).level !== 'observe' && requirementOf(id).section !== '8')
    .flatMap(([, { findings }]) => findings);
}

const keyOf = ({ requirement, message, pointer, exchange }: Finding): string =>
  JSON.stringify([requirement, message, pointer, exchange]);

const bySending = (a: Exchange, b: Exchange): number => numberOf(a.id) - numberOf(b.id);
