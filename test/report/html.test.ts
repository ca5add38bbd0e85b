import { createHash } from 'node:crypto';
import { gzipSync, inflateRawSync } from 'node:zlib';
import * as fc from '../fast-check.ts';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { describe, expect, it } from 'vitest';
import { REQUIREMENTS } from '../../src/requirements/catalogue.ts';
import { withKeyNames } from '../../src/report/model/key-names.ts';
import { renderHtml, renderHtmlFolder } from '../../src/report/page/page.tsx';
import { assets } from '../../src/report/page/assets.ts';
import { makeExchange, makeRequirement, makeResults } from './fixture.ts';
import { HIDDEN, HOSTILE } from './hostile.ts';
import { anyText } from '../../src/suite/property/values.ts';

type Element = DefaultTreeAdapterTypes.Element;

function elements(page: string): readonly Element[] {
  const found: Element[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('tagName' in node) found.push(node);
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parse(page));
  return found;
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((one) => one.name === name)?.value;
}

/** Elements and their attribute names: what a text could add to, were it not escaped. */
function outline(all: readonly Element[]): readonly string[] {
  return all.map(({ tagName, attrs }) => `${tagName} ${attrs.map(({ name }) => name).join(' ')}`);
}

/** Without the text of script and style, which is the same in every page and takes a parser long. */
function withoutCode(page: string): string {
  const { script, style } = assets();
  return page.replace(script, () => '').replace(style, () => '');
}

/** Hostile texts, as many on one page as its places show whole: they show at least 120 characters. */
const HOSTILE_PAGES = HOSTILE.reduce<readonly string[]>((pages, text) => {
  const last = pages.at(-1) ?? '';
  return last.length + text.length < 110
    ? [...pages.slice(0, -1), `${last} ${text}`]
    : [...pages, text];
}, []);

const page = renderHtml(makeResults());
const pageOutline = outline(elements(withoutCode(page)));

