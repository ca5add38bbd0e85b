import type { CommandModule } from 'yargs';

/** What a command takes and does. Its name and its purpose stand in {@link COMMANDS}. */
export type CommandBody<Arguments> = Pick<CommandModule<object, Arguments>, 'builder' | 'handler'>;

/** A command as `assay --help` shows it. What it takes to run one is loaded with it, and with no other. */
export interface Command {
  /** Name and positionals, as yargs reads them. */
  readonly command: string;
  readonly describe: string;
  readonly load: () => Promise<unknown>;
}

/** Every command, in the order of `assay --help`. */
export const COMMANDS: readonly Command[] = [
  {
    command: 'init',
    describe:
      'Write a target file: asks, looks at the target with a few requests, explains each setting',
    load: async () => (await import('./init/init.ts')).initCommand,
  },
  {
    command: 'doctor',
    describe:
      'Check machine, network, TLS, keys and target before a run; few requests, exit code as a gate',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    command: 'run',
    describe:
      'Run the conformance suites against a target (the reference server when none is named)',
    load: async () => (await import('./run/run.ts')).runCommand,
  },
  {
    command: 'plan',
    describe: 'Say what a run would cost: requests, minutes, share of the monthly quota',
    load: async () => (await import('./plan.ts')).planCommand,
  },
  {
    command: 'monitor',
    describe:
      'Run on a schedule within a share of the monthly quota, keep the history, tell when the verdict turns',
    load: async () => (await import('./watch/monitor.ts')).monitorCommand,
  },
  {
    command: 'serve',
    describe: 'Start the reference server on loopback',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    command: 'load [scenario] [folder]',
    describe: 'Run a load scenario on k6 and judge it',
    load: async () => (await import('./load/load.ts')).loadCommand,
  },
  {
    command: 'watch',
    describe: 'Hand traffic of real clients through to a target and judge it; adds no request',
    load: async () => (await import('./watch/watch.ts')).watchCommand,
  },
  {
    command: 'check <files..>',
    describe: 'Judge recorded traffic (HAR, exchanges, results.json); sends nothing',
    load: async () => (await import('./check.ts')).checkCommand,
  },
  {
    command: 'requirements [id]',
    describe: 'List the requirements, or explain one',
    load: async () => (await import('./requirements.ts')).requirementsCommand,
  },
  {
    command: 'report <results>',
    describe: 'Render the reports of a run again',
    load: async () => (await import('./report.ts')).reportCommand,
  },
  {
    command: 'diff <before> <after>',
    describe: 'Say what changed between two runs; exits with 1 when a must is newly violated',
    load: async () => (await import('./diff.ts')).diffCommand,
  },
  {
    command: 'waive [ids..]',
    describe: 'Write down who answers for what is red in the last run, and until when',
    load: async () => (await import('./waive.ts')).waiveCommand,
  },
];

/** The word that calls a command. */
export const nameOf = ({ command }: Pick<Command, 'command'>): string =>
  command.split(' ', 1)[0] ?? '';

/** What it takes to run a command. */
export const bodyOf = async ({ load }: Pick<Command, 'load'>): Promise<CommandBody<object>> =>
  (await load()) as CommandBody<object>;
