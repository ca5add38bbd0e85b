import { existsSync } from 'node:fs';
import path from 'node:path';
import { isRequirementId } from '#src/requirements/catalogue.ts';
import { requirementPath } from './markdown.ts';

/** Address on the site, below the base. */
type Address = string;

/** A handwritten document: its file in the repository, and its page. */
export interface Document {
  /** `docs/ci.md`. */
  readonly file: string;
  /** `ci.md`. */
  readonly page: string;
}

/** Files with a different address on the site. */
const ELSEWHERE: Readonly<Record<string, Address>> = {
  'docs/requirements.md': '/requirements/',
  'reports/sample': '/sample-report',
};

/** Targets of links in documents. */
export interface Links {
  readonly documents: readonly Document[];
  /** Folder of the repository. */
  readonly root: string;
  /** Address of the repository, such as `https://github.com/owner/name`, if known. */
  readonly repository?: string | undefined;
}

/** A dead link. */
export class DeadLink extends Error {
  override readonly name = 'DeadLink';
}

/** The fence of a code block, which has no links. */
const FENCE = /^ *(`{3,}|~{3,})/;
/** Links and pictures: the text, and the address without a title. */
const LINK = /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g;

/** The id of a requirement as code, not linked yet. */
const REQUIREMENT = /(?<!\[)`(\d(?:\.\d+)?\/[a-z0-9-]+)`(?!\])/g;

/**
 * The text of a document with its links converted for the site. A file that the site does not have becomes a link to the
 * repository, or plain text if its address is unknown. Requirement ids become links to their pages.
 *
 * @param picture called with the repository path of each picture; returns its address on the site
 * @throws DeadLink if a link leads to no file
 */
export function onSite(
  { file }: Document,
  text: string,
  links: Links,
  picture: (file: string) => Address,
): string {
  let fence = '';
  return text
    .split('\n')
    .map((line) => {
      const [, mark = ''] = FENCE.exec(line) ?? [];
      if (fence === '' && mark !== '') fence = mark;
      else if (fence !== '' && line.trim() === fence) fence = '';
      else if (fence === '') return rewriteLinks(line, file, links, picture);
      return line;
    })
    .join('\n');
}

function rewriteLinks(
  line: string,
  file: string,
  links: Links,
  picture: (file: string) => Address,
): string {
  const linked = line.replaceAll(REQUIREMENT, (whole, id: string) =>
    isRequirementId(id) ? `[${whole}](${requirementPath(id)})` : whole,
  );
  return linked.replaceAll(LINK, (whole, bang: string, text: string, target: string) => {
    // External addresses, and addresses of the site.
    if (/^[a-z]+:|^[#/]/.test(target)) return whole;
    const [relative = '', anchor] = target.split('#');
    const named = path.posix.join(path.posix.dirname(file), relative).replace(/\/$/, '');
    if (!existsSync(path.join(links.root, named)))
      throw new DeadLink(`${file} links to ${target}, but ${named} does not exist.`);
    if (bang === '!') return `![${text}](${picture(named)})`;
    const address = addressOf(named, links);
    if (address === undefined) return text;
    return `[${text}](${address}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}

function addressOf(named: string, { documents, repository }: Links): Address | undefined {
  const elsewhere = ELSEWHERE[named];
  if (elsewhere !== undefined) return elsewhere;
  const page = documents.find((one) => one.file === named)?.page;
  if (page !== undefined) return `/${page.replace(/(?:^|(?<=\/))index\.md$|\.md$/, '')}`;
  return repository === undefined ? undefined : `${repository}/blob/main/${named}`;
}
