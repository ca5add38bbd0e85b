import {
  commandBody,
  toggle,
  toggleOn,
  number,
  REPORTS_TO_WRITE,
  string,
  strings,
  type ValuesOf,
} from '../command.ts';
import { UsageError } from '../errors.ts';
import { withEnvironment } from '../config.ts';
import { LABEL } from '../labels.ts';
import { TARGET_OPTIONS } from '../options.ts';
import { runLoadCommand } from './load-run.ts';

const POSITIONALS = {
  scenario: { type: 'string', describe: 'Scenario, see --list; "merge" judges saved recordings' },
  folder: { type: 'string', describe: 'Folder with recordings to merge' },
} as const;

const OPTIONS = {
  ...TARGET_OPTIONS,
  label: LABEL,
  list: toggle('List the scenarios'),
  plan: toggle('Show cost and prerequisites without sending requests'),
  windows: number('Number of rate-limit windows'),
  rate: number('Requests per second'),
  duration: number('Duration of the load in seconds'),
  'window-ms': number(
    'Rate-limit window of the embedded reference server in milliseconds; default: 4000',
  ),
  quota: number('Requests left for the near-quota key of the embedded reference server'),
  fault: strings('Fault in the embedded reference server, repeatable'),
  variant: strings('Variant of the embedded reference server, repeatable'),
  k6: string('Path to k6'),
  install: toggleOn('Build k6 with Go if it is missing; disable with --no-install'),
  instances: number('Number of k6 processes that share the load; default: 1'),
  save: string('Save the recordings to this folder, for `assay load merge`'),
  render: {
    choices: ['k8s'],
    describe: 'Write manifests for the k6-operator instead of running the scenario',
  },
  parallelism: number('Number of instances in the manifests', { default: 2 }),
  'start-at': string('Common start time in the manifests, such as 2026-12-01T12:00:00Z'),
  out: string('Folder for the manifests'),
  'allow-remote': toggle('Allow flood scenarios against a remote target'),
  output: string('Report folder; default: reports/<time>', { alias: 'o' }),
  format: { type: 'string', default: 'html,json,junit', describe: REPORTS_TO_WRITE },
} as const;

/** Arguments of `assay load`. */
export type LoadArguments = ValuesOf<typeof OPTIONS> & ValuesOf<typeof POSITIONALS>;

/** `assay load`: load scenarios with k6. */
export const loadCommand = commandBody({
  options: OPTIONS,
  positionals: POSITIONALS,
  examples: {
    '$0 load --list': 'list the scenarios',
    '$0 load rl-exact': 'run against the embedded reference server',
    '$0 load rl-headers -t staging.yaml --plan': 'show what the scenario would cost',
    '$0 load rl-headers -e staging': "use an environment's target",
  },
  handler: async (given) => {
    // The other settings of an environment are for `assay run`.
    const argv = withEnvironment(given, ['target']);
    checkNumbers(argv);
    return runLoadCommand(argv);
  },
});

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
