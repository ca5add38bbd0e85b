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
import { LoadError } from './errors.ts';
import { K6_VERSION, quietEnv, type K6 } from './find-k6.ts';
import { planLoad } from './load.ts';
import type { MergeContext } from './merge.ts';
import { packageFile } from './package-root.ts';
import type { LoadPlan } from './plan.ts';
import { plainRequests } from './requests.ts';
import { SCENARIOS, type LoadSettings } from './scenarios.ts';

const run = promisify(execFile);

/** A ConfigMap holds at most a mebibyte, and its bytes are written in base64. */
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
 * Writes what the k6-operator needs to run a scenario on several machines, and what `assay load merge` needs to judge it.
 * Holds no key: the Secret has placeholders.
 * @throws LoadError when the scenario cannot be shared, or k6 cannot pack it
 */
export async function renderK8s(options: RenderOptions): Promise<string[]> {
  const { scenario, out, parallelism, target, startAt } = options;
  const plan = planOf(options);
  const [secret] = httpSecrets(target.http).filter(({ name }) =>
    /^http\.(headers|bearer)/.test(name),
  );
  if (secret !== undefined) {
    throw usage(
      `${secret.name} is a credential, and would stand in a ConfigMap for everybody to read.`,
      'Have the machines let past the gateway in another way, and leave it out for k8s.',
    );
  }
  const archive = await packScenario(plan, options.k6);
  if (archive.length > LARGEST_ARCHIVE) {
    throw usage(
      `The archive of ${scenario} has ${archive.length} bytes, too many for a ConfigMap.`,
      'Name fewer fixtures in the target file.',
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

/** A plan made without asking the target: machines elsewhere will run it later. */
function planOf({ scenario, settings, target, startAt, parallelism }: RenderOptions): LoadPlan {
  const facts = SCENARIOS[scenario];
  const { estimate } = planLoad(scenario, settings, target);
  if (facts.requests !== 'plain') {
    throw usage(
      `${scenario} asks the target for identifiers, which a rendering does not.`,
      'Render one of the rl- scenarios, or quota.',
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
    scenario,
    baseUrl: target.baseUrl,
    keyHeader: target.auth.header,
    headers: target.http.headers,
    timeoutMs: target.http.timeoutMs,
    insecure: target.http.insecure,
    limit: target.limits.requests,
    windowMs,
    keys: estimate.keys,
    freshAt: Math.floor(startAt / windowMs) * windowMs,
    notBefore: startAt,
    startAt,
    recordEvery: facts.recordEvery,
    sampleEvery: facts.sampleEvery,
    recordAdmitted: facts.recordAdmitted,
    buckets: true,
    requests: plainRequests(),
    shape: estimate.shape,
  };
  // From the plan itself, so that a rendering repeats; the start is part of it, so runs are told apart.
  const runId = createHash('sha256').update(JSON.stringify(plan)).digest('hex').slice(0, 24);
  return { runId, ...plan };
}

/** The manifest of a run, as `load/k8s/testrun.yaml` has it. */
export async function testRun(name: string, parallelism: number): Promise<string> {
  const values: Readonly<Record<string, string>> = {
    NAME: name,
    PARALLELISM: String(parallelism),
    IMAGE: `grafana/k6:${K6_VERSION.slice(1)}`,
  };
  const template = await readFile(packageFile('load', 'k8s', 'testrun.yaml'), 'utf8');
  return template.replaceAll(/\$\{(\w+)\}/g, (whole, value: string) => values[value] ?? whole);
}

/** Packs a scenario with its plan and everything it imports into one file that `k6 run` takes. */
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
    `1. Copy secret.example.yaml to secret.yaml and put the keys in.`,
    `2. kubectl apply -k . early enough: the load starts at ${new Date(startAt).toISOString()}, on clocks in step.`,
    `3. Save the log of each runner (label k6_cr=${name}) into this folder, one *.log file each.`,
    `4. assay load merge .`,
  ].join('\n')}\n`;
}

function usage(message: string, hint: string, cause?: unknown): LoadError {
  return new LoadError('ASSAY_LOAD_USAGE', message, hint, cause);
}
