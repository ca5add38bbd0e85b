import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import type { ScenarioName } from '../spec/scenarios.ts';
import { makeFolder } from '../fs/make-folder.ts';
import { httpSecrets } from '../http/secrets.ts';
import type { Target } from '../target/target.ts';
import { LoadError, usage } from './errors.ts';
import { K6_VERSION, quietEnv, type K6 } from './find-k6.ts';
import { planFor, planLoad } from './load.ts';
import type { MergeContext } from './merge.ts';
import { packageFile } from './package-root.ts';
import type { LoadPlan } from './plan.ts';
import { plainRequests } from './requests.ts';
import { SCENARIOS, type LoadSettings } from './scenarios.ts';

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
      'Give the machines access through the gateway in a different way, and remove the credential for k8s.',
    );
  }
  const archive = await packScenario(plan, options.k6);
  if (archive.length > LARGEST_ARCHIVE) {
    throw usage(
      `The archive for ${scenario} has ${archive.length} bytes, which is too large for a ConfigMap.`,
      'Remove fixtures from the target file.',
    );
  }
  const name = `assay-${scenario}`;
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
  const files: Record<string, string> = {
    'configmap.yaml': stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      binaryData: { 'archive.tar': archive.toString('base64') },
    }),
    'secret.example.yaml': stringify({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `${name}-keys` },
      stringData: {
        keys: Array.from(
          { length: plan.keys },
          (_, index) => `key${index}=REPLACE-WITH-KEY-${index + 1}\n`,
        ).join(''),
      },
    }),
    'testrun.yaml': await testRun(name, parallelism),
    'kustomization.yaml': stringify({
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: ['configmap.yaml', 'secret.yaml', 'testrun.yaml'],
    }),
    'context.json': `${JSON.stringify(context, null, 2)}\n`,
    'README.txt': readme(name, startAt),
  };
  makeFolder(out);
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(out, file), text);
  return Object.keys(files).map((file) => path.join(out, file));
}

/** A plan made without the target, for other machines and a later time. */
function planOf({ scenario, settings, target, startAt, parallelism }: RenderOptions): LoadPlan {
  const { estimate } = planLoad(scenario, settings, target);
  if (SCENARIOS[scenario].requests !== 'plain') {
    throw usage(
      `${scenario} needs identifiers from the target, which --render does not request.`,
      'Render an rl- scenario or quota.',
    );
  }
  if (estimate.shape.vus < parallelism) {
    throw usage(
      `${scenario} has ${estimate.shape.vus} virtual users, which ${parallelism} instances cannot share.`,
      'Lower --parallelism.',
    );
  }
  const { windowMs } = target.limits;
  const plan = {
    ...planFor(scenario, target, estimate.shape),
    keys: estimate.keys,
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

/** The manifest of a run, from `load/k8s/testrun.yaml`. */
export async function testRun(name: string, parallelism: number): Promise<string> {
  const values: Readonly<Record<string, string>> = {
    NAME: name,
    PARALLELISM: String(parallelism),
    IMAGE: `grafana/k6:${K6_VERSION.slice(1)}`,
  };
  const template = await readFile(packageFile('load', 'k8s', 'testrun.yaml'), 'utf8');
  return template.replaceAll(/\$\{(\w+)\}/g, (whole, value: string) => values[value] ?? whole);
}

/** Packs a scenario with its plan and imports into one file for `k6 run`. */
async function packScenario(plan: LoadPlan, k6: K6): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-pack-'));
  try {
    const planFile = path.join(folder, 'plan.json');
    const archive = path.join(folder, 'archive.tar');
    await writeFile(planFile, JSON.stringify(plan));
    const script = packageFile('load', 'scenarios', `${plan.scenario}.ts`);
    await run(k6.path, ['archive', '-e', `ASSAY_PLAN=${planFile}`, '-O', archive, script], {
      env: quietEnv(),
      timeout: 60_000,
    });
    return await readFile(archive);
  } catch (cause) {
    throw new LoadError(
      'ASSAY_LOAD_RUN',
      `k6 could not pack ${plan.scenario}: ${cause instanceof Error ? cause.message : String(cause)}`,
      'Run the scenario on this machine first.',
      cause,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function readme(name: string, startAt: number): string {
  return `${[
    `1. Copy secret.example.yaml to secret.yaml and insert the keys.`,
    `2. Run kubectl apply -k . before the load starts at ${new Date(startAt).toISOString()}. The clocks must be synchronised.`,
    `3. Save the log of each runner (label k6_cr=${name}) in this folder as *.log.`,
    `4. Run assay load merge .`,
  ].join('\n')}\n`;
}
