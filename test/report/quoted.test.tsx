import { describe, expect, it } from 'vitest';
import { groupCauses } from '../../src/report/causes.ts';
import { pageData } from '../../src/report/html/data.ts';
import { renderHtml } from '../../src/report/html/page.tsx';
import { renderView } from '../../src/report/html/render.ts';
import type { Results } from '../../src/report/results.ts';
import type { Specification } from '../../src/report/quotations.ts';
import { Requirement } from '../../src/report/view/requirement.tsx';
import { makeResults } from './fixture.ts';
import { HIDDEN, HOSTILE } from './hostile.ts';

const results = makeResults();
const ID = '4.3/unlisted';

function specification(text: string, isSame = true): Specification {
  const quotations = [
    { clause: '4.3 rule 2', text },
    { clause: '7 400001', text: `second ${text}` },
  ];
  return {
    sha256: 'ab'.repeat(32),
    isSame,
    clauses: 10,
    found: 7,
    quotations: new Map([[ID, quotations]]),
  };
}

/** The same run with nothing but the requirement: its card is the same, and hundreds of pages are written. */
const small: Results = {
  ...results,
  requirements: results.requirements.filter(({ id }) => id === ID),
  exchanges: results.exchanges.filter(({ id }) => id === 'x2' || id === 'x3'),
};

/** The card of the requirement, as it is written into the page. */
function card(named?: Specification, run = results): string {
  const html = renderHtml(run, named === undefined ? {} : { specification: named });
  const cards = html.split('<article').slice(1);
  return cards.find((one) => one.includes(`#r-${ID}"`))?.split('</article>')[0] ?? '';
}

function view(named?: Specification, run = results): string {
  const { data } = pageData(run, groupCauses(run), named);
  const requirement = data.requirements.find(({ id }) => id === ID);
  if (requirement === undefined) throw new Error(`the fixture has no ${ID}`);
  return renderView(() => <Requirement data={data} requirement={requirement} />);
}

describe('a report that quotes the specification', () => {
  it('has the first quotation on the card, beside its own words, and all at the requirement', () => {
    const words = 'what a user has in a file';
    expect(card(specification(words))).toMatch(
      /class="claim"[^]*<blockquote class="quoted">[^]*4\.3 rule 2[^]*what a user has in a file/,
    );
    expect(card(specification(words))).not.toContain(`second ${words}`);
    expect(view(specification(words))).toContain(`second ${words}`);
  });

  it('is as it was where no specification is named', () => {
    for (const html of [card(), view()]) {
      expect(html.length).toBeGreaterThan(100);
      expect(html).not.toContain('quoted');
    }
    const named = card(specification('words'));
    expect(named.replace(/<blockquote.*?<\/blockquote>/g, '')).toBe(card());
  });

  it('says which version is quoted where it is another one', () => {
    const other = specification('words', false);
    const said = 'This specification (abababababab) is not the version that Assay was written for';
    expect(view(other)).toContain(said);
    const page = renderHtml(results, { specification: other });
    expect(page.split(said).length).toBeGreaterThan(2);
    expect(renderHtml(results, { specification: specification('words') })).not.toContain(said);
  });

  it('is bounded on the card', () => {
    const quote = /<blockquote[^]*?<\/blockquote>/.exec(card(specification('long '.repeat(120))));
    expect(quote?.[0].length).toBeLessThan(400);
  });

  const tags = (html: string): readonly string[] => html.match(/<[a-z/][^>]*>/gi) ?? [];
  const plain = specification('plain');
  const [ofCard, ofView] = [tags(card(plain, small)), tags(view(plain, small))];

  it('is the same card in a run of nothing else', () => {
    expect(ofCard.length).toBeGreaterThan(0);
    expect(ofCard).toEqual(tags(card(plain)));
  });

  it.each(HOSTILE)('takes %j for text', (text) => {
    const shown = card(specification(text), small);
    expect(tags(shown)).toEqual(ofCard);
    expect(tags(view(specification(text), small))).toEqual(ofView);
    expect(shown).not.toMatch(HIDDEN);
  });
});
