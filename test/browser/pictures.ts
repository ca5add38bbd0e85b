import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { writeSmall } from './small-png.ts';

/** How far two colours may be apart (0 to 1) and still be the same. */
const THRESHOLD = 0.2;
/** Share of all pixels that may differ: what another patch version of Chromium draws at edges stays far below it. */
const SHARE = 0.015;
/**
 * Share of the pixels of one tile that may differ, and its side, px: of a large picture a missing line is a thousandth,
 * and one square of another colour less, but not of the tiles where they are. Letters that are spaced in another way
 * come to 3.5 %, a missing line to 6.6 %.
 */
const TILE_SHARE = 0.05;
const TILE = 32;
/** Pixels by which a side may be longer or shorter: rounding of what stands above. */
const SIDE = 4;

const KEPT = fileURLToPath(new URL('golden/', import.meta.url));
/** Left out of the repository, as all own runs in this folder are. */
const SEEN = fileURLToPath(new URL('../../reports/golden/', import.meta.url));

const fonts = path.dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json'));

function face(family: string, weight: number, file: string): string {
  const base64 = readFileSync(path.join(fonts, 'ttf', file)).toString('base64');
  return `@font-face { font-family: '${family}'; font-weight: ${weight}; src: url(data:font/ttf;base64,${base64}); }`;
}

/** Letters that are the same on every machine: the report takes those of the system. */
function sameLetters(): string {
  return [
    face('Pictured', 400, 'DejaVuSans.ttf'),
    face('Pictured', 700, 'DejaVuSans-Bold.ttf'),
    face('Pictured Mono', 400, 'DejaVuSansMono.ttf'),
    face('Pictured Mono', 700, 'DejaVuSansMono-Bold.ttf'),
    // Placed as they are designed, and not as the machine is set to hint them.
    "* { font-family: 'Pictured' !important; text-rendering: geometricPrecision !important; }",
    ":is(code, pre, .id, time), :is(code, pre, .id, time) * { font-family: 'Pictured Mono' !important; }",
  ].join('\n');
}

/** Arguments for a browser that draws letters and colours the same whatever the machine is set to. */
export const SAME_DRAWING = [
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--disable-font-subpixel-positioning',
  '--force-color-profile=srgb',
];

/** Gives a page letters that are the same on every machine. The page must allow foreign styles (`bypassCSP`). */
export async function useSameLetters(page: Page): Promise<void> {
  await page.addStyleTag({ content: sameLetters() });
  await page.evaluate('Promise.all([...document.fonts].map((one) => one.load()))');
}

/** What to take a picture of. */
export interface Shot {
  /** The element; null for the first screen. */
  readonly selector: string | null;
  /** Greatest height, px. */
  readonly height: number;
}

/** A picture of an element, or of the first screen, as the bytes of a PNG. */
export async function take(page: Page, { selector, height }: Shot): Promise<Buffer> {
  await page.evaluate("scrollTo({ top: 0, behavior: 'instant' })");
  const width = page.viewportSize()?.width ?? 0;
  const box =
    selector === null
      ? { x: 0, y: 0, width, height }
      : await page.locator(selector).first().boundingBox();
  if (box === null) throw new Error(`Nothing to take a picture of: ${String(selector)}`);
  const x = Math.max(0, Math.floor(box.x));
  const clip = {
    x,
    y: Math.floor(box.y),
    width: Math.min(width - x, Math.ceil(box.width)),
    height: Math.min(height, Math.ceil(box.height)),
  };
  // Of the whole page: what is scrolled to would lie under the navigation.
  const png = await page.screenshot({ fullPage: true, clip, animations: 'disabled' });
  return writeSmall(PNG.sync.read(png));
}

/** What differs between two pictures. */
export interface Difference {
  /** Share of all pixels that differ, 0 to 1. */
  readonly share: number;
  /** Share of the pixels of the tile that differs most, 0 to 1. */
  readonly tile: number;
  /** Why it is more than can be tolerated; null when it is not. */
  readonly tooMuch: string | null;
  /** The picture of the difference, as the bytes of a PNG. */
  picture(): Buffer;
}

