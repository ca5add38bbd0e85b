import { RULINGS } from '#src/spec/rulings.ts';
import type { Fault } from '#src/reference/faults/fault.ts';
import { sectionTitle } from '#src/report/model/labels.ts';
import { code, fenced } from '#src/report/analysis/markdown-text.ts';
import type { Requirement } from '#src/requirements/catalogue.ts';
import { checksOf } from '#src/suite/checks.ts';
import { blocks, type Block } from '../markdown.ts';
import type { Example } from './example.ts';
import type { Shown } from './examples.ts';
import { clauseAnchor, frontMatter, sentence, statement } from './markdown.ts';

/** Most requests that are listed for a check; the rest are counted. */
const REQUESTS = 8;

/** Data of the page of a requirement. */
export interface PageInput {
  readonly requirement: Requirement;
  /** Faults that fail it, those written for it first. */
  readonly faults: readonly Fault[];
  readonly shown: Shown;
}

/** What a violation means at each level. */
export const LEVEL_WORDS: Readonly<Record<Requirement['level'], string>> = {
  must: 'a violation fails the run',
  should: 'a violation is a warning',
  observe: 'recorded, never a violation',
};

/** Meaning of each basis. */
const BASIS_WORDS: Readonly<Record<Requirement['basis'], string>> = {
  stated: 'stated in a clause',
  implied: 'follows from a stated meaning',
  silent: 'the specification is silent',
  contradictory: 'the specification contradicts itself',
};

/** Badge types of the theme by level. */
const BADGES: Readonly<Record<Requirement['level'], string>> = {
  must: 'danger',
  should: 'warning',
  observe: 'info',
};

/** The badge of a level. */
export const levelBadge = (level: Requirement['level']): string =>
  `<Badge type="${BADGES[level]}" text="${level}" />`;

/** The page of one requirement, as Markdown. */
export function requirementPage(input: PageInput): string {
  const { id, title, level, basis, section, why, usually } = input.requirement;
  const text = blocks(
    frontMatter({ title: id, description: title, searched: [title, why, ...usually].join(' ') }),
    `# ${id}`,
    statement(title),
    `${levelBadge(level)} ${LEVEL_WORDS[level]}; ${basis}: ${BASIS_WORDS[basis]}. Section [§${section} ${sectionTitle(section)}](/requirements/${section}/).`,
    '## Source',
    origin(input.requirement),
    '## Why it matters',
    statement(why),
    '## Usual causes',
    usually.map((one) => `- ${statement(one)}`),
    '## Requests and checks',
    judgedOn(input),
    '## Example finding',
    example(input.shown.examples[id] ?? null, level),
    '## Proven able to fail by',
    proof(input),
    '## Commands',
    commands(input.requirement),
  );
  return `${text}\n`;
}

function origin({ clauses, rulings = [] }: Requirement): Block {
  return [
    ...clauses.map((clause) => `- Clause [§${sentence(clause)}](/clauses#${clauseAnchor(clause)})`),
    ...rulings.map(
      (number) =>
        `- [Ruling ${number}](/rulings#ruling-${number}): ${sentence(RULINGS[number] ?? '')}`,
    ),
  ];
}

function judgedOn({ requirement, shown }: PageInput): Block {
  const { id, needs = [], load = [], endpoints } = requirement;
  const { requests, asked } = shown.clean;
  const checks = checksOf(requirement).map(({ check, profile }) => {
    const title = check.label ?? requirement.title;
    const own = asked[id]?.[title] ?? [];
    const lines = own.slice(0, REQUESTS).map((index) => {
      const request = requests[index];
      if (request === undefined) return '';
      const key = request.role === 'valid' ? '' : `, key: ${request.role}`;
      return `  - ${code(request.line)}${key}`;
    });
    const more = own.length - lines.length;
    const none =
      'search' in check
        ? '  - Random requests, shrunk when one shows a violation.'
        : '  - No separate requests: responses to other requests are judged.';
    return [
      `- ${sentence(title)} (profile \`${profile}\` and above)`,
      ...(own.length === 0 ? [none] : lines),
      ...(more > 0 ? [`  - ${more} more`] : []),
    ];
  });
  const listed = (all: readonly string[]): string => all.map((one) => code(one)).join(', ');
  return blocks(
    checks.length === 0
      ? 'No separate check: responses to the requests of other requirements are judged.'
      : 'A run sends each of these requests once and shares the responses among requirements. All other responses of the run are judged, too.',
    checks.flat(),
    endpoints === undefined ? '' : `Endpoints: ${listed(endpoints)}.`,
    needs.length === 0 ? '' : `Needs ${listed(needs)} ([target file](/target-file)).`,
    load.length === 0 ? '' : `Also judged under load: ${listed(load)} ([load](/load)).`,
  );
}

function example(found: Example | null, level: Requirement['level']): Block {
  if (found === null) {
    return level === 'observe'
      ? 'None: this requirement only observes and never fails.'
      : 'None: no fault in the last proof makes this requirement fail.';
  }
  const { fault, asked, message, expected, actual, pointer, seen } = found;
  const excerpt = seen?.excerpt ?? null;
  const at = pointer === '' ? 'the whole body' : code(pointer ?? '');
  const key = seen === null || seen.role === 'valid' ? '' : `, key: ${seen.role}`;
  return blocks(
    `From the requests of ${asked === 'own' ? 'its own checks' : 'a whole run'}, against the reference server with the fault ${code(fault)}:`,
    `> **${sentence(message)}**`,
    [
      `- Expected: ${code(expected, 600)}`,
      `- Actual: ${code(actual, 600)}`,
      ...(pointer === null ? [] : [`- At: ${at}`]),
      ...(seen === null ? [] : [`- Seen in: ${code(seen.line, 600)}${key}`]),
    ],
    excerpt === null
      ? ''
      : fenced(
          excerpt.lines.map(({ text, failing }) => `${failing ? '✗ ' : '  '}${text}`),
          // The failing line in another colour, as in the report.
          `text{${excerpt.lines.findIndex(({ failing }) => failing) + 1}}`,
        ),
    excerpt?.note ?? '',
  );
}

function proof({ faults, requirement: { level } }: PageInput): Block {
  const [first] = faults;
  if (first === undefined) {
    return level === 'observe'
      ? 'Nothing to prove: this requirement only observes and never fails.'
      : 'No fault in the last proof makes this requirement fail.';
  }
  return blocks(
    'Each of these faults of the reference server made this requirement fail in the last [proof](/trust).',
    faults.map(({ id, title, profile }) => {
      const mark = profile === 'full' ? ' (found only by the full profile)' : '';
      return `- ${code(id)}: ${sentence(title)}${mark}`;
    }),
    fenced([`assay serve --fault ${first.id}`], 'sh'),
  );
}

function commands({ id, level }: Requirement): Block {
  return blocks(
    'Run this requirement alone, with only the requests that it needs:',
    fenced([`assay run --target assay.target.yaml --only ${id}`], 'sh'),
    'Show this explanation in the terminal:',
    fenced([`assay requirements ${id}`], 'sh'),
    ...(level === 'observe'
      ? ['No waiver is needed, because this requirement never fails a run.']
      : [
          'After a run in which this requirement failed, waive it until a given date ([waivers](/ci#waivers)):',
          fenced([`assay waive ${id} --reason "…" --until 2030-01-31`], 'sh'),
        ]),
  );
}
