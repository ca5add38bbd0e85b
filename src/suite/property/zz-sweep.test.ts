import { afterEach, expect, it } from 'vitest';
import { listVariants } from '../../reference/reference.ts';
import { FakeSession } from '../../../test/property/fake-session.ts';
import { CASES } from './cases.ts';
import { PROPERTIES } from './catalogue.ts';
import { Laboratory } from './laboratory.ts';
import { search } from './search.ts';
import { Tokens } from './tokens.ts';
afterEach(() => undefined);
const S = Number(process.env['S'] ?? 11);
const all = [
  [],
  ...listVariants()
    .filter(({ id }) => id !== 'wrapped-body')
    .map(({ id }) => [id]),
];
it.each(all)(
  'variant %s',
  async (...variants) => {
    const bad: string[] = [];
    for (const { name } of PROPERTIES) {
      const session = new FakeSession({ variants, seed: S });
      const tokens = new Tokens(35);
      const laboratory = new Laboratory(session, tokens);
      const r = await search({
        kinds: CASES[name],
        attempt: laboratory.try.bind(laboratory),
        seed: S,
        tokens,
      });
      bad.push(
        ...[...r.seen.values()].map(
          (f) =>
            `${name} ${f.requirement} ${f.message} | ${f.expected} | ${f.actual} | ${session.sent.find(({ id }) => id === f.exchange)?.request.url}`,
        ),
      );
    }
    expect(bad).toEqual([]);
  },
  120_000,
);
