import type { Survey } from '../../doctor/survey.ts';
import { RATE_LIMIT } from '../../spec/limits.ts';
import { TARGET_DEFAULTS } from '../../target/target.ts';
import type { InitSettings } from './init-settings.ts';

const FIXTURES = [
  ['currencyIds', 'currencies that exist'],
  ['etfTickers', 'ETFs'],
  ['stockTickers', 'listed companies'],
  ['sectorNames', 'sectors of listed companies'],
  ['indexTickers', 'indices'],
  ['projectIds', 'fundraising projects'],
  ['macroEvents', 'macro events'],
  ['chartNames', 'analysis charts'],
] as const;

/** A target file in YAML, with a comment on every setting. Holds names of environment variables and no key. */
export function targetYaml(settings: InitSettings, survey: Survey | null): string {
  const baseUrl = survey?.baseUrl ?? settings.baseUrl;
  const header = survey?.authHeader ?? settings.authHeader ?? TARGET_DEFAULTS.auth.header;
  return [
    '# Target file of Assay. Every setting: docs/target-file.md. ${NAME} is taken from the environment.',
    '# It holds no key and may be kept in version control.',
    '',
    '# Address that the paths of the specification are appended to.',
    `baseUrl: ${quoted(baseUrl)}`,
    '',
    '# Header that carries the key.',
    'auth:',
    `  header: ${quoted(header)}`,
    '',
    ...keyLines(settings),
    '',
    ...fixtureLines(survey),
    '',
    ...limitLines(survey),
    '',
    '# "data" when every body is wrapped in {code, message, data}; the inside is then judged, and the report says so.',
    `envelope: ${survey?.envelope ?? 'null'}`,
    '',
    'http:',
    '  # Time for one answer, milliseconds. Raise it on a slow link.',
    `  timeoutMs: ${TARGET_DEFAULTS.http.timeoutMs}`,
    '  # Headers for every request; not the key header.',
    '  # headers: { X-Team: data }',
    '  # Authorities of your own, PEM; relative to this file.',
    '  # caFile: company-ca.pem',
    '  # HTTP proxy; null for none. Without this line HTTPS_PROXY and NO_PROXY decide.',
    '  # proxy: http://proxy.example:3128',
    '',
  ].join('\n');
}

function keyLines({ valid, disabled, expired, restricted, nearQuota }: InitSettings): string[] {
  return [
    '# Keys by role, from the environment. What a missing one is needed for is reported as untested.',
    'keys:',
    '  # Keys in use. Each one more makes a run shorter: 20 requests a minute and key.',
    `  valid: [${valid.map(variable).join(', ')}]`,
    '  # A key that was issued and switched off.',
    disabled === undefined
      ? '  # disabled: "${ASSAY_DISABLED_KEY}"'
      : `  disabled: ${variable(disabled)}`,
    '  # A key whose time is over.',
    expired === undefined
      ? '  # expired: "${ASSAY_EXPIRED_KEY}"'
      : `  expired: ${variable(expired)}`,
    '  # A key that may not call some endpoints, and which.',
    restricted === undefined
      ? '  # restricted: { key: "${ASSAY_RESTRICTED_KEY}", forbidden: ["/news"] }'
      : `  restricted: { key: ${variable(restricted.variable)}, forbidden: [${restricted.forbidden.map(quoted).join(', ')}] }`,
    '  # A key near its monthly quota and the requests left to it; a run uses them up.',
    nearQuota === undefined
      ? '  # nearQuota: { key: "${ASSAY_NEAR_QUOTA_KEY}", remaining: 5 }'
      : `  nearQuota: { key: ${variable(nearQuota.variable)}, remaining: ${nearQuota.remaining} }`,
  ];
}

function fixtureLines(survey: Survey | null): string[] {
  const found = survey?.fixtures ?? {};
  const list = (name: string, values: readonly string[] | undefined, what: string): string =>
    values === undefined || values.length === 0
      ? `  # ${name}: []  # ${what}`
      : `  ${name}: [${values.map(quoted).join(', ')}]  # ${what}`;
  const lines = [
    ...FIXTURES.map(([name, what]) => list(name, found[name], what)),
    list('exchanges', survey?.exchanges, 'exchanges that list pairs of these currencies'),
    survey?.malformedCurrencyId == null
      ? '  # malformedCurrencyId: "not-an-id"  # an id of the wrong form'
      : `  malformedCurrencyId: ${quoted(survey.malformedCurrencyId)}  # an id of the wrong form`,
    '  # unknownCurrencyId: ""  # an id of the right form that no currency has; made up from a real one otherwise',
    '  # unknownIds: { ticker: "", event: "" }  # other identifiers that do not exist; made up otherwise',
  ];
  const active = lines.some((line) => !line.startsWith('  #'));
  return [
    '# Values that exist on the target. A list that is left out is discovered at each run.',
    // YAML needs a value for the key even when every line below is a comment.
    active ? 'fixtures:' : 'fixtures: {}',
    ...lines,
  ];
}

function limitLines(survey: Survey | null): string[] {
  const announced = survey?.announcedLimit ?? RATE_LIMIT;
  const remark =
    announced === RATE_LIMIT
      ? []
      : [
          `# The target announces ${announced} requests a window; the specification says ${RATE_LIMIT}, and a run will report it.`,
        ];
  return [
    '# Limits, for a test target that is scaled on purpose; those of the specification otherwise.',
    ...remark,
    `# limits: { requests: ${announced}, windowMs: 60000, monthlyQuota: 100000 }`,
  ];
}

const variable = (name: string): string => `"\${${name}}"`;

/**
 * JSON strings are YAML strings. `${` in a value that came from the target is kept literal: it must not read variables
 * of whoever runs the file. What cannot be seen is written as an escape.
 */
function quoted(text: string): string {
  return JSON.stringify(text.replaceAll('${', () => '$${')).replaceAll(
    /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\x7f-\x9f]/gu,
    (character) => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
  );
}
