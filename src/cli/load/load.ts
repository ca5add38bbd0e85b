import { example, EXAMPLES } from '../examples.ts';
import path from 'node:path';
import { UsageError } from '../errors.ts';
import { withConfigOptions, withEnvironment } from '../config.ts';
import { withTargetOptions } from '../options.ts';
import { labelsOf, withLabelOption } from '../labels.ts';
import { FORMATS } from '../../report/formats.ts';
import { formatsOf } from '../formats.ts';
import { loadCommandLine, runLoadCommand } from './load-run.ts';
import type { LoadArguments } from './load-run.ts';
import type { CommandBody } from '../commands.ts';

/** `assay load`: load scenarios with k6. */
export const loadCommand: CommandBody<LoadArguments> = {
  builder: (yargs) =>
    withLabelOption(withConfigOptions(withTargetOptions(yargs)))
      .positional('scenario', {
        type: 'string',
        describe: 'Scenario, see --list; "merge" judges saved recordings',
      })
      .positional('folder', { type: 'string', describe: 'Folder with recordings to merge' })
      .option('list', { type: 'boolean', default: false, describe: 'List the scenarios' })
      .option('plan', {
        type: 'boolean',
        default: false,
        describe: 'Show cost and prerequisites without sending requests',
      })
      .option('windows', {
        type: 'number',
        requiresArg: true,
        describe: 'Number of rate-limit windows',
      })
      .option('rate', { type: 'number', requiresArg: true, describe: 'Requests per second' })
      .option('duration', {
        type: 'number',
        requiresArg: true,
        describe: 'Duration of the load in seconds',
      })
      .option('window-ms', {
        type: 'number',
        requiresArg: true,
        describe:
          'Rate-limit window of the embedded reference server in milliseconds; default: 4000',
      })
      .option('quota', {
        type: 'number',
        requiresArg: true,
        describe: 'Requests left for the near-quota key of the embedded reference server',
      })
      .option('fault', {
        type: 'string',
        array: true,
        requiresArg: true,
        describe: 'Fault in the embedded reference server, repeatable',
      })
      .option('variant', {
        type: 'string',
        array: true,
        requiresArg: true,
        describe: 'Variant of the embedded reference server, repeatable',
      })
      .option('k6', { type: 'string', requiresArg: true, describe: 'Path to k6' })
      .option('install', {
        type: 'boolean',
        default: true,
        describe: 'Build k6 with Go if it is missing; disable with --no-install',
      })
      .option('instances', {
        type: 'number',
        requiresArg: true,
        describe: 'Number of k6 processes that share the load; default: 1',
      })
      .option('save', {
        type: 'string',
        requiresArg: true,
        describe: 'Save the recordings to this folder, for `assay load merge`',
      })
      .option('render', {
        choices: ['k8s'] as const,
        describe: 'Write manifests for the k6-operator instead of running the scenario',
      })
      .option('parallelism', {
        type: 'number',
        default: 2,
        requiresArg: true,
        describe: 'Number of instances in the manifests',
      })
      .option('start-at', {
        type: 'string',
        requiresArg: true,
        describe: 'Common start time in the manifests, such as 2026-12-01T12:00:00Z',
      })
      .option('out', { type: 'string', requiresArg: true, describe: 'Folder for the manifests' })
      .option('allow-remote', {
        type: 'boolean',
        default: false,
        describe: 'Allow flood scenarios against a remote target',
      })
      .option('output', {
        alias: 'o',
        type: 'string',
        requiresArg: true,
        describe: 'Report folder; default: reports/<time>',
      })
      .option('format', {
        type: 'string',
        default: 'html,json,junit',
        describe: `Reports to write: ${FORMATS.join(', ')}`,
      })
      .epilogue(EXAMPLES)
      .epilogue(example('$0 load --list', 'list the scenarios'))
      .epilogue(example('$0 load rl-exact', 'run against the embedded reference server'))
      .epilogue(
        example('$0 load rl-headers -t staging.yaml --plan', 'show what the scenario would cost'),
      )
      .epilogue(example('$0 load rl-headers -e staging', "use an environment's target")),
  handler: async (given) => {
    // The other settings of an environment are for `assay run`.
    const argv = await withEnvironment(given, ['target']);
    checkNumbers(argv);
    const formats = formatsOf(argv.format);
    const output =
      argv.output ?? path.join('reports', new Date().toISOString().replaceAll(/[:.]/g, '-'));
    process.exitCode = await runLoadCommand(argv, {
      formats,
      output,
      command: loadCommandLine(argv),
      labels: labelsOf(argv),
    });
  },
};

function checkNumbers(argv: LoadArguments): void {
  for (const name of ['windows', 'rate', 'duration', 'window-ms', 'quota', 'instances'] as const) {
    const value = argv[name];
    if (value === undefined || (Number.isFinite(value) && value > 0)) continue;
    throw new UsageError(`--${name} takes a number above 0.`, `For example --${name} 10.`);
  }
  const { instances = 1 } = argv;
  if (!Number.isInteger(instances) || instances > 16) {
    throw new UsageError(
      '--instances takes a whole number from 1 to 16.',
      'For example --instances 4.',
    );
  }
}
