import { sectionTitle } from '#src/report/model/labels.ts';
import { REQUIREMENTS } from '#src/requirements/catalogue.ts';
import type { Document } from './documents.ts';
import { SECTIONS } from './list-pages.ts';
import { requirementPath } from './markdown.ts';

/** One line of the VitePress sidebar. */
interface Item {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly Item[];
}

/** Documents by purpose, in reading order. */
const GROUPS: readonly (readonly [text: string, pages: readonly string[]])[] = [
  ['Start', ['index', 'getting-started', 'target-file', 'networks']],
  ['Use', ['ci', 'recorded-traffic', 'watch', 'interrupted-runs', 'load', 'monitor', 'api']],
  ['Understand results', ['report', 'red-results', 'errors', 'security']],
  ['Trust', ['trust', 'compare', 'bench']],
  ['The project', ['versions', 'changelog', 'architecture', 'contributing', 'development']],
];

const nameOf = ({ page }: Document): string => page.replace(/\.md$/, '');

/**
 * Sidebars by address prefix.
 *
 * @param titles titles of the documents by name
 * @throws Error if a document is in no group, or a group names a missing one
 */
export function sidebars(
  documents: readonly Document[],
  titles: ReadonlyMap<string, string>,
): Readonly<Record<string, readonly Item[]>> {
  const named = GROUPS.flatMap(([, pages]) => pages);
  const names = documents.map(nameOf);
  const lost = names.filter((name) => !named.includes(name));
  const missing = named.filter((name) => !names.includes(name));
  if (lost.length + missing.length > 0) {
    throw new Error(
      `tools/site/navigation.ts: ${[...lost.map((name) => `no group has ${name}`), ...missing.map((name) => `page ${name} does not exist`)].join('; ')}.`,
    );
  }
  const lists: Item = {
    text: 'Requirements',
    items: [
      { text: 'All requirements', link: '/requirements/' },
      ...['must', 'should', 'observe'].map((level) => ({
        text: `Level ${level}`,
        link: `/requirements/${level}`,
      })),
      { text: 'Rulings', link: '/rulings' },
      { text: 'Clauses', link: '/clauses' },
    ],
  };
  const sections: Item = {
    text: 'Sections',
    items: SECTIONS.map((section) => ({
      text: `§${section} ${sectionTitle(section)}`,
      link: `/requirements/${section}/`,
    })),
  };
  const documented = GROUPS.map(([text, pages]) => ({
    text,
    items: [
      ...pages.map((name) => ({
        text: name === 'index' ? 'Assay' : (titles.get(name) ?? name),
        link: name === 'index' ? '/' : `/${name}`,
      })),
      ...(pages.includes('report') ? [{ text: 'Sample report', link: '/sample-report' }] : []),
    ],
  }));
  return {
    ...Object.fromEntries(
      SECTIONS.map((section) => [
        `/requirements/${section}/`,
        [
          lists,
          {
            text: `§${section} ${sectionTitle(section)}`,
            items: REQUIREMENTS.filter((one) => one.section === section).map(({ id }) => ({
              text: id,
              link: requirementPath(id),
            })),
          },
        ],
      ]),
    ),
    '/requirements/': [lists, sections],
    '/rulings': [lists, sections],
    '/clauses': [lists, sections],
    '/': documented,
  };
}
