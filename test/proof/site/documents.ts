import { existsSync } from 'node:fs';
import path from 'node:path';
import { isRequirementId } from '#src/requirements/catalogue.ts';
import { requirementPath } from './markdown.ts';

/** Where a file of the repository is on the site: its address below the base. */
type Address = string;

/** Pages that are written by people: their file in the repository, and the page that it becomes. */
export interface Document {
  /** `docs/ci.md`. */
  readonly file: string;
  /** `ci.md`. */
  readonly page: string;
}

/** Files that have another form on the site. */
const ELSEWHERE: Readonly<Record<string, Address>> = {
  'docs/requirements.md': '/requirements/',
  'reports/sample': '/sample-report',
};

/** Where links of documents lead to. */
export interface Links {
  readonly documents: readonly Document[];
  /** Folder of the repository. */
  readonly root: string;
  /** Address of the repository, such as `https://github.com/owner/name`; undefined when none is known. */
  readonly repository?: string | undefined;
}

/** A link that leads nowhere. */
export class DeadLink extends Error {
  override readonly name = 'DeadLink';
}

/** What makes a block in which nothing is a link. */
const FENCE = /^ *(`{3,}|~{3,})/;
/** Links and pictures: the text, and the address without a title. */
const LINK = /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g;

/** The id of a requirement as code that is no link yet. */
const REQUIREMENT = /(?<!\[)`(\d(?:\.\d+)?\/[a-z0-9-]+)`(?!\])/g;

/**
 * The text of a document with its links turned to the site. What the site does not have becomes a link to the repository,
 * or plain text where no repository is known. Requirements that are named are links to their pages.
 *
 * @param picture told of each picture, by its path in the repository; returns its address on the site
 * @throws DeadLink when a link leads to no file
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
      else if (fence === '') return turned(line, file, links, picture);
      return line;
    })
    .join('\n');
}

function turned(
  line: string,
  file: string,
  links: Links,
  picture: (file: string) => Address,
): string {
  const linked = line.replaceAll(REQUIREMENT, (whole, id: string) =>
    isRequirementId(id) ? `[${whole}](${requirementPath(id)})` : whole,
  );
  return linked.replaceAll(LINK, (whole, bang: string, text: string, target: string) => {
    // Addresses of others, and of the site.
    if (/^[a-z]+:|^[#/]/.test(target)) return whole;
    const [relative = '', anchor] = target.split('#');
    const named = path.posix.join(path.posix.dirname(file), relative).replace(/\/$/, '');
    if (!existsSync(path.join(links.root, named)))
      throw new DeadLink(`${file} links to ${target}, and there is no ${named}.`);
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
