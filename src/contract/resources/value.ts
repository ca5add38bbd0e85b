/**
 * The vocabulary in which the fields of §2 are stated. A field is stated once: what it is, what it means, a value of it.
 * Its requirement, its place in the JSON Schemas and in the OpenAPI document, and the faults that operators make of it
 * follow.
 */

/** What a value means, as far as it decides what it looks like in JSON and how it can be wrong. */
export type Kind =
  | 'name'
  | 'text'
  | 'choice'
  | 'figure'
  | 'stamp'
  | 'any-time'
  | 'day'
  | 'date'
  | 'milliseconds'
  | 'time'
  | 'long'
  | 'integer'
  | 'number'
  | 'settled'
  | 'decimal'
  | 'turnover'
  | 'category'
  | 'mark'
  | 'flag'
  | 'list'
  | 'object';

/** The types of §2, as far as readers of a value have to tell them apart. */
export type FieldKind =
  | 'decimal'
  | 'number'
  | 'integer'
  | 'milliseconds'
  | 'string-timestamp'
  | 'date'
  | 'string'
  | 'choice'
  | 'array'
  | 'object';

/** What may be said of any value; most need none of it. */
export interface Particulars {
  /** What it must be, completing "`field` is …"; by default what its kind says. */
  readonly is?: string;
  /** First cell of its row in the table of §2, when that is not just its name. */
  readonly row?: string;
  /** Clauses that say more about it than its row. */
  readonly also?: readonly string[];
  /** Last part of the id of its requirement, when that is not its name. A nested value with a slug has one of its own. */
  readonly slug?: string;
  /** Two sentences of the specification disagree on it. */
  readonly contradictory?: true;
  /** Null is a value that it may have: a clause says so, or none is there (ruling 3). */
  readonly nullable?: true;
  /** A value of it, where the one that its members make does not show it best. */
  readonly example?: unknown;
}

/** A value of §2. */
export interface Value extends Particulars {
  readonly kind: Kind;
  readonly is: string;
  /** What it means: one sentence for the schemas. */
  readonly says: string;
  readonly example: unknown;
  /**
   * A figure or date that may not exist, such as the price-earnings ratio of a company that loses money, or that may not
   * be known, such as the amount of a round. No clause allows null for it, but there may be nothing else to send: a null
   * is a should (ruling 3), any other wrong value a must.
   */
  readonly mayNotExist?: true;
  /** Of a choice: the values that are stated. */
  readonly choices?: readonly string[];
  /** Of an object; undefined when they are not shown. */
  readonly members?: Members;
  /** Of a list: what every element is; undefined when the clause leaves it to another one. */
  readonly element?: Value;
  /** Of an object with a name of its own among the types of the schemas: what is said of it there. */
  readonly shared?: { readonly name: string; readonly title: string; readonly says: string };
}

/** Values by name, in the order of the specification. */
export type Members = Readonly<Record<string, Value>>;

/** A resource of §2. */
export interface Resource {
  readonly section: `2.${number}`;
  /** What its schema is called, and what it says. */
  readonly title: string;
  readonly says: string;
  /** What a record is called in titles of requirements. */
  readonly called: string;
  readonly fields: Members;
  /** Of what comes in pages: what a record is called in findings, and the fields that it is known by. */
  readonly item?: string;
  readonly identity?: readonly string[];
  /** Begins the slugs of its fields, where two tables of one section have fields of the same name. */
  readonly prefix?: string;
  /** The table that its rows stand in, when it is not the first one of the section. */
  readonly table?: string;
  /** Further examples: what differs from the one that the fields make. */
  readonly examples?: readonly Readonly<Record<string, unknown>>[];
}

/** Resources by the names of their schema files. */
export type Resources = Readonly<Record<string, Resource>>;

type Scalar = Exclude<Kind, 'choice' | 'list' | 'object'>;

const KINDS: Readonly<Record<Scalar, { readonly type: FieldKind; readonly is: string }>> = {
  name: { type: 'string', is: 'a string' },
  text: { type: 'string', is: 'a string' },
  figure: { type: 'string', is: 'a string' },
  day: { type: 'string', is: 'a string' },
  stamp: { type: 'string-timestamp', is: 'a non-empty string timestamp' },
  'any-time': {
    type: 'string-timestamp',
    is: 'a timestamp (integer or non-empty string), or null',
  },
  date: { type: 'date', is: 'a date of the form YYYY-MM-DD' },
  milliseconds: { type: 'milliseconds', is: 'an integer timestamp in milliseconds' },
  time: { type: 'integer', is: 'an integer JSON number' },
  long: { type: 'integer', is: 'an integer JSON number' },
  integer: { type: 'integer', is: 'an integer JSON number' },
  number: { type: 'number', is: 'a JSON number' },
  settled: { type: 'number', is: 'a JSON number, or null until settled' },
  decimal: { type: 'decimal', is: 'a decimal (JSON number or decimal string)' },
  turnover: {
    type: 'decimal',
    is: 'a JSON number, or (known issue, §4.4 rule 3) a decimal string',
  },
  category: { type: 'choice', is: 'one of the category numbers' },
  mark: { type: 'choice', is: '1, 0 or null' },
  flag: { type: 'choice', is: 'true or false' },
};

