import { DEFECT_KINDS } from '#src/contract/defect-kinds.ts';
import type { CurveReport } from '../shown/report.ts';
import { curveSection } from '../shown/words.ts';
import { figuresOf, isFound } from './figures.ts';
import type { CaseResult, PeersReport, ToolFacts } from './report.ts';
import { SCHEMATHESIS_CONFIG } from './tuned-document.ts';

/** The page `docs/peers.md`; without figures of the curve it says nothing about it. */
export function peersDoc(report: PeersReport, curve?: CurveReport): string {
  const tools = report.tools.filter(({ cleanOnly }) => !cleanOnly);
  return `${[
    '# Side by side with a peer',
    '',
    `Written by \`npm run bench:peers\` from \`reports/peers.json\`, measured on ${report.date}${curve === undefined ? '' : ', and `reports/curve.json`'}.`,
    '',
    ...method(report),
    '',
    '## Faults found',
    '',
    ...foundTable(report, tools),
    '',
    ...summaryTable(report, tools),
    '',
    ...(curve === undefined
      ? []
      : ['## How soon faults are shown', '', ...curveSection(curve), '']),
    '## False alarms',
    '',
    ...alarms(report, tools),
    '',
    '## Where a peer is equal or better',
    '',
    ...better(report, tools),
    '',
    '## Limits of this comparison',
    '',
    ...LIMITS,
    '',
    '## Every fault of the sample',
    '',
    ...everyFault(report, tools),
    '',
    '## Command lines and settings',
    '',
    ...commands(report),
  ].join('\n')}\n`;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map(cell).join(' | ')} |`;
  return [
    line(head),
    `|${head.map((_, index) => (index === 0 ? ' --- ' : ' ---: ')).join('|')}|`,
    ...rows.map(line),
  ];
}

const cell = (value: string | number): string =>
  String(value)
    .replaceAll('|', String.raw`\|`)
    .replaceAll('<', '&lt;');

function method(report: PeersReport): string[] {
  const seeds = new Set(report.clean.map(({ seed }) => seed)).size;
  return [
    `${report.faults.length} faults of the reference server were drawn (seed ${report.seed}): every section, every class with the same weight, plain and subtle ones alternating. Each tool met each of them on a fresh server, with the same data and the same time. Requests were counted at the server.`,
    '',
    '- **Found** is meant generously: a fault counts as found when the tool reports anything, anywhere, that it never reported on the clean server. It need not name the defect.',
    `- The clean server was shown to Schemathesis with ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}, and whatever it reported with any of them does not count as a find. Failures are told apart by its own measure: operation, kind and signature.`,
    '- The rate limit (20 requests a minute and key) was lifted for the peers. Schemathesis can keep to it (`--rate-limit 20/m`), but one run of it then takes the minutes in the table. Assay met the real limit; the clock of the server was moved instead of waited for. "Minutes" is what the requests with a valid key cost on a target that keeps the limit, with one key.',
    '- Schemathesis got the generated OpenAPI document with real identifiers as examples and links between operations, tuned to this target (below), so that it raises no alarm where the specification is silent. "Small budget" is about as many requests as Assay\'s standard profile; "defaults" is all of its phases with its own numbers.',
    '- "Schema and status only" is what a collection of requests with generated tests does: one valid request for each operation, judged by status, content type and schema.',
  ];
}

function foundTable(report: PeersReport, tools: readonly ToolFacts[]): string[] {
  const figures = tools.map(({ id }) => figuresOf(report, id));
  const plain = (subtle: boolean): (string | number)[] => {
    const faults = report.faults.filter((fault) => fault.subtle === subtle);
    return [
      subtle ? 'of all: subtle' : 'of all: plain',
      faults.length,
      ...tools.map(({ id }) => faults.filter(({ results }) => isFound(results[id])).length),
    ];
  };
  return table(
    ['class', 'faults', ...tools.map(({ title }) => title)],
    [
      ...DEFECT_KINDS.map((one) => [
        one,
        figures[0]?.byClass[one][1] ?? 0,
        ...figures.map(({ byClass }) => byClass[one][0]),
      ]),
      ['**all**', report.faults.length, ...figures.map(({ found }) => `**${found}**`)],
      plain(false),
      plain(true),
    ],
  );
}

