import { behindTexts } from './behind.ts';
import { curveTable, POINTS, type Curve } from './curve.ts';
import type { CurveReport } from './report.ts';

const percentAt = ({ shown, faults }: Curve, point: (typeof POINTS)[number]): string =>
  percent(shown[POINTS.indexOf(point)] ?? 0, faults);

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;

/** The figures in one sentence. */
export function curveSentence({ curves, common }: CurveReport): string {
  const [assay, ...others] = curves;
  const [same, ...peers] = common.curves;
  if (assay === undefined || same === undefined) return '';
  const met = new Set(others.map(({ tool }) => tool));
  const cheap = others.map(
    (one) => `, a collection of ${one.tool} ${inTheEnd(one)} after its ${one.requests}`,
  );
  const dear = peers
    .filter(({ tool }) => !met.has(tool))
    .map(
      (one) =>
        `; ${one.tool}: ${percentAt(one, 100)}, and ${inTheEnd(one)} after its ${one.requests}`,
    );
  return `Of ${assay.faults} faults that its order of requests was not made for, Assay shows ${percentAt(assay, 20)} after 20 requests with a valid key, ${percentAt(assay, 31)} after 31 and ${percentAt(assay, 100)} after 100${cheap.join('')}; of ${common.faults.length} of them that all tools met, Assay shows ${percentAt(same, 100)} after 100 requests${dear.join('')}.`;
}

const inTheEnd = ({ all, faults }: Curve): string => percent(all, faults);

/** The passage of the README about the curve, between its marks. */
export const readmePassage = (report: CurveReport): string =>
  `![${pictureWords(report)}](docs/curve.svg)\n\n${curveSentence(report)}`;

/** A short title of the picture, in the place of it and as its title. */
export function pictureWords({ common }: CurveReport): string {
  const tools = common.curves.map(({ tool }) => tool);
  return `Share of the faults that are shown after so many requests, by ${tools.slice(0, -1).join('; ')} and ${tools.at(-1) ?? ''}`;
}

const START = '<!-- The curve: written by npm run docs from reports/curve.json. -->';
const END = '<!-- End of the curve. -->';

/**
 * A README with the passage about the curve as the figures make it.
 * @throws Error when the marks are missing
 */
export function withCurve(readme: string, report: CurveReport): string {
  const from = readme.indexOf(START);
  const to = readme.indexOf(END);
  if (from === -1 || to < from) throw new Error(`The README has no place for the curve: ${START}`);
  return `${readme.slice(0, from + START.length)}\n\n${readmePassage(report)}\n\n${readme.slice(to)}`;
}

/** The section of `docs/peers.md` about the curve. */
export function curveSection(report: CurveReport): string[] {
  const { curves, common, drawnFrom, seed, date } = report;
  const behind = behindTexts([curves, common.curves]);
  return [
    `![${pictureWords(report)}](curve.svg)`,
    '',
    curveSentence(report),
    '',
    `Measured on ${date}. These are other faults than above: made by operators from the facts, each a stated clause broken at one place. Half of them chose the order of Assay's requests (\`npm run prove -- --order\`), and the other half, ${drawnFrom} faults, only measures it. From that half ${curves[0]?.faults ?? 0} were drawn (seed ${seed}), every kind at every endpoint in turn, and the first ${common.faults.length} of them were shown to all tools.`,
    '',
    '- **Requests** are those with a valid key, which a limiter meters, in the order in which the server saw them; what a tool sends to feel its way counts, too.',
    '- **Assay** shows a fault as soon as the answers so far break a must. Its requests are those of a clean run of all profiles, answered by the faulty server; faults that this does not show are shown to real runs of smoke, standard and full, and count after all that the profile may send.',
    '- **Schemathesis** shows a fault with the first request for which it reports a failure that it never reported on the clean server, with any of three seeds. It names the test case of a failure, and the request bears the same name, so the server knows its place. Settings and command lines are those below, with `--report ndjson` added. The limit is lifted for it, as above.',
    '- **One request an endpoint** is "schema and status only" from above, in the order of the document.',
    '- **APFD** is the average share of faults shown, over the first hundred requests.',
    '',
    `All ${curves[0]?.faults ?? 0} faults:`,
    '',
    curveTable(curves),
    '',
    `The same ${common.faults.length} faults for all tools:`,
    '',
    curveTable(common.curves),
    '',
    behind.length === 0
      ? 'At every one of these budgets, and in the end, Assay shows more of the same faults than each other tool that shows any.'
      : `Assay does not show more of the same faults everywhere: ${behind.join('; ')}.`,
    ...(common.troubles.length === 0
      ? []
      : ['', 'Runs without a result:', '', ...common.troubles.map((one) => `- ${one}`)]),
  ];
}
