import { example, EXAMPLES } from './examples.ts';
import { COMPLETION_SCRIPTS, SHELLS, type Shell } from './completion-scripts.ts';
import { UsageError } from './errors.ts';
import type { CommandBody } from './commands.ts';

interface CompletionArguments {
  shell: Shell | undefined;
}

/** `assay completion`: prints the script that makes a shell complete commands, options and their values. */
export const completionCommand: CommandBody<CompletionArguments> = {
  builder: (yargs) =>
    yargs
      .positional('shell', { choices: SHELLS, describe: 'Shell; that of $SHELL by default' })
      .epilogue(EXAMPLES)
      .epilogue(example('source <($0 completion bash)', 'in ~/.bashrc'))
      .epilogue(example('source <($0 completion zsh)', 'in ~/.zshrc'))
      .epilogue(example('$0 completion fish > ~/.config/fish/completions/assay.fish', 'once')),
  handler: ({ shell }) => {
    const chosen = shell ?? SHELLS.find((one) => (process.env['SHELL'] ?? '').endsWith(one));
    if (chosen === undefined) {
      throw new UsageError(
        'The shell is not known.',
        `Name it: assay completion ${SHELLS.join(' or ')}.`,
      );
    }
    process.stdout.write(COMPLETION_SCRIPTS[chosen]);
  },
};

type Source = () => Promise<readonly string[]>;

const requirements: Source = async () => {
  const { REQUIREMENTS } = await import('../requirements/catalogue.ts');
  return [
    ...new Set(REQUIREMENTS.map(({ section }) => section)),
    ...REQUIREMENTS.map(({ id }) => id),
  ];
};
const formats: Source = async () => (await import('../report/formats.ts')).FORMATS;
const shells: Source = () => Promise.resolve(SHELLS);
const scenarios: Source = async () => {
  const { SCENARIO_NAMES } = await import('../contract/scenarios.ts');
  return [...SCENARIO_NAMES, 'merge'];
};
const faults: Source = async () =>
  (await import('../reference/catalog.ts')).listFaults().map(({ id }) => id);
const variants: Source = async () =>
  (await import('../reference/catalog.ts')).listVariants().map(({ id }) => id);
const environments: Source = async () => (await import('./config.ts')).environmentNames();
const endpoints: Source = async () => (await import('../contract/endpoints.ts')).ENDPOINT_PATHS;

/** Values of options, by their name, for the commands that have more than fixed choices. */
const OPTION_VALUES: Readonly<Record<string, { commands: readonly string[]; values: Source }>> = {
  '--only': { commands: ['run', 'plan', 'check'], values: requirements },
  '--skip': { commands: ['run', 'plan', 'check'], values: requirements },
  '--format': { commands: ['run', 'report', 'load', 'check'], values: formats },
  '--fault': { commands: ['serve', 'load'], values: faults },
  '--variant': { commands: ['serve', 'load'], values: variants },
  '--environment': { commands: ['run', 'plan', 'doctor', 'check', 'load'], values: environments },
  '-e': { commands: ['run', 'plan', 'doctor', 'check', 'load'], values: environments },
  '--forbidden': { commands: ['init'], values: endpoints },
};
/** What may be waived: what is red in the last run, or every requirement when there is none. */
const red: Source = async () => {
  const [{ readResults, resultsFile }, { LAST_RUN }, { redIds }] = await Promise.all([
    import('./read-results.ts'),
    import('./waive.ts'),
    import('./waive-choice.ts'),
  ]);
  try {
    return redIds(await readResults(await resultsFile(LAST_RUN)));
  } catch {
    return requirements();
  }
};
const POSITIONAL_VALUES: Readonly<Record<string, Source>> = {
  requirements,
  waive: red,
  load: scenarios,
  completion: shells,
};

/** A command as far as completion goes. */
export interface Completable {
  readonly name: string;
  /** Options without dashes, and the fixed values of those that have some. */
  readonly options: () => Promise<Readonly<Record<string, readonly string[]>>>;
}

/**
 * Candidates for the word at the end of `words` (the first is the program); none where only a file fits. Of a list
 * separated by commas the last part is completed.
 */
export async function candidates(
  words: readonly string[],
  commands: readonly Completable[],
): Promise<readonly string[]> {
  const current = words.at(-1) ?? '';
  if (words.length < 3)
    return commands.map(({ name }) => name).filter((name) => name.startsWith(current));
  const command = commands.find(({ name }) => name === words[1]);
  if (command === undefined) return [];
  return (await valuesFor(words, current, command)).filter((value) => value.startsWith(current));
}

async function valuesFor(
  words: readonly string[],
  current: string,
  { name, options }: Completable,
): Promise<readonly string[]> {
  const known = await options();
  if (current.startsWith('-')) {
    return Object.keys(known)
      .filter((option) => option.length > 1)
      .map((option) => `--${option}`);
  }
  const previous = words.at(-2) ?? '';
  const values = OPTION_VALUES[previous];
  if (values?.commands.includes(name) === true) {
    const before = current.slice(0, current.lastIndexOf(',') + 1);
    return (await values.values()).map((value) => before + value);
  }
  const choices = known[previous.replace(/^--?/, '')] ?? [];
  if (previous.startsWith('-') && choices.length > 0) return choices;
  const positional = POSITIONAL_VALUES[name];
  return positional !== undefined && words.length === 3 ? positional() : [];
}
