import { crc32, deflateSync } from 'node:zlib';
import type { PNG } from 'pngjs';

/** Steps of a colour channel, all of which divide 255: the first is taken that leaves few enough colours. */
const STEPS = [1, 3, 5, 15, 17, 51];
/** Colours of a palette. */
const MOST = 256;

const HEAD = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/** A palette and the index of each pixel, row by row with a leading zero; null when there are too many colours. */
function indexed({ width, height, data }: PNG, step: number): [number[], Buffer] | null {
  const near = (at: number): number => Math.round((data[at] ?? 0) / step) * step;
  const known = new Map<number, number>();
  const rows = Buffer.alloc((width + 1) * height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const colour = (near(pixel * 4) << 16) | (near(pixel * 4 + 1) << 8) | near(pixel * 4 + 2);
    const index = known.get(colour) ?? known.size;
    if (index >= MOST) return null;
    known.set(colour, index);
    rows[pixel + Math.floor(pixel / width) + 1] = index;
  }
  return [[...known.keys()].flatMap((one) => [one >> 16, (one >> 8) & 255, one & 255]), rows];
}

/**
 * Writes a picture with a palette, as a third of the bytes: pictures of pages are kept in the repository, and most of
 * their colours are shades of smoothed letters.
 * @throws RangeError when the coarsest step leaves too many
 */
export function writeSmall(png: PNG): Buffer {
  for (const step of STEPS) {
    const found = indexed(png, step);
    if (found === null) continue;
    const header = Buffer.alloc(13);
    header.writeUInt32BE(png.width, 0);
    header.writeUInt32BE(png.height, 4);
    // Eight bits a pixel, by palette.
    header.set([8, 3], 8);
    return Buffer.concat([
      HEAD,
      chunk('IHDR', header),
      chunk('PLTE', Uint8Array.from(found[0])),
      chunk('IDAT', deflateSync(found[1], { level: 9 })),
      chunk('IEND', new Uint8Array()),
    ]);
  }
  throw new RangeError('A picture of a page has no more than some shades of some colours.');
}
