import { ENDPOINT_PATHS, endpoint as factsOf } from '../../spec/endpoints.ts';
import type { EndpointPath } from '../../spec/endpoints.ts';
import { ERRORS } from '../../spec/error-codes.ts';
import type { Answer, Context, Hooks } from '../hooks.ts';
import type { KeyRecord } from '../keys.ts';
import { issueKeys } from '../keys.ts';
import { all, always, endpointIs, onAnswer, onPage } from '../vocabulary.ts';
import type { Condition } from '../vocabulary.ts';
import { keyLess } from '../../../suites/7-errors/faults.ts';
import { entriesOf, faultsBy, nameOf, SHOULD, slugOf } from './operator.ts';
import type { OperatorEntry, OperatorFault } from './operator.ts';

const { invalidKey, expiredKey, forbidden } = ERRORS;

/** Kinds of keys that must be refused, and another error of §5, which would be wrong. */
const ROLES: readonly (readonly [
  name: string,
  says: string,
  carried: Condition,
  taken: { readonly status: number; readonly code: number },
])[] = [
  ['none', 'a request without a key', keyLess, forbidden],
  [
    'unknown',
    'an unknown key',
    ({ apiKey, key }) => apiKey !== undefined && key === undefined,
    expiredKey,
  ],
  ['disabled', 'a disabled key', ({ key }) => key?.state === 'disabled', expiredKey],
  ['expired', 'an expired key', ({ key }) => key?.state === 'expired', invalidKey],
];

/** A key record that is accepted and counted separately. */
const letIn = (context: Context): KeyRecord => ({
  key: `admitted:${context.apiKey ?? ''}`,
  role: 'valid',
  state: 'active',
  forbidden: new Set(),
});

const admitting = (when: Condition): Hooks => ({
  key: (key, context) => (when(context) ? letIn(context) : key),
});

/** Changes the refusal of a key. */
const refused = (when: Condition, change: (answer: Answer) => Partial<Answer>): Hooks =>
  onAnswer(
    (answer, context) => (answer.status === 401 || answer.status === 403) && when(context),
    (answer) => ({ ...answer, ...change(answer) }),
  );

const CRASH: Partial<Answer> = {
  status: 500,
  value: { code: ERRORS.internal.code, message: 'Internal server error', details: {} },
};

const refusing = (when: Condition): Hooks => ({
  key: (key, context) => (when(context) ? undefined : key),
});

/** The text of an id for one endpoint, or for all of them. */
const slug = (path: EndpointPath | null): string => (path === null ? 'everywhere' : slugOf(path));
const at = (path: EndpointPath | null): string => (path === null ? 'every endpoint' : nameOf(path));
const here = (path: EndpointPath | null): Condition => (path === null ? always : endpointIs(path));

function roleEntries(path: EndpointPath | null): readonly OperatorEntry[] {
  return ROLES.flatMap(([name, says, carried, { status, code }]) => {
    const when = all(here(path), carried);
    const entry = entriesOf(`${slug(path)}/${name}-`, `${at(path)}: ${says} `);
    return [
      entry('admitted', 'is accepted', admitting(when)),
      // The code of a missing key is unspecified.
      entry(
        'taken-for-another',
        `is refused with ${status} ${code}`,
        refused(when, ({ value }) => ({ status, value: { ...Object(value), code } })),
      ),
      entry(
        'crashes',
        'returns 500',
        refused(when, () => CRASH),
      ),
    ];
  });
}

/** Wrongly refused valid keys. */
function refusedEntries(path: EndpointPath): readonly (OperatorEntry | false)[] {
  const entry = entriesOf(
    `${slugOf(path)}/valid-refused`,
    `${nameOf(path)}: valid keys are refused`,
  );
  const valid: Condition = all(endpointIs(path), ({ key }) => key?.role === 'valid');
  return [
    entry('', '', refusing(valid)),
    'page' in factsOf(path).query &&
      entry('-on-page-2', ' on page 2', refusing(all(valid, onPage(2)))),
  ];
}

/** The restricted key, wrongly accepted or refused on one endpoint. */
function restrictedEntry(path: EndpointPath): OperatorEntry {
  const isForbidden = issueKeys().restricted.forbidden.includes(path);
  const entry = entriesOf(`${slugOf(path)}/restricted-`, `${nameOf(path)}: the restricted key is `);
  const hooks: Hooks = {
    key(key, context) {
      if (key?.role !== 'restricted' || !endpointIs(path)(context)) return key;
      return { ...key, forbidden: new Set(isForbidden ? [] : [path]) };
    },
  };
  return isForbidden
    ? entry('admitted', 'accepted', hooks)
    : entry('refused', 'refused where it has access', hooks, SHOULD);
}

/** Keys that are only compared in part. */
const LOOKALIKES: readonly (readonly [
  name: string,
  says: string,
  alike: (sent: string, key: string) => boolean,
])[] = [
  ['appended', 'keys with appended characters are accepted', (sent, key) => sent.startsWith(key)],
  ['prefixed', 'keys with prepended characters are accepted', (sent, key) => sent.endsWith(key)],
  [
    'shortened',
    'keys without their last character are accepted',
    (sent, key) => sent === key.slice(0, -1),
  ],
  [
    'upper-case',
    'keys in a different letter case are accepted',
    (sent, key) => sent.toLowerCase() === key.toLowerCase(),
  ],
];

const lookalikes: readonly OperatorEntry[] = LOOKALIKES.map(([name, says, alike]) => ({
  at: `everywhere/${name}`,
  title: `Every endpoint: ${says}`,
  hooks: {
    key(key, context) {
      const sent = context.apiKey;
      const similar =
        key === undefined &&
        sent !== undefined &&
        issueKeys().valid.some((own) => alike(sent, own));
      return similar ? letIn(context) : key;
    },
  },
}));

/** Wrongly granted or refused access (§5). */
export const keyOperators = (): readonly OperatorFault[] => [
  ...faultsBy('key', null, [...roleEntries(null), ...lookalikes]),
  ...ENDPOINT_PATHS.flatMap((path) =>
    faultsBy('key', path, [...roleEntries(path), ...refusedEntries(path), restrictedEntry(path)]),
  ),
];
