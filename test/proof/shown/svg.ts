import { POINTS, type Curve } from './curve.ts';
import type { CurveReport } from './report.ts';
import { curveSentence, pictureWords } from './words.ts';

const WIDTH = 840;
const HEIGHT = 360;
const LEFT = 56;
const RIGHT = 276;
const TOP = 40;
const BOTTOM = 48;

/** Least distance between the names of two curves. */
const LINE_HEIGHT = 17;

/** How a curve looks. Without colour, dashes and the shape of its marks tell it from others. */
interface Look {
  /** On a white and on a dark ground. */
  readonly colors: readonly [light: string, dark: string];
  readonly dash: string;
  /** Path of a mark around a point. */
  readonly mark: string;
}

const LOOKS: readonly Look[] = [
  {
    colors: ['#0057b8', '#6cb6ff'],
    dash: 'none',
    mark: 'm-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0',
  },
  { colors: ['#a64b00', '#f0a35e'], dash: '7 4', mark: 'm-4-4h8v8h-8z' },
  { colors: ['#00705a', '#4cc3a0'], dash: '2 4', mark: 'm0-5l5 9h-10z' },
  { colors: ['#7c3aed', '#c297ff'], dash: '10 3 2 3', mark: 'm0-5l5 5l-5 5l-5-5z' },
];

/**
 * The curves as a picture for documents: requests to the right, share of faults shown upwards. It brings its own ground,
 * light or dark as the reader's system asks, since a page does not say which one it has.
 */
export function curveSvg(report: CurveReport): string {
  const curves = drawn(report);
  const most = Math.max(...POINTS);
  const x = (sent: number): number => round(LEFT + ((WIDTH - LEFT - RIGHT) * sent) / most);
  const y = (share: number): number => round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share);
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    `<path class="grid" d="M${LEFT} ${y(share)}H${WIDTH - RIGHT}"/>`,
    `<text x="${LEFT - 8}" y="${y(share) + 4}" text-anchor="end">${100 * share} %</text>`,
  ]);
  const ticks = [0, 20, 50, 100, 150, 200].map(
    (sent) =>
      `<text x="${x(sent)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${sent}</text>`,
  );
  const names = spread(curves.map(({ shown, faults }) => y((shown.at(-1) ?? 0) / faults)));
  const lines = curves.flatMap(({ tool, faults, shown }, index) => {
    const { dash, mark } = lookOf(index);
    const points = POINTS.map((point, at) => [x(point), y((shown[at] ?? 0) / faults)] as const);
    const line = [[x(0), y(0)] as const, ...points].map((at) => at.join(' ')).join('L');
    return [
      `<g class="curve c${index}">`,
      `<path d="M${line}" stroke-dasharray="${dash}"/>`,
      `<path class="mark" d="${points.map((at) => `M${at.join(' ')}${mark}`).join('')}"/>`,
      `<path class="mark" d="M${WIDTH - RIGHT + 14} ${(names[index] ?? 0) - 4}${mark}"/>`,
      `<text x="${WIDTH - RIGHT + 24}" y="${names[index] ?? 0}">${escaped(tool)}, ${faults} faults</text>`,
      '</g>',
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-labelledby="title desc" font-family="system-ui, sans-serif" font-size="12">`,
    `<title id="title">${escaped(pictureWords(report))}</title>`,
    `<desc id="desc">${escaped(curveSentence(report))}</desc>`,
    `<style>${style(curves.length)}</style>`,
    `<rect class="ground" width="${WIDTH}" height="${HEIGHT}" rx="6"/>`,
    '<text x="12" y="20">faults shown</text>',
    ...grid,
    ...ticks,
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">requests with a valid key</text>`,
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}

/** Tools that cost little on the whole sample, the others on the part of it that all tools met. */
function drawn({ curves, common }: CurveReport): readonly Curve[] {
  const whole = new Set(curves.map(({ tool }) => tool));
  return [...curves, ...common.curves.filter(({ tool }) => !whole.has(tool))];
}

/** Heights of names beside their curves, moved apart where they would cover each other. */
function spread(heights: readonly number[]): readonly number[] {
  const placed = [...heights];
  let free = Number.NEGATIVE_INFINITY;
  for (const [index, height] of [...heights.entries()].toSorted(([, a], [, b]) => a - b)) {
    const at = Math.max(height + 4, free);
    placed[index] = round(at);
    free = at + LINE_HEIGHT;
  }
  return placed;
}

function style(curves: number): string {
  const rules = (theme: 0 | 1, ground: string, text: string): string =>
    [
      `.ground{fill:${ground}}`,
      `text{fill:${text}}`,
      `.grid{stroke:${text};stroke-opacity:.3}`,
      ...Array.from({ length: curves }, (_, index) => {
        const color = lookOf(index).colors[theme];
        return `.c${index} path{stroke:${color}}.c${index} .mark,.c${index} text{fill:${color}}`;
      }),
    ].join('');
  return `.curve path{fill:none;stroke-width:2}.curve .mark{stroke-width:0}${rules(0, '#ffffff', '#57606a')}@media (prefers-color-scheme:dark){${rules(1, '#0d1117', '#9da7b3')}}`;
}

const lookOf = (index: number): Look => LOOKS[index % LOOKS.length] as Look;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const round = (value: number): number => Math.round(value * 10) / 10;
