import type { CommandBody } from './command.ts';

/** A command as `assay --help` lists it. Its module is loaded only when it is called. */
export interface Command {
  /** Name and positionals, as yargs reads them. */
  readonly command: string;
  readonly describe: string;
  readonly load: () => Promise<CommandBody>;
}

/** Every command, in the order of `assay --help`. */
export const COMMANDS: readonly Command[] = [
  {
    command: 'init',
    describe: 'Create a commented target file by asking a few questions and probing the target',
    load: async () => (await import('./init/init.ts')).initCommand,
  },
  {
    command: 'doctor',
    describe: 'Check machine, network, TLS, keys and target before a run',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    command: 'run',
    describe:
      'Run the conformance suites against a target, or against the embedded reference server',
    load: async () => (await import('./run/run.ts')).runCommand,
  },
  {
    command: 'plan',
    describe: 'Show what a run would cost: requests, minutes, share of the monthly quota',
    load: async () => (await import('./plan.ts')).planCommand,
  },
  {
    command: 'monitor',
    describe:
      'Run on a schedule within a share of the monthly quota and notify when the verdict changes',
    load: async () => (await import('./watch/monitor.ts')).monitorCommand,
  },
  {
    command: 'serve',
    describe: 'Start the reference server on loopback',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    command: 'load [scenario] [folder]',
    describe: 'Run a load scenario with k6 and judge it',
    load: async () => (await import('./load/load.ts')).loadCommand,
  },
  {
    command: 'watch',
    describe: 'Proxy real client traffic to a target and judge it; sends no requests itself',
    load: async () => (await import('./watch/watch.ts')).watchCommand,
  },
  {
    command: 'check <files..>',
    describe: 'Judge recorded traffic (HAR, NDJSON or results.json) without sending requests',
    load: async () => (await import('./check.ts')).checkCommand,
  },
  {
    command: 'requirements [id]',
    describe: 'List all requirements, or explain one',
    load: async () => (await import('./requirements.ts')).requirementsCommand,
  },
  {
    command: 'report <results>',
    describe: 'Re-render the reports of a run',
    load: async () => (await import('./report.ts')).reportCommand,
  },
  {
    command: 'diff <before> <after>',
    describe: 'Compare two runs; exits with code 1 when a must is newly violated',
    load: async () => (await import('./diff.ts')).diffCommand,
  },
  {
    command: 'waive [ids..]',
    describe: 'Waive failures from the last run, with an owner, a reason and an expiry date',
    load: async () => (await import('./waive.ts')).waiveCommand,
  },
];

/** The name of a command, without its positionals. */
export const nameOf = ({ command }: Pick<Command, 'command'>): string =>
  command.split(' ', 1)[0] ?? '';
