import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'yaml';
import { httpSecrets } from '../../http/secrets.ts';
import { makeFolder } from '../../report/make-folder.ts';
import type { Target } from '../../target/target.ts';
import { LoadError } from '../errors.ts';
import { K6_VERSION } from '../find-k6.ts';
import type { K6 } from '../find-k6.ts';
import { planLoad } from '../load.ts';
import type { MergeContext } from '../merge.ts';
import type { ScenarioName } from '../../contract/scenarios.ts';
import type { LoadPlan } from '../plan.ts';
import { plainRequests } from '../requests.ts';
import { SCENARIOS } from '../scenarios.ts';
import type { LoadSettings } from '../scenarios.ts';
import { packScenario } from './archive.ts';
import { crdSchema, subsetSchema, validateTestRun } from './validate.ts';

/** A ConfigMap holds at most a mebibyte, and its bytes are written in base64. */
const LARGEST_ARCHIVE = 700 * 1024;
const SECRET_FOLDER = '/secrets';
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
  /** File of the custom resource definition; undefined for the shipped schema alone. */
  readonly crd: string | undefined;
  readonly command: string;
}

/**
 * Writes what the k6-operator needs to run a scenario on several machines, and what `assay load merge` needs to judge it.
 * The same options give the same files. Holds no key: the Secret has placeholders.
 * @throws LoadError when the scenario cannot be shared or a manifest breaks its schema
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
  const testRun = testRunOf(name, parallelism);
  await validated(testRun, options.crd);
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
    'testrun.yaml': stringify(testRun),
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

function testRunOf(name: string, parallelism: number): object {
  return {
    apiVersion: 'k6.io/v1alpha1',
    kind: 'TestRun',
    metadata: { name },
    spec: {
      parallelism,
      quiet: 'true',
      script: { configMap: { name, file: 'archive.tar' } },
      // Each instance sees its share only, so thresholds are left to the merged verdict.
      args: [
        '--no-usage-report',
        '--no-thresholds',
        '--no-color',
        '--log-format=raw',
        `--secret-source=file=${SECRET_FOLDER}/keys`,
      ],
      runner: {
        image: `grafana/k6:${K6_VERSION.slice(1)}`,
        env: [
          { name: 'K6_NO_USAGE_REPORT', value: 'true' },
          { name: 'K6_AUTO_EXTENSION_RESOLUTION', value: 'false' },
        ],
        volumes: [{ name: 'keys', secret: { secretName: `${name}-keys` } }],
        volumeMounts: [{ name: 'keys', mountPath: SECRET_FOLDER, readOnly: true }],
      },
    },
  };
}

async function validated(testRun: object, crd: string | undefined): Promise<void> {
  const problems = validateTestRun(testRun, subsetSchema());
  if (crd !== undefined) {
    const text = await readFile(crd, 'utf8').catch((cause: unknown) => {
      throw usage(
        `${crd} cannot be read.`,
        'Give the file of `kubectl get crd testruns.k6.io -o yaml`.',
        cause,
      );
    });
    problems.push(...validateTestRun(testRun, crdSchema(text, crd)));
  }
  if (problems.length > 0) {
    throw usage(
      `The TestRun does not keep its schema: ${problems.join('; ')}`,
      'The definition may be of another version of the operator; 1.6 is known to fit.',
    );
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
