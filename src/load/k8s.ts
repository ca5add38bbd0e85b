import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ScenarioName } from '../spec/scenarios.ts';
import { httpSecrets } from '../http/secrets.ts';
import type { Target } from '../target/target.ts';
import { runFailed, usage } from './errors.ts';
import { K6_VERSION, quietEnv, type K6 } from './find-k6.ts';
import { estimate } from './estimate.ts';
import { planFor } from './load.ts';
import { CONTEXT_FILE, writeContext, type MergeContext } from './merge.ts';
import { packageFile } from './package-root.ts';
import type { LoadPlan } from './plan.ts';
import { plainRequests } from './requests.ts';
import { secretsText } from './run-scenario.ts';
import { SCENARIOS, scriptOf, type LoadSettings } from './scenarios.ts';

const run = promisify(execFile);

/** Maximum size of a ConfigMap is one mebibyte, in base64. */
const LARGEST_ARCHIVE = 700 * 1024;
const REMOTE_TOLERANCE_MS = 250;

export interface RenderOptions {
  readonly scenario: ScenarioName;
  readonly settings: LoadSettings;
  readonly target: Target;
  readonly k6: K6;
  readonly parallelism: number;
  /** Common start of all instances, epoch ms. */
  readonly startAt: number;
  readonly out: string;
  readonly command: string;
}

/**
 * Writes the files that the k6-operator needs to run a scenario on several machines, and that `assay load merge` needs
 * to judge it. They contain no key: the Secret has placeholders.
 * @throws LoadError if the scenario cannot be shared, or k6 cannot pack it
 */
export async function renderK8s(options: RenderOptions): Promise<string[]> {
  const { scenario, out, parallelism, target, startAt } = options;
  const plan = planOf(options);
  const [secret] = httpSecrets(target.http).filter(({ name }) =>
    /^http\.(headers|bearer)/.test(name),
  );
  if (secret !== undefined) {
    throw usage(
      `${secret.name} is a credential, which would be readable in a ConfigMap.`,
      'Give the cluster access through the gateway in a different way, and remove the credential from the settings used with --render.',
    );
  }
  const archive = await packScenario(plan, options.k6);
  if (archive.length > LARGEST_ARCHIVE) {
    throw usage(
      `The archive for ${scenario} has ${archive.length} bytes, which is too large for a ConfigMap.`,
      'Remove fixtures from the target file.',
    );
  }
  const context: MergeContext = {
    plan,
    fingerprints: [],
    skewMs: 0,
    toleranceMs: REMOTE_TOLERANCE_MS,
    limits: target.limits,
    envelope: target.envelope,
    command: options.command,
    k6: { version: K6_VERSION, source: 'k6-operator' },
    instances: parallelism,
  };
  const values = {
    NAME: `assay-${scenario}`,
    PARALLELISM: String(parallelism),
    ARCHIVE: archive.toString('base64'),
    START: new Date(startAt).toISOString(),
    KEYS: JSON.stringify(
      secretsText(Array.from({ length: plan.keys }, (_, index) => `REPLACE-WITH-KEY-${index + 1}`)),
    ),
  };
  await writeContext(out, context);
  for (const file of TEMPLATES) {
    await writeFile(path.join(out, file), await filled(file, values));
  }
  return [...TEMPLATES, CONTEXT_FILE].map((file) => path.join(out, file));
}

/** A plan made without the target, for other machines and a later time. */
function planOf({ scenario, settings, target, startAt, parallelism }: RenderOptions): LoadPlan {
  const { shape, keys } = estimate(scenario, settings, target);
  if (SCENARIOS[scenario].requests !== 'plain') {
    throw usage(
      `${scenario} needs identifiers from the target, which --render does not request.`,
      'Render an `rl-` scenario or `quota`.',
    );
  }
  if (shape.vus < parallelism) {
    throw usage(
      `${scenario} has ${shape.vus} virtual users, too few for ${parallelism} instances.`,
      'Lower --parallelism.',
    );
  }
  const { windowMs } = target.limits;
  const plan = {
    ...planFor(scenario, target, shape),
    keys,
    freshAt: Math.floor(startAt / windowMs) * windowMs,
    notBefore: startAt,
    startAt,
    requests: plainRequests(),
  };
  // Derived from the plan, so that a rendering is reproducible; the plan includes the start, so each run has its own
  // id.
  const runId = createHash('sha256').update(JSON.stringify(plan)).digest('hex').slice(0, 24);
  return { runId, ...plan };
}

/** Files in `load/k8s`. */
const TEMPLATES = [
  'configmap.yaml',
  'secret.example.yaml',
  'testrun.yaml',
  'kustomization.yaml',
  'README.txt',
] as const;

/** A template with its `${…}` filled in. */
export async function filled(
  file: (typeof TEMPLATES)[number],
  values: Readonly<Record<string, string>>,
): Promise<string> {
  const all: typeof values = { ...values, IMAGE: `grafana/k6:${K6_VERSION.slice(1)}` };
  const template = await readFile(packageFile('load', 'k8s', file), 'utf8');
  return template.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => all[name] ?? whole);
}

/** Packs a scenario with its plan and imports into one file for `k6 run`. */
async function packScenario(plan: LoadPlan, k6: K6): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-pack-'));
  try {
    const planFile = path.join(folder, 'plan.json');
    const archive = path.join(folder, 'archive.tar');
    await writeFile(planFile, JSON.stringify(plan));
    const script = scriptOf(plan.scenario);
    await run(k6.path, ['archive', '-e', `ASSAY_PLAN=${planFile}`, '-O', archive, script], {
      env: quietEnv(),
      timeout: 60_000,
    });
    return await readFile(archive);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `k6 could not pack ${plan.scenario}: ${why}`;
    throw runFailed(message, 'Run the scenario on this machine first.', cause);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
