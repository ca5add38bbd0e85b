// The files of the built site: pages with their links and anchors, and the file of an address.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'parse5';

/** Where `npm run site` puts the site. */
export const DIST = fileURLToPath(new URL('../.vitepress/dist/', import.meta.url));

/** Sub path of the site; the same setting as for the build. */
export const BASE = `/${process.env['ASSAY_SITE_BASE'] ?? ''}/`.replaceAll(/\/+/g, '/');

/** Attributes with an address, by element. */
const ADDRESSES = {
  a: 'href',
  link: 'href',
  img: 'src',
  script: 'src',
  source: 'src',
  iframe: 'src',
};

/**
 * The file that a server with clean addresses answers with; null if the site has no such file.
 *
 * @param {string} pathname path of the address, with the base in front
 * @returns {string | null}
 */
export function fileOf(pathname) {
  if (!pathname.startsWith(BASE)) return null;
  const name = decodeURIComponent(pathname.slice(BASE.length));
  const places = name === '' || name.endsWith('/') ? [`${name}index.html`] : [name, `${name}.html`];
  const found = places
    .map((place) => path.join(DIST, place))
    .find((place) => place.startsWith(DIST) && existsSync(place) && statSync(place).isFile());
  return found ?? null;
}

/**
 * The address of a page of the site.
 *
 * @param {string} file path below the folder of the site
 */
const addressOf = (file) => BASE + file.replace(/(?:^|(?<=\/))index\.html$|\.html$/, '');

/** Every page that VitePress made, with what it names: addresses, and the anchors that others can name. */
export function readPages() {
  return readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html') && !file.startsWith('reports/'))
    .toSorted()
    .map((file) => ({ file, address: addressOf(file), ...readPage(path.join(DIST, file)) }));
}

/**
 * What a page names.
 *
 * @param {string} file path of an HTML file
 */
export function readPage(file) {
  const ids = new Set();
  const links = [];
  const visit = (node) => {
    const attributes = new Map((node.attrs ?? []).map(({ name, value }) => [name, value]));
    if (attributes.has('id')) ids.add(attributes.get('id'));
    const address = attributes.get(ADDRESSES[node.nodeName] ?? '');
    if (address !== undefined) links.push({ address, element: node.nodeName });
    for (const child of node.childNodes ?? []) visit(child);
  };
  visit(parse(readFileSync(file, 'utf8')));
  return { ids, links };
}
