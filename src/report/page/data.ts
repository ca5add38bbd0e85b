import { deflateRawSync } from 'node:zlib';
import type { Exchange } from '../../spec/exchange.ts';
import { isRequirementId, requirementOf } from '../../requirements/catalogue.ts';
import { RULINGS } from '../../spec/rulings.ts';
import type { Cause } from '../analysis/causes.ts';
import { errorCode } from '../model/error-code.ts';
import { wordsById } from '../analysis/history.ts';
import { issueHead } from '../analysis/outline.ts';
import { proofSentence } from '../analysis/proof.ts';
import { rerunCommand, rerunNote } from '../analysis/rerun.ts';
import type { ExchangeRow, PageCause, PageData, PageRequirement } from './page-data.ts';
import type { Results } from '../model/results.ts';
import { checksOf, shownBy, statusOf } from '../model/status.ts';

/** Characters per chunk: small enough to open at once, large enough to compress well. */
const CHUNK_CHARACTERS = 400_000;
/** Base64 characters of all chunks; further bodies are omitted. */
const TOTAL_CHARACTERS = 24_000_000;
/** Replaces an omitted body. */
const LEFT_OUT = 'Body omitted to keep the page small; see results.json.';

/** Base64 of raw deflate of JSON. */
export function encode(value: unknown): string {
  return deflateRawSync(JSON.stringify(value), { level: 6 }).toString('base64');
}

function targetOf({ request }: Exchange): string {
  const start = request.url.indexOf('?');
  return request.path + (start < 0 ? '' : request.url.slice(start));
}

function requirementsOf(results: Results): readonly PageRequirement[] {
  const fresh = new Set(
    (results.changes?.changes ?? [])
      .filter(({ kind }) => kind === 'new-violation')
      .map(({ subject }) => subject),
  );
  const history = wordsById(results);
  return results.requirements.map((requirement) => {
    const facts = isRequirementId(requirement.id) ? requirementOf(requirement.id) : null;
    const path = requirement.findings.flatMap(({ replay }) => replay ?? [])[0];
    return {
      ...requirement,
      checks: checksOf(requirement),
      exchanges: shownBy(requirement),
      words: statusOf(requirement, results).words,
      rerun: rerunCommand(results, { id: requirement.id }),
      rerunCase: path === undefined ? null : rerunCommand(results, { id: requirement.id, path }),
      history: history.get(requirement.id) ?? null,
      clauses: facts?.clauses ?? [],
      rulings: (facts?.rulings ?? []).map((number) => [number, RULINGS[number] ?? ''] as const),
      proof: results.proof?.[requirement.id] ?? [],
      fingerprint: requirement.fingerprint ?? null,
      isNew: fresh.has(requirement.id),
    };
  });
}

const causeOf = (results: Results, cause: Cause): PageCause => ({
  id: cause.id,
  outcome: cause.outcome,
  message: cause.message,
  issue: issueHead(results, cause),
  exchange: cause.exchange?.id ?? null,
  requirements: cause.requirements.map((one) => one.id),
  isWaivable: cause.requirements.some(({ fingerprint = null }) => fingerprint !== null),
});

/** The data of a page, and its exchanges in encoded chunks. */
export interface ChunkedData {
  readonly data: PageData;
  readonly chunks: readonly string[];
}

/** The data of the page; deterministic. */
export function pageData(results: Results, causes: readonly Cause[]): ChunkedData {
  const endpoints = [...new Set(results.exchanges.flatMap(({ endpoint }) => endpoint ?? []))];
  const position = new Map<string, number>(endpoints.map((path, index) => [path, index]));
  const rows: ExchangeRow[] = [];
  const chunks: string[] = [];
  let open: Exchange[] = [];
  let characters = 0;
  let total = 0;
  const close = (): void => {
    if (open.length === 0) return;
    const text = encode(open);
    chunks.push(text);
    total += text.length;
    open = [];
    characters = 0;
  };
  for (const exchange of results.exchanges) {
    const { response } = exchange;
    rows.push([
      exchange.id,
      exchange.request.method,
      targetOf(exchange),
      response?.status ?? 0,
      Math.round(exchange.receivedAt - exchange.sentAt),
      exchange.role,
      position.get(exchange.endpoint ?? '') ?? -1,
      errorCode(exchange),
      chunks.length,
    ]);
    const fits = response === null || total < TOTAL_CHARACTERS;
    open.push(
      fits ? exchange : { ...exchange, response: { ...response, text: LEFT_OUT, truncated: true } },
    );
    characters += (fits ? (response?.text.length ?? 0) : 0) + 600;
    if (characters >= CHUNK_CHARACTERS) close();
  }
  close();
  const data: PageData = {
    baseUrl: results.target.baseUrl,
    startedAt: results.startedAt,
    keyVariables: results.target.keyVariables ?? {},
    rerunNote: rerunNote(results),
    requirements: requirementsOf(results),
    exchanges: rows,
    endpoints,
    causes: causes.map((cause) => causeOf(results, cause)),
    waivers: results.waivers ?? [],
    answers: results.changes?.answers ?? [],
    proof: { given: results.proof !== undefined, sentence: proofSentence(results) },
  };
  return { data, chunks };
}
