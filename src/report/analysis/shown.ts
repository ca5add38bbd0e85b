import type { Exchange } from '../../spec/exchange.ts';
import { STATUS } from '../../spec/finding.ts';
import { newSince } from '../model/diff.ts';
import { statusOfCode } from '../model/error-code.ts';
import { loadRequirements } from '../model/load.ts';
import type { RequirementResult, ResultFinding, Results } from '../model/results.ts';
import { kindOf } from '../model/status.ts';
import { harmRank } from './seen.ts';

/** Letter case that only tests send: the specification writes some values in capitals. */
const isOdd = ([name, value]: readonly [string, string]): boolean =>
  /[a-z]/.test(value) && (['symbol', 'country_code'].includes(name) || /[A-Z]/.test(value));

/** How much a reader has to know to repeat a request and read its response. */
export function burden(exchange: Exchange | null): number {
  if (exchange === null) return Number.MAX_SAFE_INTEGER;
  const { role, request, response } = exchange;
  const language = request.query.find(([name]) => name === 'language')?.[1] ?? 'en';
  return (
    // A copied command would use up the key.
    (role === 'nearQuota' ? 1e9 : 0) +
    (role === 'restricted' ? 1e8 : 0) +
    (language === 'en' ? 0 : 1e7) +
    (request.query.some(isOdd) ? 1e5 : 0) +
    request.query.length * 1e6 +
    request.url.length +
    (response?.bytes ?? 0)
  );
}

/** A finding at the part of the response that is wrong: when the code is right and the status is not, this is the status. */
function placed(finding: ResultFinding, exchange: Exchange | null): ResultFinding {
  const isStatus =
    finding.pointer === '/code' &&
    finding.facts?.['wrong'] !== 'error code' &&
    exchange !== null &&
    statusOfCode(exchange) !== null;
  return isStatus ? { ...finding, pointer: null, header: STATUS } : finding;
}

/**
 * Results as every format shows them. A load run only has the requirements that load judged. Findings are at their place;
 * those of a requirement begin with what is new, does the most harm and has the simplest request.
 */
export function asShown(recorded: Results): Results {
  const requirements =
    kindOf(recorded) === 'load' ? loadRequirements(recorded) : recorded.requirements;
  const results = { ...recorded, requirements };
  const exchanges = new Map(results.exchanges.map((exchange) => [exchange.id, exchange]));
  const isNew = newSince(results);
  const ordered = (requirement: RequirementResult): RequirementResult => {
    const ranked = requirement.findings.map((one) => {
      const exchange = exchanges.get(one.exchange ?? '') ?? null;
      const finding = placed(one, exchange);
      const harm = harmRank(requirement, finding, exchange, results);
      const known = Number(!isNew(requirement.id, one));
      return { finding, known, harm, burden: burden(exchange) };
    });
    const findings = ranked
      .toSorted((a, b) => a.known - b.known || a.harm - b.harm || a.burden - b.burden)
      .map(({ finding }) => finding);
    return { ...requirement, findings };
  };
  return { ...results, requirements: requirements.map(ordered) };
}