describe('renderHtml', () => {
  it('shows the verdict and every requirement', () => {
    expect(page).toContain('<h2 class="word">VIOLATES, 1 violated and waived</h2>');
    expect(page).toContain('7 of 30 musts are violated');
    const rows = new Set(elements(page).map((element) => attribute(element, 'id')));
    for (const { id } of makeResults().requirements) expect(rows).toContain(`r-${id}`);
  });

  it('refers to no file that may not have been written', () => {
    expect(page).toMatch(/all bodies are in <code>results.json<.code>\./);
  });

  it('has an element for each link, however many exchanges there are', () => {
    const headers = { 'x-ratelimit-reset': '1795674145500' };
    const exchanges = Array.from({ length: 900 }, (_, index) =>
      makeExchange(index + 1, { endpoint: '/news', path: '/news', headers }),
    );
    const exchange = 'x700';
    const finding = { message: 'm', expected: 'e', actual: 'a', pointer: null, exchange };
    const findings = [{ ...finding, exchange: 'x2' }, finding];
    const requirements = [makeRequirement('2.7/trimmed', 'failed', { findings })];
    const all = elements(
      withoutCode(renderHtml({ ...makeResults(), exchanges, requirements, load: [] })),
    );
    const ids = new Set(all.map((element) => attribute(element, 'id')));
    const links = all.flatMap(
      (element) => /^#(x-.*)/.exec(attribute(element, 'href') ?? '')?.[1] ?? [],
    );
    expect(links).toEqual(expect.arrayContaining(['x-x700', 'x-x900']));
    for (const id of links) expect(ids).toContain(id);
    expect(ids).not.toContain('x-x699');
  });

  it('shows the whole catalogue', () => {
    const requirements = REQUIREMENTS.map(({ id, title }) =>
      makeRequirement(id, 'passed', { title }),
    );
    const all = renderHtml({ ...makeResults(), requirements });
    const rows = new Set(elements(all).map((element) => attribute(element, 'id')));
    expect(REQUIREMENTS.length).toBeGreaterThan(100);
    for (const { id } of REQUIREMENTS) expect(rows).toContain(`r-${id}`);
  });

  it('shows every exchange once and resolves every link', () => {
    const ids = elements(page).flatMap((element) => attribute(element, 'id') ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id } of makeResults().exchanges) expect(ids).toContain(`x-${id}`);
    const links = elements(page).flatMap((element) => attribute(element, 'href') ?? []);
    expect(links.length).toBeGreaterThan(50);
    for (const link of links) {
      expect(link.startsWith('#')).toBe(true);
      expect(ids).toContain(link.slice(1));
    }
  });

  it('is closed: no foreign resource, no inline style, one hashed style, one hashed script', () => {
    const all = elements(page);
    const tags = new Set(all.map((element) => element.tagName));
    for (const tag of ['img', 'iframe', 'link', 'object', 'form', 'base']) {
      expect(tags).not.toContain(tag);
    }
    expect(all.filter((element) => attribute(element, 'style') !== undefined)).toEqual([]);
    const hashOf = (tag: string): string => {
      const found = all.filter((element) => element.tagName === tag);
      expect(found).toHaveLength(1);
      const [node] = found[0]?.childNodes ?? [];
      const code = node !== undefined && 'value' in node ? node.value : '';
      expect(code).not.toMatch(/url\(|@import/);
      return `sha256-${createHash('sha256').update(code).digest('base64')}`;
    };
    const policy = all.find((one) => attribute(one, 'http-equiv') === 'Content-Security-Policy');
    expect(policy && attribute(policy, 'content')).toBe(
      `default-src 'none'; script-src '${hashOf('script')}'; style-src '${hashOf('style')}'; connect-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    );
  });

  it('comes as a folder without inline code', () => {
    const [index, ...rest] = renderHtmlFolder(makeResults());
    const all = elements(index?.text ?? '');
    expect(all.some(({ tagName }) => tagName === 'style')).toBe(false);
    const [script] = all.filter(({ tagName }) => tagName === 'script');
    expect(script && attribute(script, 'src')).toBe('report.js');
    expect(script?.childNodes).toEqual([]);
    expect(rest.map(({ name }) => name)).toEqual(['report.css', 'report.js']);
    // Both forms say the same: only head and script differ.
    const main = (text: string): string =>
      text.slice(text.indexOf('<main'), text.indexOf('</main>'));
    expect(main(index?.text ?? '')).toBe(main(page));
  });

  it('puts the first screen before everything else, in at most 60 kB', () => {
    const end = page.indexOf('id="first-screen-end"');
    expect(end).toBeGreaterThan(0);
    expect(end - assets().style.length).toBeLessThan(45_000);
    expect(end).toBeLessThan(60_000);
    expect(page.indexOf('<template')).toBeGreaterThan(end);
  });

  it('has a small script and a small style', () => {
    expect(gzipSync(assets().script, { level: 9 }).length).toBeLessThan(30_000);
    expect(assets().script.length).toBeLessThan(90_000);
    // A tenth of it is for paper, a seventh for what stands side by side.
    expect(assets().style.length).toBeLessThan(31_000);
    expect(assets().script).not.toMatch(/\beval\(|new Function|document\.write|insertAdjacentHTML/);
  });

  it('carries every exchange whole, as data', () => {
    const exchanges = [...page.matchAll(/<template data-chunk="\d+">([^<]*)</g)].flatMap(
      ([, base64 = '']) => {
        const text = inflateRawSync(Buffer.from(base64, 'base64')).toString();
        return JSON.parse(text) as readonly unknown[];
      },
    );
    // With names of keys: nobody knows one by its digest.
    expect(exchanges).toEqual(withKeyNames(makeResults()).exchanges);
  });

  it('marks the failing value in the body', () => {
    expect(page).toMatch(/<mark>\s*&quot;code&quot;: 400003,<\/mark>/);
  });

  it('cuts long bodies and says so', () => {
    const results = makeResults();
    const moved: Readonly<Record<string, string>> = {
      '2.2/price': 'x9',
      '8/remaining-decrements': 'x8',
    };
    const requirements = results.requirements
      .filter(({ id }) => id in moved)
      .map((one) => ({
        ...one,
        findings: one.findings.map((each) => ({ ...each, exchange: moved[one.id] ?? null })),
      }));
    const cut = renderHtml({ ...results, requirements });
    expect(cut).toContain('Truncated: the whole body is 50010 bytes long.');
    expect(cut).toMatch(/… \d+ lines omitted …/);
  });

  it('stays small with very many large exchanges', () => {
    const body = JSON.stringify(Array.from({ length: 400 }, () => 'text '.repeat(20)));
    const exchanges = Array.from({ length: 500 }, (_, index) =>
      makeExchange(index + 1, { endpoint: '/news', path: '/news', body }),
    );
    const large = renderHtml({ ...makeResults(), exchanges });
    expect(large.length).toBeLessThan(2_000_000);
  });

  it.each(['', ...HOSTILE_PAGES])(
    'gives no element, attribute or hidden character to %j',
    (text) => {
      const hostile = renderHtml(makeResults({ text }));
      const all = elements(withoutCode(hostile));
      expect(outline(all)).toEqual(pageOutline);
      const written = hostile.replace(/<(script|style)>[^]*?<\/\1>/g, '');
      // Tabs may stand in preformatted text.
      expect(written.replaceAll('\t', ' ')).not.toMatch(HIDDEN);
      expect(
        all
          .flatMap(({ attrs }) => attrs.map(({ name }) => name))
          .filter((name) => name.startsWith('on')),
      ).toEqual([]);
    },
  );

  it('gives no element to any text', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 40 }), (text) => {
        const hostile = renderHtml(makeResults({ text }));
        expect(outline(elements(withoutCode(hostile)))).toEqual(pageOutline);
      }),
      { numRuns: 25 },
    );
  });

  it('is the same for the same results', () => {
    expect(renderHtml(makeResults())).toBe(page);
  });
});
