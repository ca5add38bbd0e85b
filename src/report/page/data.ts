import { deflateRawSync } from 'node:zlib';
import type { Exchange } from '../../spec/exchange.ts';
import { knownAbout } from '../../requirements/catalogue.ts';
import { RULINGS } from '../../spec/rulings.ts';
import { plural } from '../../text/text.ts';
import type { Cause } from '../analysis/causes.ts';
import { errorCode } from '../model/error-code.ts';
import { targetOf } from '../analysis/evidence-text.ts';
import { wordsById } from '../analysis/history.ts';
import { newSince } from '../model/diff.ts';
import { issueHead } from '../analysis/outline.ts';
import { quotaNote, rerunCommand, rerunNote } from '../analysis/rerun.ts';
import type { ExchangeRow, PageData, PageRequirement } from './page-data.ts';
import { UNJUDGED } from '../model/labels.ts';
import type { Results } from '../model/results.ts';
import { checksOf, shownBy, statusOf } from '../model/status.ts';

/** How many musts and shoulds judged in this run fail on a deliberate defect of the reference server, in one sentence. */
function proofSentence({ requirements, proof }: Results): string {
  if (proof === undefined)
    return 'These results contain no proof that the checks can fail; npm run prove creates it.';
  const judged = requirements.filter(
    ({ level, outcome }) => level !== 'observe' && !UNJUDGED.includes(outcome),
  );
  const defects = judged.map(({ id }) => proof[id] ?? []);
  const proven = defects.filter(({ length }) => length > 0).length;
  const all = judged.length;
  if (all === 0) return 'No must or should was judged in this run.';
  const share = proven === all ? `All ${all}` : `${proven} of ${all}`;
  return `${share} judged musts and shoulds are proven able to fail: each fails on at least one of ${plural(new Set(defects.flat()).size, 'deliberate defect')} in the reference server.`;
}

/** Exchanges per chunk: few enough to open one at once, enough to compress well and for few elements. */
const CHUNK = 60;
/** Base64 characters of all chunks; further bodies are omitted. */
const TOTAL_CHARACTERS = 24_000_000;

/** Base64 of raw deflate of JSON. */
export const encode = (value: unknown): string =>
  deflateRawSync(JSON.stringify(value), { level: 6 }).toString('base64');

function requirementsOf(results: Results): readonly PageRequirement[] {
  const isNew = newSince(results);
  const history = wordsById(results);
  return results.requirements.map((requirement) => {
    const { id } = requirement;
    const { clauses = [], rulings = [] } = knownAbout(id);
    // In a load run, the scenario that judged a requirement judges it again.
    const load = results.load.find((one) => one.requirements.some((own) => own.id === id));
    return {
      ...requirement,
      checks: checksOf(requirement),
      exchanges: shownBy(requirement),
      words: statusOf(requirement, results).words,
      rerun: load?.command ?? rerunCommand(results, { id }),
      quotaNote: quotaNote(results, id),
      history: history.get(id) ?? null,
      clauses,
      rulings: rulings.map((number) => [number, RULINGS[number] ?? ''] as const),
      proof: results.proof?.[id] ?? [],
      isNew: [...requirement.findings, { exchange: null }].some((one) => isNew(id, one)),
    };
  });
}

function chunksOf(exchanges: readonly Exchange[]): readonly string[] {
  const chunks: string[] = [];
  let total = 0;
  for (let start = 0; start < exchanges.length; start += CHUNK) {
    const own = exchanges.slice(start, start + CHUNK);
    const chunk = encode(total < TOTAL_CHARACTERS ? own : own.map(withoutBody));
    chunks.push(chunk);
    total += chunk.length;
  }
  return chunks;
}

const LEFT_OUT = 'Body omitted to keep the page small; see results.json.';
const withoutBody = ({ response, ...exchange }: Exchange): Exchange => ({
  ...exchange,
  response: response && { ...response, text: LEFT_OUT, truncated: true },
});

/** The data of the page; deterministic. */
export function pageData(results: Results, causes: readonly Cause[]) {
  const endpoints = [...new Set(results.exchanges.flatMap(({ endpoint }) => endpoint ?? []))];
  const position = new Map<string, number>(endpoints.map((path, index) => [path, index]));
  const exchanges = results.exchanges.map((exchange, index): ExchangeRow => [
    exchange.id,
    exchange.request.method,
    targetOf(exchange),
    exchange.response?.status ?? 0,
    Math.round(exchange.receivedAt - exchange.sentAt),
    exchange.role,
    position.get(exchange.endpoint ?? '') ?? -1,
    errorCode(exchange),
    Math.floor(index / CHUNK),
  ]);
  const data: PageData = {
    baseUrl: results.target.baseUrl,
    startedAt: results.startedAt,
    keyVariables: results.target.keyVariables ?? {},
    rerunNote: rerunNote(results),
    requirements: requirementsOf(results),
    exchanges,
    endpoints,
    causes: causes.map((cause) => ({
      id: cause.id,
      outcome: cause.outcome,
      message: cause.message,
      issue: issueHead(results, cause),
      exchange: cause.exchange?.id ?? null,
      // The one that the finding is shown with comes first.
      requirements: [
        ...new Set([cause.example.requirement, ...cause.requirements].map((one) => one.id)),
      ],
      isWaivable: cause.requirements.some(({ fingerprint = null }) => fingerprint !== null),
    })),
    waivers: results.waivers ?? [],
    answers: results.changes?.answers ?? [],
    proof: { given: results.proof !== undefined, sentence: proofSentence(results) },
  };
  return { data, chunks: chunksOf(results.exchanges) };
}
