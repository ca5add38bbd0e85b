import { ENDPOINT_PATHS, endpoint as factsOf } from '../../spec/endpoints.ts';
import type { EndpointPath } from '../../spec/endpoints.ts';
import type { ErrorName } from '../../spec/error-codes.ts';
import type { Answer, Context } from '../hooks.ts';
import { isObject } from '../json.ts';
import { all, always, endpointIs, errorOf } from '../vocabulary.ts';
import type { Condition } from '../vocabulary.ts';
import { isUnlisted } from './words.ts';

/** A stated refusal, and where it occurs. */
export interface Case {
  readonly name: string;
  readonly says: string;
  readonly error: ErrorName;
  readonly endpoint: EndpointPath | null;
  readonly section: string;
  readonly when: Condition;
  /** Keys of details that such an error should have. */
  readonly keys: readonly string[];
  /** Whether its message is stated, at least in part. */
  readonly message: boolean;
  /** False when the refusal itself is only a should. */
  readonly stated?: false;
}

const validation = ['field', 'suggestion'] as const;

/** Missing and wrong parameters of an endpoint. */
function parameterCases(path: EndpointPath): readonly Case[] {
  const { query, section } = factsOf(path);
  const here = endpointIs(path);
  const required = Object.entries(query).filter(([, rule]) => rule.required === true);
  return required.flatMap(([name, rule]) => {
    const missing: Case = {
      name: `${name}-left-out`,
      says: `a missing ${name}`,
      error: 'missingParameter',
      endpoint: path,
      section,
      when: all(here, (context) => !context.query.has(name)),
      keys: validation,
      message: true,
    };
    if (rule.enum === undefined) return [missing];
    const wrong: Case = {
      ...missing,
      name: `${name}-unknown`,
      says: `an unknown ${name}`,
      error: 'invalidValue',
      when: all(here, (context) => isUnlisted(rule, context.query.get(name))),
      keys: name === 'country_code' ? validation : [...validation, 'constraint'],
      message: name !== 'country_code',
    };
    return [missing, wrong];
  });
}

/** Errors of wrong identifiers in the path. */
function identifierCases(path: EndpointPath): readonly Case[] {
  const { section } = factsOf(path);
  const [name] = Object.keys(factsOf(path).path);
  if (name === undefined) return [];
  const base = { endpoint: path, section, when: endpointIs(path), message: true };
  const unknown = {
    ...base,
    name: 'unknown',
    says: `an unknown ${name}`,
    error: 'notFound',
  } as const;
  if (name !== 'currency_id') return [{ ...unknown, keys: [], message: false, stated: false }];
  return [
    { ...unknown, keys: [name, 'suggestion'] },
    {
      ...base,
      name: 'malformed',
      says: 'a malformed currency_id',
      error: 'invalidFormat',
      keys: validation,
    },
  ];
}

/** Refusals that any endpoint can give. */
const GENERAL: readonly Case[] = (
  [
    ['unknown-endpoint', 'an unknown path', 'unknownEndpoint', '7', [], false],
    ['invalid-key', 'an unknown or missing key', 'invalidKey', '5', ['header', 'solution'], false],
    ['expired-key', 'an expired key', 'expiredKey', '5', ['header', 'solution'], false],
    ['forbidden', 'a key without access', 'forbidden', '5', [], false],
    [
      'rate-limit',
      'a request over the limit',
      'tooManyRequests',
      '8',
      ['limit', 'window', 'retry_after'],
      true,
    ],
  ] as const
).map(([name, says, error, section, keys, message]) => ({
  name,
  says,
  error,
  section,
  keys,
  message,
  endpoint: null,
  when: always,
}));

const UNLISTED: Case = {
  name: 'unlisted',
  says: 'an unlisted pair of symbol and country',
  error: 'invalidFormat',
  endpoint: '/etfs/summary-history',
  section: '4.3',
  when: endpointIs('/etfs/summary-history'),
  keys: [],
  message: true,
};

/** Whether a response is the refusal of the case. */
export const isCase = (one: Case, answer: Answer, context: Context): boolean =>
  errorOf(answer) === one.error && one.when(context) && (one !== UNLISTED || isUnsupported(answer));

/** The refusal of §4.3 rule 2, not one of a malformed parameter. */
function isUnsupported({ value }: Answer): boolean {
  const message = isObject(value) ? value['message'] : undefined;
  return typeof message === 'string' && message.startsWith('Unsupported');
}

/** Every stated refusal, where it occurs. */
export const CASES: readonly Case[] = [
  ...ENDPOINT_PATHS.flatMap((path) => [...parameterCases(path), ...identifierCases(path)]),
  UNLISTED,
  ...GENERAL,
];
