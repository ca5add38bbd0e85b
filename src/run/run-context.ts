import { httpSecrets, isTellingName, secretsOf, type Secret } from '../http/secrets.ts';
import type { RunContext } from '../report/model/results.ts';
import { Redactor } from '../target/redactor.ts';
import type { Target } from '../target/target.ts';
import { SecretScan } from '../text/secret-scan.ts';
import { cut } from '../text/text.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Longest value kept, characters: names of branches and jobs are anybody's text. */
const MOST = 300;
/** Stands for what is not to be recorded. */
const REDACTED = '[redacted]';
/** Labels that say what a CI service would say. */
const NAMED = ['ci', 'commit', 'branch', 'job', 'url'] as const;

interface Service {
  readonly name: string;
  readonly is: (env: Environment) => boolean;
  readonly read: (
    env: Environment,
  ) => Record<'commit' | 'branch' | 'job' | 'url', string | undefined>;
}

/** The parts with `by` between them, when all are there. */
function joined(by: string, ...parts: readonly (string | undefined)[]): string | undefined {
  return parts.every((part) => (part ?? '') !== '') ? parts.join(by) : undefined;
}

/** The first that says something: services set variables to nothing where they do not apply. */
const first = (...values: readonly (string | undefined)[]): string | undefined =>
  values.find((value) => (value ?? '') !== '');

const withoutRefs = (ref: string | undefined): string | undefined =>
  ref?.replace(/^refs\/(?:heads|tags)\//, '');

/** CI services by the variables that they document for every job. */
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
      // The collection ends with a slash.
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
  // Last: its variables are set by hand elsewhere, too.
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
 * What a run belongs to, by the environment and the labels; undefined when neither says anything. Labels that are called
 * `commit`, `branch`, `job`, `url` or `ci` stand for what the environment would say.
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

/** An address of the web without a login and without parameters that carry one; undefined for any other text. */
function plainUrl(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  url.username = '';
  url.password = '';
  for (const name of new Set(url.searchParams.keys())) {
    if (isTellingName(name)) url.searchParams.set(name, REDACTED);
  }
  return url.href;
}

/**
 * The context without secrets: those of the target, wherever they stand, and the values of labels whose name says that
 * they are one.
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
    // In a writing of several layers it is found and cannot be cut out.
    return scan.scan(redacted) === null ? redacted : REDACTED;
  };
  const { labels, ...named } = context;
  return {
    ...Object.fromEntries(Object.entries(named).map(([name, value]) => [name, safe(value)])),
    ...(labels !== undefined && {
      labels: Object.fromEntries(
        Object.entries(labels).map(([name, value]) => [
          safe(name),
          isTellingName(name) ? REDACTED : safe(value),
        ]),
      ),
    }),
  };
}

function secretsIn({ keys, http }: Partial<Pick<Target, 'keys' | 'http'>>): readonly Secret[] {
  if (http === undefined) return [];
  return keys === undefined ? httpSecrets(http) : secretsOf({ keys, http });
}
