import { createHash } from 'node:crypto';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { describe, expect, it } from 'vitest';
import { REQUIREMENTS } from '../../src/contract/requirements.ts';
import { renderHtml } from '../../src/report/html.ts';
import { makeExchange, makeRequirement, makeResults } from './fixture.ts';
import { HIDDEN, HOSTILE } from './hostile.ts';

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
function outline(one: string): readonly string[] {
  return elements(one).map(
    ({ tagName, attrs }) => `${tagName} ${attrs.map(({ name }) => name).join(' ')}`,
  );
}

const page = renderHtml(makeResults());

describe('renderHtml', () => {
  it('shows the verdict and every requirement', () => {
    expect(page).toContain('<p class="word">VIOLATES</p>');
    expect(page).toContain('7 of 30 musts are violated');
    const rows = new Set(elements(page).map((element) => attribute(element, 'id')));
    for (const { id } of makeResults().requirements) expect(rows).toContain(`r-${id}`);
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

  it('is closed: no script, no foreign resource, no inline style, one hashed style', () => {
    const all = elements(page);
    const tags = new Set(all.map((element) => element.tagName));
    for (const tag of ['script', 'img', 'iframe', 'link', 'object', 'form', 'base']) {
      expect(tags).not.toContain(tag);
    }
    const styles = all.filter((element) => element.tagName === 'style');
    expect(styles).toHaveLength(1);
    const [node] = styles[0]?.childNodes ?? [];
    const css = node !== undefined && 'value' in node ? node.value : '';
    const hash = createHash('sha256').update(css).digest('base64');
    const policy = all.find((one) => attribute(one, 'http-equiv') === 'Content-Security-Policy');
    expect(policy && attribute(policy, 'content')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
    );
    expect(css).not.toMatch(/url\(|@import/);
  });

  it('marks the failing value in the body', () => {
    expect(page).toMatch(/<mark>\s*&quot;code&quot;: 400003,<\/mark>/);
  });

  it('cuts long bodies and says so', () => {
    expect(page.length).toBeLessThan(400_000);
    expect(page).toContain('The body has 50010 bytes and is cut here.');
    expect(page).toMatch(/\d+ of 2402 lines are left out here/);
  });

  it('stays small with very many large exchanges', () => {
    const body = JSON.stringify(Array.from({ length: 400 }, () => 'text '.repeat(20)));
    const exchanges = Array.from({ length: 500 }, (_, index) =>
      makeExchange(index + 1, { endpoint: '/news', path: '/news', body }),
    );
    const large = renderHtml({ ...makeResults(), exchanges });
    expect(large.length).toBeLessThan(6_000_000);
    expect(large).toContain('The body is left out to keep this page small');
  });

  it.each(HOSTILE)('gives no element, attribute or hidden character to %j', (text) => {
    const hostile = renderHtml(makeResults({ text }));
    expect(outline(hostile)).toEqual(outline(page));
    expect(hostile).not.toMatch(HIDDEN);
    expect(hostile).not.toMatch(/\son\w+="/);
  });

  it('is the same for the same results', () => {
    expect(renderHtml(makeResults())).toBe(page);
  });
});