/** The picture on a ground of the given size, filled with the colour of its own corner. */
function padded(png: PNG, width: number, height: number): PNG {
  const out = new PNG({ width, height });
  const corner = png.data.subarray(0, 4);
  for (let at = 0; at < out.data.length; at += 4) out.data.set(corner, at);
  PNG.bitblt(png, out, 0, 0, png.width, png.height, 0, 0);
  return out;
}

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

/** Compares two pictures, with a tolerance for edges and for a few pixels of size. */
export function compare(golden: Buffer, actual: Buffer): Difference {
  const [one, other] = [PNG.sync.read(golden), PNG.sync.read(actual)];
  const width = Math.max(one.width, other.width);
  const height = Math.max(one.height, other.height);
  const mask = new PNG({ width, height });
  const [left, right] = [padded(one, width, height).data, padded(other, width, height).data];
  pixelmatch(left, right, mask.data, width, height, { threshold: THRESHOLD, diffMask: true });
  const columns = Math.ceil(width / TILE);
  const tiles = new Uint16Array(columns * Math.ceil(height / TILE));
  let count = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      // Edges that are only smoothed in another way are yellow there, and do not count.
      if (mask.data[at + 3] === 0 || mask.data[at + 1] !== 0) continue;
      count += 1;
      const index = Math.floor(y / TILE) * columns + Math.floor(x / TILE);
      tiles[index] = (tiles[index] ?? 0) + 1;
    }
  }
  const share = count / (width * height);
  const tile = Math.max(...tiles) / TILE ** 2;
  const size = ({ width: across, height: down }: PNG): string => `${across} × ${down}`;
  const sides = Math.max(Math.abs(one.width - other.width), Math.abs(one.height - other.height));
  const reasons = [
    ...(sides > SIDE ? [`it is ${size(other)} px and not ${size(one)}`] : []),
    ...(share > SHARE ? [`${percent(share)} of its pixels differ`] : []),
    ...(tile > TILE_SHARE ? [`in one place ${percent(tile)} of the pixels differ`] : []),
  ];
  const tooMuch = reasons.length === 0 ? null : reasons.join('; ');
  return { share, tile, tooMuch, picture: () => PNG.sync.write(mask) };
}

/** What continuous integration sets. */
const inCi = (process.env['CI'] ?? '') !== '';
/** `ASSAY_GOLDEN=update` writes the pictures anew. */
const updating = process.env['ASSAY_GOLDEN'] === 'update';

function write(folder: string, name: string, bytes: Buffer): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return path.relative(process.cwd(), file);
}

/**
 * What is wrong with a picture; null when it is as the one that is kept. One that is missing is kept, but in continuous
 * integration, where nobody would look at it.
 */
export function judge(name: string, actual: Buffer): string | null {
  const kept = path.join(KEPT, `${name}.png`);
  const [seenName, differenceName] = [`${name}.actual.png`, `${name}.diff.png`];
  for (const old of [seenName, differenceName]) rmSync(path.join(SEEN, old), { force: true });
  if (updating || (!existsSync(kept) && !inCi)) {
    // One that is the same within the tolerance stays: it would only be another file to look at.
    if (existsSync(kept) && compare(readFileSync(kept), actual).tooMuch === null) return null;
    process.stderr.write(`written: ${write(KEPT, `${name}.png`, actual)}\n`);
    return null;
  }
  if (!existsSync(kept)) {
    return `${path.relative(process.cwd(), kept)} is missing; \`npm run golden\` makes it, this is ${write(SEEN, seenName, actual)}`;
  }
  const { tooMuch, picture } = compare(readFileSync(kept), actual);
  if (tooMuch === null) return null;
  const seen = write(SEEN, seenName, actual);
  const difference = write(SEEN, differenceName, picture());
  return `${path.relative(process.cwd(), kept)}: ${tooMuch}. Compare ${seen} and ${difference}; \`npm run golden\` if it is meant.`;
}