/** Which type of §2 a value of a kind has. */
export function typeOf(kind: Kind): FieldKind {
  if (kind === 'choice') return 'choice';
  if (kind === 'list') return 'array';
  return kind === 'object' ? 'object' : KINDS[kind].type;
}

type Stated = (says: string, example: unknown, more?: Particulars) => Value;

const scalar =
  (kind: Scalar, always: Particulars = {}): Stated =>
  (says, example, more) => ({ kind, is: KINDS[kind].is, ...always, says, example, ...more });

/** A text that must say something, such as an identifier. */
export const name = scalar('name');
/** A text that may be empty. */
export const text = scalar('text');
/** A number in a text. */
export const figure = scalar('figure');
/** A timestamp typed String, whose format is not stated (ruling 2). */
export const stamp = scalar('stamp');
/** A timestamp of which not even the type is stated, and which may be null. */
export const anyTime = scalar('any-time', { nullable: true });
/** A day as text, of unstated form. */
export const day = scalar('day');
/** A day as `YYYY-MM-DD`. */
export const date = scalar('date');
/** A Long in milliseconds. */
export const milliseconds = scalar('milliseconds');
/** A Long that is a time of unstated unit (ruling 2). */
export const time = scalar('time');
/** A Long that counts. */
export const long = scalar('long');
export const integer = scalar('integer');
/** Number: a JSON number only (ruling 1). */
export const number = scalar('number');
/** A number that is null until it is settled (§4.4 rule 1). */
export const untilSettled = scalar('settled', { nullable: true });
/** BigDecimal: a JSON number or a decimal string (ruling 1). */
export const decimal = scalar('decimal');
/** The volume of §4.4 rule 3. */
export const turnover = scalar('turnover');
/** A category number of news (§4.2). */
export const category = scalar('category');
/** A verified mark: 1, or 0 or null. */
export const mark = scalar('mark', { nullable: true });
export const flag = scalar('flag');

/** A text out of a stated list. */
export const choice = (
  choices: readonly string[],
  says: string,
  example: string,
  more?: Particulars,
): Value => ({ kind: 'choice', is: choices.join(' or '), choices, says, example, ...more });

const exampleOf = (members: Members): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(members).map(([key, { example }]) => [key, example]));

/** An object with these members. */
export const object = (says: string, members: Members, more?: Particulars): Value => ({
  kind: 'object',
  is: 'an object',
  says,
  members,
  example: exampleOf(members),
  ...more,
});

/** What every element of a list is. */
export const each = (members: Members): Value => object('', members);

/** An object that stands in several places, or in a list, under a name of its own. */
export const shared = (
  type: string,
  title: string,
  says: string,
  members: Members,
  more?: Particulars,
): Value => ({ ...object(says, members, more), shared: { name: type, title, says } });

/** A field that is such an object. */
export const one = (type: Value, says: string, more?: Particulars): Value => ({
  ...type,
  says,
  ...more,
});

/** A list of such elements; its example is one of them. */
export const list = (says: string, element: Value, more?: Particulars): Value => ({
  kind: 'list',
  is: 'an array of objects',
  says,
  element,
  example: [element.example],
  ...more,
});

/** A list of texts. */
export const texts = (says: string, example: readonly string[]): Value => ({
  ...list(says, text('', '')),
  is: 'an array of strings',
  example,
});

/** A list of objects whose members are not shown. */
export const objects = (says: string, example: readonly object[]): Value => ({
  ...list(says, { kind: 'object', is: 'an object', says: '', example: {} }),
  example,
});

/** The list of a page, whose records have a resource of their own. */
export const records = (says: string, more?: Particulars): Value => ({
  kind: 'list',
  is: 'an array',
  says,
  example: [],
  ...more,
});

/** The same value, or null when `when`: a clause says so, or ruling 3. */
export const orNull = (value: Value, when = ''): Value => ({
  ...value,
  is: `${value.is}, or null${when === '' ? '' : ` ${when}`}`,
  nullable: true,
});

/** The same value, which may not exist or not be known (ruling 3). */
export const orUnknown = (value: Value): Value => ({ ...value, mayNotExist: true });

/** A whole record as its fields make it, and the further ones. */
export const examplesOf = ({ fields, examples = [] }: Resource): readonly unknown[] => [
  exampleOf(fields),
  ...examples.map((differing) => ({ ...exampleOf(fields), ...differing })),
];
