import { createHash } from 'node:crypto';
import { endpoint, ENDPOINT_PATHS } from '../contract/endpoints.ts';
import { REQUIREMENTS } from '../requirements/catalogue.ts';
import { SPEC_SHA256 } from '../requirements/clauses.ts';
import { parameterClause } from '../requirements/families/of-endpoint.ts';
import { PROSE_DIGESTS } from '../requirements/prose-digests.ts';
import { ROW_DIGESTS } from '../requirements/row-digests.ts';
import { cut } from '../text/text.ts';
import type { Quotation } from './quotation.ts';

/** A specification as far as reports quote it. */
export interface Specification {
  /** Digest of the file. */
  readonly sha256: string;
  /** True for the version that the requirements were made from. */
  readonly isSame: boolean;
  /** Clauses that requirements cite, and how many of them were found. */
  readonly clauses: number;
  readonly found: number;
  /** Quotations by the id of their requirement; those without any are left out. */
  readonly quotations: ReadonlyMap<string, readonly Quotation[]>;
}

/** Longest quotation, in characters. */
const LONGEST = 600;
/** Lines that one sentence may have been broken into. */
const LINES = 8;

/** The words of a line as they are compared: without marks of tables and code, each gap a single space. */
function wordsOf(line: string): string {
  // The number of a rule may change where another one is added.
  const bare = line
    .replaceAll('`', '')
    .trim()
    .replace(/^\d+\.\s+/, '');
  const cells = bare.startsWith('|') ? bare.replace(/^\||\|$/g, '').split('|') : [bare];
  return cells
    .map((cell) => cell.replace(/\s+/g, ' ').trim())
    .filter((cell) => cell !== '')
    .join(' | ');
}

/** Digest of a row or sentence, the same however its table is aligned or its lines are broken. */
export function digestOf(line: string): string {
  return createHash('sha256').update(wordsOf(line)).digest('hex').slice(0, 16);
}

/** Rows and sentences of a text by their digest: every line, and every few that follow each other without a gap. */
function passagesOf(text: string): ReadonlyMap<string, string> {
  const passages = new Map<string, string>();
  const lines = text.split(/\r\n|[\r\n]/);
  for (const [start, first] of lines.entries()) {
    let passage = '';
    for (const line of lines.slice(start, start + LINES)) {
      if (line.trim() === '' || (passage !== '' && /^\s*(\||#)/.test(line))) break;
      passage = passage === '' ? line : `${passage} ${line.trim()}`;
      const words = wordsOf(passage);
      passages.set(digestOf(passage), words);
      if (first.trim().startsWith('|')) break;
    }
  }
  return passages;
}

/** Clauses of parameters that stand in the row of their endpoint. */
const ROW_OF_PARAMETER: ReadonlyMap<string, string> = new Map(
  ENDPOINT_PATHS.flatMap((path) =>
    Object.keys(endpoint(path).query).map((name) => [
      parameterClause(path, name),
      `${endpoint(path).section} GET ${path}`,
    ]),
  ),
);

/** Digests of the rows and sentences of a clause; none where the specification has no words of its own for it. */
export function digestsOf(clause: string): readonly string[] {
  const own = [PROSE_DIGESTS[clause], ROW_DIGESTS[clause]].flatMap((one) => one ?? []);
  const row = own.length > 0 ? undefined : ROW_OF_PARAMETER.get(clause);
  return row === undefined ? own : digestsOf(row);
}

/** What is known of the specification without its text. */
export interface Known {
  /** Digest of the version that the requirements were made from. */
  readonly sha256: string;
  readonly requirements: readonly { readonly id: string; readonly clauses: readonly string[] }[];
  readonly digestsOf: (clause: string) => readonly string[];
}

const KNOWN: Known = { sha256: SPEC_SHA256, requirements: REQUIREMENTS, digestsOf };

/** Finds the quotations of all requirements in a text. */
export function specificationOf(text: string, known: Known = KNOWN): Specification {
  const { requirements } = known;
  const passages = passagesOf(text);
  const quoted = (clause: string): readonly Quotation[] =>
    known.digestsOf(clause).flatMap((digest) => {
      const words = passages.get(digest);
      return words === undefined ? [] : [{ clause, text: cut(words, LONGEST) }];
    });
  const sha256 = createHash('sha256').update(text).digest('hex');
  const clauses = [...new Set(requirements.flatMap((one) => one.clauses))];
  const quotations = requirements.map(({ id, clauses: own }): [string, readonly Quotation[]] => {
    // Parameters of one endpoint stand in one row: it is quoted once.
    const all = own.flatMap(quoted);
    return [id, all.filter(({ text: one }, at) => all.findIndex((it) => it.text === one) === at)];
  });
  return {
    sha256,
    isSame: sha256 === known.sha256,
    clauses: clauses.length,
    found: clauses.filter((clause) => quoted(clause).length > 0).length,
    quotations: new Map(quotations.filter(([, own]) => own.length > 0)),
  };
}

/** What is to be known about quotations from another version; null when they come from the very one. */
export function versionWords(specification: Omit<Specification, 'quotations'>): string | null {
  const { sha256, isSame, found, clauses } = specification;
  return isSame
    ? null
    : `This specification (${sha256.slice(0, 12)}) is not the version that Assay was written for (${SPEC_SHA256.slice(0, 12)}): ${found} of ${clauses} clauses have the same words in both, and only those are quoted.`;
}