function summaryTable(report: PeersReport, tools: readonly ToolFacts[]): string[] {
  return table(
    [
      'tool',
      'found',
      'weighted',
      'requests a run',
      'with a valid key',
      'minutes a run',
      'found per 100 requests',
    ],
    tools.map(({ id, title }) => {
      const { found, of, weighted, requestsPerRun, meteredPerRun, minutes, per100 } = figuresOf(
        report,
        id,
      );
      return [
        title,
        `${found} of ${of}`,
        `${Math.round(weighted * 100)} %`,
        Math.round(requestsPerRun),
        Math.round(meteredPerRun),
        minutes.toFixed(0),
        per100.toFixed(2),
      ];
    }),
  ).concat([
    '',
    `"Weighted" gives each class its weight among all ${Object.values(report.catalogue).reduce((sum, size) => sum + size, 0)} faults of the catalogue.`,
  ]);
}

function alarms(report: PeersReport, tools: readonly ToolFacts[]): string[] {
  const onClean = (id: string): string[] => [
    ...new Set(report.clean.filter(({ tool }) => tool === id).flatMap(({ failures }) => failures)),
  ];
  const runs = (id: string): number => report.clean.filter(({ tool }) => tool === id).length;
  const hit = (id: string): number =>
    report.variants.filter(({ results }) => isFound(results[id])).length;
  const measured = new Set(tools.map(({ id }) => id));
  const details = report.tools.flatMap(({ id, title }) =>
    onClean(id).length === 0 ? [] : [`- ${title}: ${byKind(onClean(id))}`],
  );
  const variants = report.variants.flatMap(({ id, title, results }) => {
    const loud = tools.filter((tool) => isFound(results[tool.id]));
    if (loud.length === 0) return [];
    const words = loud.map((tool) => `${tool.title}: ${freshIn(results[tool.id])}`);
    return [`- \`${id}\` (${title}): ${words.join('; ')}`];
  });
  return [
    'Everything here is reported on a server that conforms: the clean one, and variants, which make another choice that the specification allows.',
    '',
    ...table(
      ['tool', 'runs on the clean server', 'different alarms there', 'variants with a new alarm'],
      report.tools.map(({ id, title }) => [
        title,
        runs(id),
        onClean(id).length,
        measured.has(id) ? `${hit(id)} of ${report.variants.length}` : 'not run',
      ]),
    ),
    ...(details.length === 0 ? [] : ['', 'On the clean server:', '', ...details]),
    ...(variants.length === 0 ? [] : ['', 'On variants:', '', ...variants]),
    '',
    'Most alarms come from the document, not from the peer: OpenAPI has no way to say "either", so where the specification is silent the document takes a side, and an implementation that takes the other is reported. That is also why the tuning had to know the target.',
  ];
}

/** `GET /a Kind 400` and others as kinds with the operations they were raised on. */
function byKind(raised: readonly string[]): string {
  const kinds = new Map<string, string[]>();
  for (const alarm of raised) {
    const [, operation = '', kind = alarm] = /^(\S+ \S+) (\S+)/.exec(alarm) ?? [];
    kinds.set(kind, [...(kinds.get(kind) ?? []), `\`${operation}\``]);
  }
  return [...kinds].map(([kind, operations]) => `${kind} on ${operations.join(', ')}`).join('; ');
}

function freshIn(result: CaseResult | undefined): string {
  if (result === undefined) return '';
  const more = result.freshCount - result.fresh.length;
  return `${result.fresh.map((one) => `\`${one}\``).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function isAssay({ id }: ToolFacts): boolean {
  return id.startsWith('assay-');
}

