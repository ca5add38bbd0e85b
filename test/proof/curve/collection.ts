import { createWorld } from '#src/reference/data/world.ts';
import { createReference, standingClock } from '#src/reference/reference.ts';
import { TRADING_DAY } from '../kill/deployments.ts';
import { collectionOf, firstExample, type Collection } from '../peers/collection.ts';
import { tunedDocument } from '../peers/tuned-document.ts';

/** A limit that no collection reaches. */
const MANY = 1_000_000;

/** A collection of one request an endpoint, judged by status, content type and schema, as people write it by hand. */
export class PlainCollection {
  readonly #collection: Collection = collectionOf(
    // The document is the one that the comparison with peers uses.
    tunedDocument() as unknown as Collection['document'],
  );
  readonly #world = createWorld(1);

  /** After how many requests it shows a fault; null when it never does. */
  shownAfter(fault: string): number | null {
    const server = createReference({
      clock: standingClock(TRADING_DAY),
      world: this.#world,
      limit: MANY,
      faults: [fault],
    });
    const key = server.keys.valid[0] ?? '';
    const { document, check } = this.#collection;
    for (const [index, [path, { get }]] of Object.entries(document.paths).entries()) {
      const { status, headers, body } = server.handle({
        method: 'GET',
        path: `/v1${firstExample(path, get.parameters ?? [])}`,
        headers: { 'X-API-KEY': key },
      });
      const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
      const isJson = /^application\/json\b/.test(type?.[1] ?? '');
      if (status !== 200 || !isJson || check(path, body ?? '').length > 0) return index + 1;
    }
    return null;
  }
}
