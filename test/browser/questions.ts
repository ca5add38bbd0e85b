/** One thing that must be seen when a question is answered. */
export interface Answer {
  /** Selector of the smallest place that holds the answer. */
  readonly at: string;
  readonly says: RegExp;
}

/** A question that a reviewer asks of a report, and how it is answered. A row of the table in docs/report.md. */
export interface Question {
  readonly reviewer: string;
  readonly question: string;
  /** What is clicked, from the first screen on: the words of the document, and what they stand for. At most two. */
  readonly clicks: readonly (readonly [words: string, selector: string])[];
  readonly answer: readonly Answer[];
}

const FINDING = 'article.finding:has(h4:has-text("wrong code"))';
const THE_FINDING = ['the line of the finding', '.index a:has-text("wrong code")'] as const;
const COPY = ['_Copy_', `${FINDING} details.copy > summary`] as const;
const section = (name: string): readonly [string, string] => [
  `_${name}_`,
  `nav a:text-is("${name}")`,
];

/** The fifteen questions, three of each reviewer, in the order of the document. */
export const QUESTIONS: readonly Question[] = [
  {
    reviewer: 'CI engineer',
    question: 'Why is the build red?',
    clicks: [],
    answer: [
      {
        at: '.verdict .failing',
        says: /^Exit code 1: violated: 5\/key-required, [^]*4\.3\/unlisted/,
      },
    ],
  },
  {
    reviewer: 'CI engineer',
    question: 'What is new since the last run?',
    clicks: [['_new violations_', '.box-since a[href="#changes-new-violation"]']],
    answer: [
      { at: '#changes h3#changes-new-violation', says: /\d+ new violations?/ },
      {
        at: '#changes tr:has(a[href="#r-4.3/unlisted"])',
        says: /GET \/etfs\/summary-history answers with the wrong code/,
      },
    ],
  },
  {
    reviewer: 'CI engineer',
    question: 'How do I rerun just this check?',
    clicks: [THE_FINDING, COPY],
    answer: [
      {
        at: `${FINDING} details.copy pre.command:has-text("assay run")`,
        says: /^assay run --base-url \S+ --seed 7 --only 4\.3\/unlisted$/,
      },
    ],
  },
  {
    reviewer: 'implementer',
    question: 'Which request shows the violation?',
    clicks: [THE_FINDING, COPY],
    answer: [
      {
        at: `${FINDING} details.copy pre.command >> nth=0`,
        says: /^curl [^]*summary-history\?symbol=LTC&country_code=HK/,
      },
    ],
  },
  {
    reviewer: 'implementer',
    question: 'Which line of the body is wrong, and what was expected?',
    clicks: [THE_FINDING],
    answer: [
      { at: `${FINDING} .place mark >> nth=0`, says: /"code": 400003/ },
      { at: `${FINDING} .expected`, says: /code 400001/ },
    ],
  },
  {
    reviewer: 'implementer',
    question: 'What is the usual cause?',
    clicks: [THE_FINDING],
    answer: [{ at: `${FINDING} .advice:has-text("Usual causes")`, says: /Usual causes \S+ \S+/ }],
  },
  {
    reviewer: 'release lead',
    question: 'Can we ship: what was verified, and what not?',
    clicks: [],
    answer: [
      { at: '.verdict .word', says: /VIOLATES/ },
      { at: '.verdict .sentence', says: /musts are violated; 16 verified, 7 not verified/ },
      { at: '.box-gaps', says: /Not verified: \d+ of \d+[^]*needs keys\.expired/ },
    ],
  },
  {
    reviewer: 'release lead',
    question: 'Is this run worse than the last one?',
    clicks: [],
    answer: [{ at: '.box-since ul', says: /\+ \d+ new violations?/ }],
  },
  {
    reviewer: 'release lead',
    question: 'Who waived what, and until when?',
    clicks: [['_1 waived_', '.verdict a.chip.waived']],
    answer: [
      { at: 'table.waivers tbody tr', says: /4\.4\/volume[^]*applied[^]*Ada[^]*2027-01-01/ },
    ],
  },
  {
    reviewer: 'security reviewer',
    question: 'Which role of key gets what at which endpoint?',
    clicks: [['_Access by key role_', '.box-keys a']],
    answer: [
      { at: 'table.access thead tr', says: /valid[^]*expired/ },
      {
        at: 'table.access tr:has(th:has-text("/news/hot")) td.failed',
        says: /^✗[^]*expected status 401[^]*200/,
      },
    ],
  },
  {
    reviewer: 'security reviewer',
    question: 'Are bad keys refused everywhere?',
    clicks: [],
    answer: [
      {
        at: '.box-keys',
        says: /Invalid keys were refused in \d+ of \d+ pairs of key and endpoint, [^]*1 accepted/,
      },
    ],
  },
  {
    reviewer: 'security reviewer',
    question: 'Does the report contain a key?',
    clicks: [['_Run_', '.byline a[href="#run"]']],
    answer: [
      { at: '#run dt:text-is("Redacted") + dd', says: /the key header of \d+ requests/ },
      { at: '#run dt:text-is("Keys") + dd', says: /key-a1b2/ },
    ],
  },
  {
    reviewer: 'owner of the specification',
    question: 'Where does the text contradict itself, which form was seen, and how often?',
    clicks: [section('Behaviour')],
    answer: [
      {
        at: 'table.contradictions tbody tr',
        says: /7\/code-form[^]*six digits[^]*seen 2 times: x2, x3[^]*five digits[^]*seen 1 time: x60[^]*both forms/,
      },
    ],
  },
  {
    reviewer: 'owner of the specification',
    question: 'Which clauses are not covered?',
    clicks: [['_clauses not covered_', '.box-gaps a[href="#clauses"]']],
    answer: [
      { at: '#clauses', says: /Clauses not covered: \d+ of \d+/ },
      { at: '#clauses ~ ul >> nth=0', says: /§1 Service, \d+: / },
    ],
  },
  {
    reviewer: 'owner of the specification',
    question: 'Which rulings decided an outcome?',
    clicks: [section('Behaviour'), ['_what each ruling decided_', '#behaviour a[href="#rulings"]']],
    answer: [
      { at: '#rulings', says: /Rulings/ },
      {
        at: '#legend .rulings li >> nth=6',
        says: /applied to 1 requirement: ✗ 1 failed; violated or warned: 5\/key-required/,
      },
    ],
  },
];

/** Clicks as the document writes them. */
export const clicksWritten = ({ clicks }: Question): string =>
  clicks.length === 0 ? 'none' : clicks.map(([words]) => words).join(', ');
