import { REQUIREMENTS, type Requirement } from '../requirements/catalogue.ts';
import { listFaults } from '../reference/catalog.ts';
import { readKilledBy } from '../run/version.ts';
import { checksOf } from '../suite/checks.ts';
import { RULINGS } from '../spec/rulings.ts';
import { columnsIn, wrap } from '../report/terminal/console.ts';
import { selects } from '../ask/patterns.ts';
import { suggestion } from '../text/closest-name.ts';
import { calledAs } from './called-as.ts';
import { commandBody } from './command.ts';
import { UsageError } from './errors.ts';

/** `assay requirements`: lists the requirements, or explains one. */
export const requirementsCommand = commandBody({
  positionals: { id: { type: 'string', describe: 'Id, prefix such as 4.3, or glob' } },
  options: {
    format: { choices: ['table', 'json', 'md'], default: 'table', describe: 'Output format' },
  },
  examples: {
    '$0 requirements 4.3': 'list section 4.3',
    '$0 requirements 4.3/symbol-enum':
      'explain one: clauses, rulings, why it matters, usual causes',
  },
  handler: async ({ id, format }) => {
    const found =
      id === undefined ? REQUIREMENTS : REQUIREMENTS.filter((one) => selects(id, one.id));
    if (found.length === 0) {
      const ids = REQUIREMENTS.map((one) => one.id);
      const sections = new Set(REQUIREMENTS.map(({ section }) => section));
      throw new UsageError(
        `No requirement matches "${id}".`,
        `${suggestion(id ?? '', ids)}Prefixes: ${[...sections].join(', ')}. \`assay requirements\` lists all ids.`,
      );
    }
    const [only] = found;
    const alone = found.length === 1 ? only : undefined;
    if (format === 'md') process.stdout.write(markdown(found));
    else if (format === 'table' && alone === undefined) process.stdout.write(table(found));
    else if (format === 'json') process.stdout.write(json(found));
    else if (alone !== undefined) process.stdout.write(explain(alone, evidenceOf(alone)));
  },
});

function table(requirements: readonly Requirement[]): string {
  const width = Math.max(...requirements.map(({ id }) => id.length));
  return requirements
    .map(({ id, level, title }) => `${id.padEnd(width)}  ${level.padEnd(7)}  ${title}\n`)
    .join('');
}

function markdown(requirements: readonly Requirement[]): string {
  const rows = requirements.map(
    ({ id, level, basis, title, rulings = [] }) =>
      `| \`${id}\` | ${level} | ${basis} | ${rulings.join(', ')} | ${title.replaceAll('|', '\\|')} |\n`,
  );
  return `| id | level | basis | rulings | requirement |\n| --- | --- | --- | --- | --- |\n${rows.join('')}`;
}

type Evidence = ReturnType<typeof evidenceOf>;

/** The checks of a requirement, and the faults of the reference server that the proof has confirmed to make it fail. */
function evidenceOf(requirement: Requirement) {
  const { id, title } = requirement;
  const proven = readKilledBy()?.[id];
  const meant = listFaults().filter(({ kills }) => kills.some((one) => one === id));
  const checks = checksOf(requirement).map(({ check: { label }, profile }) => ({
    check: label ?? title,
    profile,
  }));
  return { checks, faults: proven ?? meant.map((one) => one.id), proven: proven !== undefined };
}

function json(found: readonly Requirement[]): string {
  const entries = found.map((one) => {
    const { judge: _judge, explains: _explains, load: _load, ...said } = one;
    return { ...said, ...evidenceOf(one) };
  });
  return `${JSON.stringify(entries, null, 2)}\n`;
}

function explain(requirement: Requirement, { checks, faults, proven }: Evidence): string {
  const { id, level, basis, title, clauses, rulings = [], needs = [], why, usually } = requirement;
  const width = Math.min(100, columnsIn(process.stdout, 100));
  const lines = [`${id}  (${level}, ${basis})`, '', ...paragraph(`${title}.`, '  ', width)];
  const assay = calledAs(process.env);
  const parts = {
    'Clauses of the specification:': clauses.map((clause) => `§${clause}`),
    'How it is judged:': rulings.map((number) => `ruling ${number}: ${RULINGS[number] ?? ''}`),
    'Why it matters:': [why],
    'What a failure usually means:': usually.map((text) => `- ${text}`),
    'Needs:': needs.length === 0 ? [] : [needs.join(', ')],
    'Checks:': checks.map(({ check, profile }) => `- ${check} (${profile})`),
    [proven ? 'Faults proven to make it fail:' : 'Faults that should make it fail:']: faults.map(
      (fault) => `- ${fault}   (${assay} serve --fault ${fault})`,
    ),
  };
  for (const [heading, texts] of Object.entries(parts)) {
    if (texts.length > 0) lines.push('', `  ${heading}`);
    for (const text of texts) lines.push(...paragraph(text, '    ', width));
  }
  lines.push('', `  Run only this requirement: ${assay} run --target FILE --only ${id}`, '');
  return lines.join('\n');
}

/** Wraps a text. Continuation lines of a list item align with its text, not with the dash. */
function paragraph(text: string, indent: string, width: number): string[] {
  const hang = text.startsWith('- ') ? '  ' : '';
  return wrap(text, width - indent.length - hang.length).map((line, index) =>
    index === 0 ? `${indent}${line}` : `${indent}${hang}${line}`,
  );
}
