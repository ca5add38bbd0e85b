import { httpSecrets, isSecretName, secretsOf, type Secret } from '../http/secrets.ts';
import type { RunContext } from '../report/model/results.ts';
import { Redactor } from '../target/redactor.ts';
import type { Target } from '../target/target.ts';
import { SecretScan } from '../text/secret-scan.ts';
import { cut } from '../text/text.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Maximum length of a value, characters: branch and job names are untrusted. */
const MOST = 300;
/** Replaces secrets. */
const REDACTED = '[redacted]';
/** Labels that override values of the CI service. */
const NAMED = ['ci', 'commit', 'branch', 'job', 'url'] as const;

interface Service {
  readonly name: string;
  readonly is: (env: Environment) => boolean;
  readonly read: (
    env: Environment,
  ) => Record<'commit' | 'branch' | 'job' | 'url', string | undefined>;
}

/** The parts joined by `by`; undefined if one is missing. */
function joined(by: string, ...parts: readonly (string | undefined)[]): string | undefined {
  return parts.every((part) => (part ?? '') !== '') ? parts.join(by) : undefined;
}

/** The first non-empty value: services set variables that do not apply to the empty string. */
const first = (...values: readonly (string | undefined)[]): string | undefined =>
  values.find((value) => (value ?? '') !== '');

const withoutRefs = (ref: string | undefined): string | undefined =>
  ref?.replace(/^refs\/(?:heads|tags)\//, '');

/** CI services and the variables they document for every job. */
const SERVICES: readonly Service[] = [
  {
    name: 'GitHub Actions',
    is: (env) => env['GITHUB_ACTIONS'] === 'true',
    read: (env) => ({
      commit: env['GITHUB_SHA'],
      branch: first(env['GITHUB_HEAD_REF'], env['GITHUB_REF_NAME']),
      job: first(joined(' / ', env['GITHUB_WORKFLOW'], env['GITHUB_JOB']), env['GITHUB_JOB']),
      url: joined(
        '/',
        env['GITHUB_SERVER_URL'],
        env['GITHUB_REPOSITORY'],
        joined('/', 'actions/runs', env['GITHUB_RUN_ID']),
      ),
    }),
  },
  {
    name: 'GitLab CI',
    is: (env) => env['GITLAB_CI'] === 'true',
    read: (env) => ({
      commit: env['CI_COMMIT_SHA'],
      branch: first(env['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME'], env['CI_COMMIT_REF_NAME']),
      job: env['CI_JOB_NAME'],
      url: first(env['CI_JOB_URL'], env['CI_PIPELINE_URL']),
    }),
  },
  {
    name: 'Azure Pipelines',
    is: (env) => env['TF_BUILD']?.toLowerCase() === 'true',
    read: (env) => ({
      commit: env['BUILD_SOURCEVERSION'],
      branch: withoutRefs(first(env['SYSTEM_PULLREQUEST_SOURCEBRANCH'], env['BUILD_SOURCEBRANCH'])),
      job: first(
        joined(' / ', env['BUILD_DEFINITIONNAME'], env['SYSTEM_JOBDISPLAYNAME']),
        env['BUILD_DEFINITIONNAME'],
      ),
      // The collection URI ends with a slash.
      url: joined(
        '',
        env['SYSTEM_COLLECTIONURI'],
        env['SYSTEM_TEAMPROJECT'] && encodeURIComponent(env['SYSTEM_TEAMPROJECT']),
        joined('', '/_build/results?buildId=', env['BUILD_BUILDID']),
      ),
    }),
  },
  {
    name: 'Buildkite',
    is: (env) => env['BUILDKITE'] === 'true',
    read: (env) => ({
      commit: env['BUILDKITE_COMMIT'],
      branch: env['BUILDKITE_BRANCH'],
      job: first(
        joined(' / ', env['BUILDKITE_PIPELINE_SLUG'], env['BUILDKITE_LABEL']),
        env['BUILDKITE_PIPELINE_SLUG'],
      ),
      url: first(
        joined('#', env['BUILDKITE_BUILD_URL'], env['BUILDKITE_JOB_ID']),
        env['BUILDKITE_BUILD_URL'],
      ),
    }),
  },
  // Last, because its variables are also set by hand elsewhere.
  {
    name: 'Jenkins',
    is: (env) => first(env['JENKINS_URL'], env['JENKINS_HOME']) !== undefined,
    read: (env) => ({
      commit: env['GIT_COMMIT'],
      branch: first(env['CHANGE_BRANCH'], env['BRANCH_NAME'], env['GIT_BRANCH']),
      job: first(joined(' #', env['JOB_NAME'], env['BUILD_NUMBER']), env['JOB_NAME']),
      url: env['BUILD_URL'],
    }),
  },
];

/**
 * The context of a run from environment and labels; undefined when there is none. Labels named `commit`, `branch`,
 * `job`, `url` or `ci` override the environment.
 */
export function readContext(
  env: Environment,
  labels: Readonly<Record<string, string>>,
): RunContext | undefined {
  const service = SERVICES.find(({ is }) => is(env));
  const told: Record<string, string | undefined> =
    service === undefined ? {} : { ci: service.name, ...service.read(env) };
  const own = new Map(Object.entries(labels));
  const context: Record<string, string> = {};
  for (const name of NAMED) {
    const value = own.get(name) ?? told[name];
    own.delete(name);
    const text = name === 'url' ? plainUrl(value) : value;
    if (text !== undefined && text !== '') context[name] = cut(text, MOST);
  }
  const others = [...own].map(([name, value]) => [name, cut(value, MOST)] as const);
  if (Object.keys(context).length === 0 && others.length === 0) return undefined;
  return { ...context, ...(others.length > 0 && { labels: Object.fromEntries(others) }) };
}

/** An http(s) URL without credentials; undefined for any other text. */
function plainUrl(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  url.username = '';
  url.password = '';
  for (const name of new Set(url.searchParams.keys())) {
    if (isSecretName(name)) url.searchParams.set(name, REDACTED);
  }
  return url.href;
}

/**
 * The context without secrets of the target and without values of labels that are named like secrets.
 */
export function withoutSecrets(
  context: RunContext,
  target: Partial<Pick<Target, 'keys' | 'http'>>,
): RunContext {
  const secrets = secretsIn(target);
  const redactor = new Redactor(
    secrets.map(({ value }) => ({ secret: value, replacement: REDACTED })),
  );
  const scan = new SecretScan(secrets);
  const safe = (text: string): string => {
    const redacted = redactor.redact(text);
    // A secret in nested encodings is detected but cannot be cut out.
    return scan.scan(redacted) === null ? redacted : REDACTED;
  };
  const { labels, ...named } = context;
  return {
    ...Object.fromEntries(Object.entries(named).map(([name, value]) => [name, safe(value)])),
    ...(labels !== undefined && {
      labels: Object.fromEntries(
        Object.entries(labels).map(([name, value]) => [
          safe(name),
          isSecretName(name) ? REDACTED : safe(value),
        ]),
      ),
    }),
  };
}

function secretsIn({ keys, http }: Partial<Pick<Target, 'keys' | 'http'>>): readonly Secret[] {
  if (http === undefined) return [];
  return keys === undefined ? httpSecrets(http) : secretsOf({ keys, http });
}
