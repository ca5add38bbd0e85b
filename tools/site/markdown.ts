import { isRequirementId } from '#src/requirements/catalogue.ts';
import { code, prose } from '#src/report/analysis/markdown-text.ts';

/** Ids of requirements in a text. */
const ID = /(?<![\w/.-])\d(?:\.\d+)?\/[a-z0-9]+(?:-[a-z0-9]+)*/g;
/** More than any text of ours. */
const LONGEST = 4000;

/** Address of the page of a requirement, below the base of the site. */
export const requirementPath = (id: string): string => `/requirements/${id}`;

/** The id of a requirement as a link to its page. */
export const requirementLink = (id: string): string => `[${code(id)}](${requirementPath(id)})`;

/**
 * A sentence of the catalogue as Markdown: nothing in it is markup but spans between backticks, and ids of requirements are
 * links to their pages.
 */
export function sentence(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((piece) => (piece.startsWith('`') ? code(piece.slice(1, -1)) : linked(piece)))
    .join('');
}

function linked(text: string): string {
  const pieces: string[] = [];
  let end = 0;
  for (const { 0: id, index } of text.matchAll(ID)) {
    if (!isRequirementId(id)) continue;
    pieces.push(escaped(text.slice(end, index)), requirementLink(id));
    end = index + id.length;
  }
  return [...pieces, escaped(text.slice(end))].join('');
}

/** Spaces at the ends stay: they stand between two pieces. */
function escaped(text: string): string {
  if (text.trim() === '') return text;
  const [before = ''] = /^\s*/.exec(text) ?? [];
  const [after = ''] = /\s*$/.exec(text) ?? [];
  return `${before}${prose(text.trim(), LONGEST)}${after}`;
}

/** The same, ending with a full stop. */
export const statement = (text: string): string =>
  sentence(/[.!?]$/.test(text) ? text : `${text}.`);

/** Front matter of a page, as JSON, which YAML takes. */
export function frontMatter(values: Readonly<Record<string, unknown>>): readonly string[] {
  const lines = Object.entries(values).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return ['---', ...lines, '---'];
}

/** The anchor of a clause on the page of clauses. */
export const clauseAnchor = (clause: string): string =>
  `clause-${clause
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}`;