function better(report: PeersReport, tools: readonly ToolFacts[]): string[] {
  const ours = tools.filter(isAssay);
  const peers = tools.filter((tool) => !isAssay(tool));
  const standard = ours[0];
  if (standard === undefined) return [];
  const base = figuresOf(report, standard.id);
  const lines = peers.map(({ id, title }) => {
    const figures = figuresOf(report, id);
    const equal = DEFECT_KINDS.filter(
      (one) => figures.byClass[one][1] > 0 && figures.byClass[one][0] >= base.byClass[one][0],
    );
    const only = report.faults.filter(
      ({ results }) => isFound(results[id]) && !isFound(results[standard.id]),
    );
    const per =
      figures.per100 > base.per100 ? 'more' : figures.per100 < base.per100 ? 'fewer' : 'as many';
    return `- ${title}: finds as many or more in ${equal.length === 0 ? 'no class' : equal.map((one) => `*${one}*`).join(', ')}; ${per} finds per 100 requests than ${standard.title} (${figures.per100.toFixed(2)} to ${base.per100.toFixed(2)}); found what ${standard.title} missed: ${only.length === 0 ? 'nothing' : only.map((fault) => `\`${fault.id}\``).join(', ')}.`;
  });
  const missed = ours.map(({ id, title }) => {
    const faults = report.faults.filter(({ results }) => !isFound(results[id]));
    return `- ${title} missed: ${faults.length === 0 ? 'nothing of this sample' : faults.map((fault) => `\`${fault.id}\``).join(', ')}.`;
  });
  return [...lines, ...missed, ...STRENGTHS];
}

const STRENGTHS = [
  '- What the figures do not show: Schemathesis knows nothing of this service and works for any interface with a document, within minutes. It sends input that nobody thought of, shrinks what fails to a minimal request, and follows links. For crashes on strange input of parts that the specification does not describe, use it beside Assay; `schemas/openapi.json` is there for that.',
];

const LIMITS = [
  '- The faults were written together with Assay, and each of them must turn a requirement red before it is kept (`npm run prove`). That Assay finds nearly all of them is therefore expected, and no estimate of what it finds in an unknown implementation. What can be compared is which kinds of defects the other tools see at all, and for how many requests.',
  '- The document is generated from the same facts as the suites. A document written by someone else may be weaker or, where it is written for one implementation, stronger.',
  '- Hooks and own checks of Schemathesis were not used: relations written there would be the oracles of Assay once more.',
  '- Faults of the rate limit, its refusals and the quota cannot be seen with the limit lifted; none of the checks of the peers is about a limiter, so nothing was taken from them but the documented shape of a 429. Nor do they meet faults that show only after the reset of a window: their runs mostly end before it.',
  '- Each fault was met with one seed. Another one may find others.',
];

function everyFault(report: PeersReport, tools: readonly ToolFacts[]): string[] {
  return table(
    ['fault', 'class', 'kind', ...tools.map(({ title }) => title)],
    report.faults.map(({ id, section, class: one, subtle, results }) => [
      `\`${id}\` (§${section})`,
      one,
      subtle ? 'subtle' : 'plain',
      ...tools.map((tool) => mark(results[tool.id])),
    ]),
  );
}

function mark(result: CaseResult | undefined): string {
  if (isFound(result)) return 'found';
  return result?.trouble === undefined ? '–' : 'no result';
}

function commands(report: PeersReport): string[] {
  const versions = Object.entries(report.versions).map(([name, version]) => `${name} ${version}`);
  return [
    `Versions: ${versions.join(', ')}.`,
    '',
    ...report.tools.flatMap(({ title, command, open }) => [
      `${title}${open ? '' : ' (rate limit in place)'}:`,
      '',
      '```sh',
      command,
      '```',
      '',
    ]),
    'The tuned document is `schemas/openapi.json` with: a pattern for identifiers of currencies; the names that the reference server sorts by in `order_by`; no minimum length of `exchange` and `project_id`; page numbers of at most fifteen digits; the `keyword` of `/news/search`. `schemathesis.toml`:',
    '',
    '```toml',
    SCHEMATHESIS_CONFIG.trimEnd(),
    '```',
    '',
    'Checks of Schemathesis: all that are on by default, but for the two about methods that the specification does not mention.',
  ];
}
