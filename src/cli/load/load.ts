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

/** `assay load`: scenarios on real k6. */
export const loadCommand: CommandBody<LoadArguments> = {
  builder: (yargs) =>
    withLabelOption(withConfigOptions(withTargetOptions(yargs)))
      .positional('scenario', {
        type: 'string',
        describe: 'Name of the scenario, see --list; merge judges saved recordings',
      })
      .positional('folder', { type: 'string', describe: 'Folder of recordings to merge' })
      .option('list', { type: 'boolean', default: false, describe: 'List the scenarios' })
      .option('plan', {
        type: 'boolean',
        default: false,
        describe: 'Say what it costs and needs, and send nothing',
      })
      .option('windows', {
        type: 'number',
        requiresArg: true,
        describe: 'Rate-limit windows to go through',
      })
      .option('rate', { type: 'number', requiresArg: true, describe: 'Requests per second' })
      .option('duration', { type: 'number', requiresArg: true, describe: 'Seconds under load' })
      .option('window-ms', {
        type: 'number',
        requiresArg: true,
        describe: 'Window of the embedded reference server; 4000 by default',
      })
      .option('quota', {
        type: 'number',
        requiresArg: true,
        describe: 'Requests that the near-quota key of the embedded server has left',
      })
      .option('fault', {
        type: 'string',
        array: true,
        requiresArg: true,
        describe: 'Defect of the embedded reference server, repeatable',
      })
      .option('variant', {
        type: 'string',
        array: true,
        requiresArg: true,
        describe: 'Variant of the embedded reference server, repeatable',
      })
      .option('k6', { type: 'string', requiresArg: true, describe: 'Path of k6' })
      .option('install', {
        type: 'boolean',
        default: true,
        describe: 'Build k6 with Go when it is missing; --no-install forbids it',
      })
      .option('instances', {
        type: 'number',
        requiresArg: true,
        describe: 'Processes of k6 that share the load; 1 by default',
      })
      .option('save', {
        type: 'string',
        requiresArg: true,
        describe: 'Folder that keeps what was recorded, for `assay load merge`',
      })
      .option('render', {
        choices: ['k8s'] as const,
        describe: 'Write what the k6-operator needs instead of running',
      })
      .option('parallelism', {
        type: 'number',
        default: 2,
        requiresArg: true,
        describe: 'Instances of a rendering',
      })
      .option('start-at', {
        type: 'string',
        requiresArg: true,
        describe: 'Common start of a rendering, such as 2026-12-01T12:00:00Z',
      })
      .option('out', { type: 'string', requiresArg: true, describe: 'Folder of a rendering' })
      .option('allow-remote', {
        type: 'boolean',
        default: false,
        describe: 'Let floods leave this machine',
      })
      .option('output', {
        alias: 'o',
        type: 'string',
        requiresArg: true,
        describe: 'Folder of the reports; reports/<time> by default',
      })
      .option('format', {
        type: 'string',
        default: 'html,json,junit',
        describe: `Reports to write, of ${FORMATS.join(', ')}`,
      })
      .epilogue(EXAMPLES)
      .epilogue(example('$0 load --list', 'what there is'))
      .epilogue(example('$0 load rl-exact', 'against the embedded reference server'))
      .epilogue(example('$0 load rl-headers -t staging.yaml --plan', 'what it would cost'))
      .epilogue(example('$0 load rl-headers -e staging', 'the target of an environment')),
  handler: async (given) => {
    // Profile, output and formats of an environment are those of its runs.
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
      '--instances takes a whole number up to 16.',
      'For example --instances 4.',
    );
  }
}
