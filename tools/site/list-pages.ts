import { RULINGS } from '#src/spec/rulings.ts';
import { sectionTitle, compareSections } from '#src/report/model/labels.ts';
import { REQUIREMENTS, type Requirement } from '#src/requirements/catalogue.ts';
import { clauseCoverage, UNTESTABLE } from '#src/requirements/clauses.ts';
import { blocks } from '../markdown.ts';
import { clauseAnchor, frontMatter, requirementLink, sentence, statement } from './markdown.ts';
import { LEVEL_WORDS, levelBadge } from './requirement-page.ts';

/** Sections that have requirements, in the order of the specification. */
export const SECTIONS: readonly string[] = [...new Set(REQUIREMENTS.map(({ section }) => section))];

const LEVELS = ['must', 'should', 'observe'] as const;

/** Data of the filterable list, read by the theme. */
export const catalogueData = (): object => ({
  sections: SECTIONS.map((id) => ({ id, title: sectionTitle(id) })),
  requirements: REQUIREMENTS.map(({ id, level, section, title }) => ({
    id,
    level,
    section,
    title,
  })),
});

/** Pages that list requirements, rulings and clauses: Markdown by path. */
export function listPages(): ReadonlyMap<string, string> {
  return new Map([
    ['requirements/index.md', overview()],
    ...SECTIONS.map((section): [string, string] => [
      `requirements/${section}/index.md`,
      listPage(
        `§${section} ${sectionTitle(section)}`,
        `section="${section}"`,
        `Requirements of section ${section} of the specification.`,
      ),
    ]),
    ...LEVELS.map((level): [string, string] => [
      `requirements/${level}.md`,
      listPage(
        `Level ${level}`,
        `level="${level}"`,
        `Requirements of level ${level}: ${LEVEL_WORDS[level]}.`,
      ),
    ]),
    ['rulings.md', rulings()],
    ['clauses.md', clauses()],
  ]);
}

/** Lists are searched by title only; their requirements have own pages. */
function listPage(title: string, attributes: string, says: string): string {
  return blocks(
    frontMatter({ title, description: says, searched: says, aside: false }),
    `# ${title}`,
    says,
    `<RequirementList ${attributes} />`,
  );
}

function overview(): string {
  const levels = LEVELS.map((level) => {
    const count = REQUIREMENTS.filter((one) => one.level === level).length;
    return `- ${levelBadge(level)} [${count} requirements](/requirements/${level}): ${LEVEL_WORDS[level]}.`;
  });
  const says = `All ${REQUIREMENTS.length} requirements, by section and level.`;
  return blocks(
    frontMatter({ title: 'Requirements', description: says, searched: says, aside: false }),
    '# Requirements',
    `Assay judges ${REQUIREMENTS.length} requirements. Each requirement has a page with its clauses, its checks, why it matters, the usual causes of a failure, an example finding and the faults that prove it able to fail.`,
    levels,
    '[Rulings](/rulings) decide ambiguous clauses. [Clauses](/clauses) lists the requirements of each clause.',
    '<RequirementList />',
  );
}

function rulings(): string {
  const says = 'How ambiguous clauses are judged.';
  return blocks(
    frontMatter({ title: 'Rulings', description: says, outline: false }),
    '# Rulings',
    `${says} Two rules come first: what the specification states is judged, and what it does not state never fails.`,
    ...Object.entries(RULINGS).flatMap(([number, text]) => {
      const decided = REQUIREMENTS.filter(({ rulings: own = [] }) => own.includes(Number(number)));
      return [
        `## Ruling ${number} {#ruling-${number}}`,
        statement(text),
        decided.length === 0
          ? 'No requirement depends on this ruling alone.'
          : `${decided.length} requirements: ${links(decided)}.`,
      ];
    }),
  );
}

function clauses(): string {
  const says = 'The requirements that judge each clause of the specification.';
  const sectionOfClause = (clause: string): string => clause.split(' ', 1)[0] ?? '';
  const coverage = [...clauseCoverage()]
    .filter(([clause]) => !(clause in UNTESTABLE))
    .toSorted(([a], [b]) => compareSections(sectionOfClause(a), sectionOfClause(b)));
  const sections = [...new Set(coverage.map(([clause]) => sectionOfClause(clause)))];
  const known = new Map<string, Requirement>(REQUIREMENTS.map((one) => [one.id, one]));
  const line = (clause: string, text: string): string =>
    `- <span id="${clauseAnchor(clause)}" class="target">§${sentence(clause)}</span>: ${text}`;
  return blocks(
    frontMatter({ title: 'Clauses', description: says, searched: says }),
    '# Clauses',
    `${says} A clause is a sentence, a rule or a table row, named by its section.`,
    ...sections.flatMap((section) => [
      `## §${section} ${sectionTitle(section)}`,
      coverage
        .filter(([clause]) => sectionOfClause(clause) === section)
        .map(([clause, ids]) => line(clause, links(ids.flatMap((id) => known.get(id) ?? [])))),
    ]),
    '## Clauses that cannot be judged',
    Object.entries(UNTESTABLE).map(([clause, reason]) => line(clause, statement(reason))),
  );
}

const links = (requirements: readonly Requirement[]): string =>
  requirements.map(({ id }) => requirementLink(id)).join(', ');
