import { selects } from '../../ask/patterns.ts';
import { PROFILES } from '../../ask/profiles.ts';
import { FORMATS } from '../../report/formats.ts';
import { FAIL_ON } from '../../report/model/gate.ts';
import { REQUIREMENTS } from '../../requirements/catalogue.ts';
import { suggestion } from '../../text/closest-name.ts';
import { OptionError } from '../option-error.ts';

/** Returns what is wrong with a value, or null. */
type Rule = (value: unknown, name: string) => OptionError | null;

const nearly = (given: unknown, names: readonly string[]): string =>
  suggestion(String(given), names);

const text: Rule = (value, name) =>
  typeof value === 'string' && value !== ''
    ? null
    : new OptionError(
        `${name} takes a string.`,
        `It is ${value === '' ? 'empty' : `of type ${typeof value}`}.`,
      );

const whole =
  (least: number, example: number): Rule =>
  (value, name) =>
    Number.isSafeInteger(value) && Number(value) >= least
      ? null
      : new OptionError(
          `${name} takes a whole number${least > 0 ? ' above 0' : ''}.`,
          `For example ${example}.`,
        );

const oneOf =
  (names: readonly string[]): Rule =>
  (value, name) =>
    names.some((one) => one === value)
      ? null
      : new OptionError(
          `${name} takes ${names.join(', ')}, not ${JSON.stringify(value)}.`,
          `${nearly(value, names)}Omit it for the default.`,
        );

const listOf =
  (rule: Rule): Rule =>
  (value, name) => {
    if (!Array.isArray(value))
      return new OptionError(`${name} takes a list.`, `Use an array: ${name}: [ … ].`);
    for (const one of value as readonly unknown[]) {
      const wrong = rule(one, name);
      if (wrong !== null) return wrong;
    }
    return null;
  };

/** A pattern that selects nothing is an error, because an empty run must not look like success. */
const pattern: Rule = (value, name) => {
  const ids = REQUIREMENTS.map(({ id }) => id);
  if (typeof value === 'string' && ids.some((id) => selects(value, id))) return null;
  return new OptionError(
    `${name}: ${JSON.stringify(value)} selects no requirement.`,
    `${nearly(value, ids)}REQUIREMENTS lists all ids.`,
  );
};

const signal: Rule = (value, name) =>
  value instanceof AbortSignal
    ? null
    : new OptionError(`${name} takes an AbortSignal.`, 'Use the signal of an AbortController.');

const JUDGE: Readonly<Record<string, Rule>> = {
  baseUrl: text,
  target: text,
  apiKeys: listOf(text),
  keyFile: text,
  spec: text,
  only: listOf(pattern),
  skip: listOf(pattern),
  failOn: listOf(oneOf(FAIL_ON)),
  waivers: text,
  output: text,
  formats: listOf(oneOf(FORMATS)),
};

const truth: Rule = (value, name) =>
  typeof value === 'boolean'
    ? null
    : new OptionError(`${name} takes true or false.`, `It is of type ${typeof value}.`);

const listener: Rule = (value, name) =>
  typeof value === 'function'
    ? null
    : new OptionError(`${name} takes a function.`, 'It is called with each event.');

const TARGET = {
  baseUrl: JUDGE['baseUrl'],
  target: JUDGE['target'],
  apiKeys: JUDGE['apiKeys'],
  keyFile: JUDGE['keyFile'],
} as Readonly<Record<string, Rule>>;

const ASKED: Readonly<Record<string, Rule>> = {
  profile: oneOf(PROFILES),
  seed: whole(Number.MIN_SAFE_INTEGER, 7),
  maxRequests: whole(1, 40),
};

const between =
  (least: number, most: number, example: number): Rule =>
  (value, name) =>
    typeof value === 'number' && value > least && value <= most
      ? null
      : new OptionError(
          `${name} takes a number above ${least} and up to ${most}.`,
          `For example ${example}.`,
        );

const membersOf =
  (rules: Readonly<Record<string, Rule>>): Rule =>
  (value, name) => {
    const names = Object.keys(rules);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return new OptionError(`${name} takes an object.`, `Members: ${names.join(', ')}.`);
    }
    for (const [member, one] of Object.entries(value)) {
      const rule = Object.hasOwn(rules, member) ? rules[member] : undefined;
      if (rule === undefined) {
        return new OptionError(
          `${name} has no member "${member}".`,
          `${nearly(member, names)}Members: ${names.join(', ')}.`,
        );
      }
      const wrong = one === undefined ? null : rule(one, `${name}.${member}`);
      if (wrong !== null) return wrong;
    }
    return null;
  };

const place: Rule = (value, name) =>
  typeof value === 'string' && /:?\d{1,5}$/.test(value)
    ? null
    : new OptionError(`${name} takes host:port.`, 'For example 127.0.0.1:8080.');

const optional =
  (rule: Rule): Rule =>
  (value, name) =>
    value === null ? null : rule(value, name);

const certificate: Rule = (value, name) =>
  typeof value === 'object' && value !== null && 'cert' in value && 'key' in value
    ? null
    : new OptionError(`${name} takes a certificate.`, 'Use an object: { cert: PEM, key: PEM }.');

const RULES = {
  watch: {
    baseUrl: text,
    target: text,
    only: listOf(pattern),
    skip: listOf(pattern),
    failOn: listOf(oneOf(FAIL_ON)),
    waivers: text,
    spec: text,
    output: text,
    formats: listOf(oneOf(FORMATS)),
    listen: place,
    page: optional(place),
    tls: optional(certificate),
    host: oneOf(['keep', 'target']),
    fresh: truth,
    drainMs: whole(1, 5000),
    onEvent: listener,
  },
  check: JUDGE,
  run: { ...JUDGE, ...ASKED, concurrency: whole(1, 1), signal, onEvent: listener },
  plan: { ...TARGET, only: listOf(pattern), skip: listOf(pattern), ...ASKED },
  monitor: {
    ...TARGET,
    ...ASKED,
    only: listOf(pattern),
    skip: listOf(pattern),
    waivers: text,
    spec: text,
    output: text,
    formats: listOf(oneOf(FORMATS)),
    concurrency: whole(1, 1),
    share: between(0, 1, 0.05),
    everyMs: whole(1, 21_600_000),
    cron: text,
    jitter: truth,
    keepMs: whole(1, 2_592_000_000),
    webhook: membersOf({ url: text, secret: text }),
    publicUrl: text,
    metrics: membersOf({ listen: text, otlp: text }),
    once: truth,
    forMs: whole(1, 259_200_000),
    signal,
    onEvent: listener,
  },
  load: {
    ...TARGET,
    output: text,
    formats: listOf(oneOf(FORMATS)),
    spec: text,
    windows: whole(1, 3),
    rate: whole(1, 50),
    durationMs: whole(1, 60_000),
    k6: text,
    allowRemote: truth,
    signal,
  },
} satisfies Readonly<Record<string, Readonly<Record<string, Rule>>>>;

/**
 * Callers may not be type-checked: a misspelled option must not be ignored.
 * @throws OptionError for an option that is unknown or has an invalid value
 */
export function checkOptions(of: keyof typeof RULES, options: unknown): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new OptionError(`${of}() takes an options object.`, `For example ${of}({}).`);
  }
  const rules: Readonly<Record<string, Rule>> = RULES[of];
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      const names = Object.keys(rules);
      throw new OptionError(
        `${of}() has no option "${name}".`,
        `${nearly(name, names)}Options: ${names.join(', ')}.`,
      );
    }
    const wrong = rule(value, name);
    if (wrong !== null) throw wrong;
  }
}
