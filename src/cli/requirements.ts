import type { CommandModule } from 'yargs';
import { REQUIREMENTS, type Requirement } from '../contract/requirements.ts';
import { RULINGS } from '../contract/rulings.ts';
import { selects } from '../suite/patterns.ts';
import { closestName } from '../rules/closest-name.ts';
import { UsageError } from './errors.ts';

interface RequirementsArguments {
  id: string | undefined;
  format: 'table' | 'json' | 'md';
}

/** `assay requirements`: lists the catalogue, or explains one requirement. */
export const requirementsCommand: CommandModule<object, RequirementsArguments> = {
  command: 'requirements [id]',
  describe: 'List the requirements, or explain one',
  builder: (yargs) =>
    yargs
      .positional('id', { type: 'string', describe: 'Id, prefix such as 4.3, or glob' })
      .option('format', {
        choices: ['table', 'json', 'md'] as const,
        default: 'table' as const,
        describe: 'Form of the list',
      })
      .example('$0 requirements 4.3', 'all of section 4.3')
      .example('$0 requirements 4.3/symbol-enum', 'one, with clause and ruling'),
  handler: ({ id, format }) => {
    const found =
      id === undefined ? REQUIREMENTS : REQUIREMENTS.filter((one) => selects(id, one.id));
    if (found.length === 0) {
      const meant = closestName(
        id ?? '',
        REQUIREMENTS.map((one) => one.id),
      );
      throw new UsageError(
        `No requirement matches "${id}".`,
        meant === undefined ? '`assay requirements` lists all.' : `Did you mean ${meant}?`,
      );
    }
    const [only] = found;
    if (format === 'json') process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
    else if (format === 'md') process.stdout.write(markdown(found));
    else if (found.length === 1 && only !== undefined) process.stdout.write(explain(only));
    else process.stdout.write(table(found));
  },
};

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

function explain({
  id,
  level,
  basis,
  title,
  clauses,
  rulings = [],
  needs = [],
}: Requirement): string {
  const lines = [
    `${id}  (${level}, ${basis})`,
    '',
    `  ${title}.`,
    '',
    '  Clauses of the specification:',
    ...clauses.map((clause) => `    §${clause}`),
  ];
  if (rulings.length > 0) lines.push('', '  How it is judged:');
  for (const number of rulings) lines.push(`    ruling ${number}: ${RULINGS[number] ?? ''}`);
  if (needs.length > 0) lines.push('', `  Needs: ${needs.join(', ')}`);
  lines.push('', `  Run it alone: assay run --only ${id}`, '');
  return lines.join('\n');
}
