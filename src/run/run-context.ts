import { httpSecrets, isSecretName, secretsOf } from '../http/secrets.ts';
import type { RunContext } from '../report/model/results.ts';
import { Redactor } from '../target/redactor.ts';
import type { Target } from '../target/target.ts';
import { SecretScan } from '../text/secret-scan.ts';
import { cut } from '../text/text.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Maximum length of a value, characters: branch and job names are untrusted. */
const MOST = 300;
const REDACTED = '[redacted]';
/** Labels that override values of the CI service. */
const NAMED = ['ci', 'commit', 'branch', 'job', 'url'] as const;

/** A CI service, with templates for the values: the first one whose variables are all set applies. */
type Service = Readonly<Record<'commit' | 'branch' | 'job' | 'url', readonly string[]>> & {
  readonly name: string;
  readonly is: (env: Environment) => boolean;
};

/** CI services and the variables they document for every job. */
const SERVICES: readonly Service[] = [
  {
    name: 'GitHub Actions',
    is: (env) => env['GITHUB_ACTIONS'] === 'true',
    commit: ['$GITHUB_SHA'],
    branch: ['$GITHUB_HEAD_REF', '$GITHUB_REF_NAME'],
    job: ['$GITHUB_WORKFLOW / $GITHUB_JOB', '$GITHUB_JOB'],
    url: ['$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID'],
  },
  {
    name: 'GitLab CI',
    is: (env) => env['GITLAB_CI'] === 'true',
    commit: ['$CI_COMMIT_SHA'],
    branch: ['$CI_MERGE_REQUEST_SOURCE_BRANCH_NAME', '$CI_COMMIT_REF_NAME'],
    job: ['$CI_JOB_NAME'],
    url: ['$CI_JOB_URL', '$CI_PIPELINE_URL'],
  },
  {
    name: 'Azure Pipelines',
    is: (env) => env['TF_BUILD']?.toLowerCase() === 'true',
    commit: ['$BUILD_SOURCEVERSION'],
    branch: ['$SYSTEM_PULLREQUEST_SOURCEBRANCH', '$BUILD_SOURCEBRANCH'],
    job: ['$BUILD_DEFINITIONNAME / $SYSTEM_JOBDISPLAYNAME', '$BUILD_DEFINITIONNAME'],
    // The collection URI ends with a slash.
    url: ['$SYSTEM_COLLECTIONURI$SYSTEM_TEAMPROJECT/_build/results?buildId=$BUILD_BUILDID'],
  },
  {
    name: 'Buildkite',
    is: (env) => env['BUILDKITE'] === 'true',
    commit: ['$BUILDKITE_COMMIT'],
    branch: ['$BUILDKITE_BRANCH'],
    job: ['$BUILDKITE_PIPELINE_SLUG / $BUILDKITE_LABEL', '$BUILDKITE_PIPELINE_SLUG'],
    url: ['$BUILDKITE_BUILD_URL#$BUILDKITE_JOB_ID', '$BUILDKITE_BUILD_URL'],
  },
  // Last, because its variables are also set by hand elsewhere.
  {
    name: 'Jenkins',
    is: (env) => isSet(env['JENKINS_URL']) || isSet(env['JENKINS_HOME']),
    commit: ['$GIT_COMMIT'],
    branch: ['$CHANGE_BRANCH', '$BRANCH_NAME', '$GIT_BRANCH'],
    job: ['$JOB_NAME #$BUILD_NUMBER', '$JOB_NAME'],
    url: ['$BUILD_URL'],
  },
];

/** Services set variables that do not apply to the empty string. */
const isSet = (value: string | undefined): boolean => (value ?? '') !== '';

/** The first template whose variables are all set, filled in; undefined when there is none. */
function filled(templates: readonly string[], env: Environment): string | undefined {
  const usable = templates.find((template) =>
    [...template.matchAll(VARIABLE)].every(([, name = '']) => isSet(env[name])),
  );
  return usable?.replaceAll(VARIABLE, (_, name: string) => env[name] ?? '');
}

const VARIABLE = /\$(\w+)/g;

/**
 * The context of a run from environment and labels; undefined when there is none. Labels named `commit`, `branch`,
 * `job`, `url` or `ci` override the environment.
 */
export function readContext(
  env: Environment,
  labels: Readonly<Record<string, string>>,
): RunContext | undefined {
  const service = SERVICES.find(({ is }) => is(env));
  const told: Record<string, string | undefined> = { ci: service?.name };
  for (const name of ['commit', 'branch', 'job', 'url'] as const) {
    told[name] = service && filled(service[name], env);
  }
  // Azure gives the full name of a branch.
  told['branch'] = told['branch']?.replace(/^refs\/(?:heads|tags)\//, '');
  const own = new Map(Object.entries(labels));
  const context: Record<string, string> = {};
  for (const name of NAMED) {
    const value = own.get(name) ?? told[name];
    own.delete(name);
    const text = name === 'url' ? plainUrl(value) : value;
    if (text !== undefined && text !== '') context[name] = cut(text, MOST);
  }
  const others = [...own].map(([name, value]) => [name, cut(value, MOST)] as const);
  const all = { ...context, ...(others.length > 0 && { labels: Object.fromEntries(others) }) };
  return Object.keys(all).length === 0 ? undefined : all;
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

/** The context without secrets of the target and without values of labels that are named like secrets. */
export function withoutSecrets(
  context: RunContext,
  { keys, http }: Partial<Pick<Target, 'keys' | 'http'>>,
): RunContext {
  const secrets =
    http === undefined ? [] : keys === undefined ? httpSecrets(http) : secretsOf({ keys, http });
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
