import type { listFaults } from '#src/reference/catalog.ts';

type Fault = ReturnType<typeof listFaults>[number];

/** Kinds of defects, from what any validator sees to what only the meaning of the data shows. */
export const FAULT_CLASSES = [
  'schema',
  'headers',
  'status and errors',
  'validation',
  'authentication and limits',
  'filters and windows',
  'paging and order',
  'values and relations',
] as const;

export type FaultClass = (typeof FAULT_CLASSES)[number];

/** Faults that leave out a field, or make it null or another type, are made from the tables of §2. */
const FIELD_FAULT = /^(?:omit|retype|null)-/;

/** First match wins. Requirements are those that a fault is tied to first. */
const CLASS_OF_REQUIREMENT: readonly (readonly [RegExp, FaultClass])[] = [
  [/^8\/(?:header-|remaining-|reset-steady|refusal-headers)|^4\/content-type$/, 'headers'],
  [/^[58]\//, 'authentication and limits'],
  [/^7\/|^4\/(?:no-5xx|json-body)$|^4\.7\//, 'status and errors'],
  [/-excluded-fields$|^4\/bare-body$|^2\/null-figures$/, 'schema'],
  [
    /^4\.\d\/(?:info|klines|market-snapshot|token-economics|fundraising|pairs|news|featured|summary-history|history|macro-history|analyses)$/,
    'schema',
  ],
  [/^2\.\d+\/(?!author-description-language$)/, 'values and relations'],
  [
    /-(?:enum|enum-code|required|case|constraint|message|unknown|invalid|default|max|max-accepted|minimum|bounds|exact)$/,
    'validation',
  ],
  [/\/(?:unlisted|listed)$/, 'validation'],
  [
    /(?:-filter|-range|\/range|-list|window|window-answer|-complete|\/language|-language|share-ids)$/,
    'filters and windows',
  ],
  [
    /\/(?:[\w-]*pages?-[\w-]+|page|order|total|[\w-]*-total|one-order|[\w-]*-one-order|[\w-]*-part)$/,
    'paging and order',
  ],
  [/^4\.\d\//, 'values and relations'],
];

/** Requirements whose end would put them elsewhere: their faults change the order, not the parameter. */
const EXCEPTIONS: Readonly<Record<string, FaultClass>> = {
  '4.1/pairs-order-default': 'paging and order',
};

/**
 * The class of a fault.
 * @throws Error for a fault that belongs to none: the table is then to be completed
 */
export function classOf({ id, kills }: Pick<Fault, 'id' | 'kills'>): FaultClass {
  const requirement = kills[0] ?? '';
  if (FIELD_FAULT.test(id)) return 'schema';
  const found =
    EXCEPTIONS[requirement] ??
    CLASS_OF_REQUIREMENT.find(([pattern]) => pattern.test(requirement))?.[1];
  if (found === undefined) {
    throw new Error(
      `The fault "${id}" (${requirement}) has no class. Complete the table of classes.`,
    );
  }
  return found;
}
