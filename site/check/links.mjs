// Every link leads to a file of the site and an anchor in it, and no page loads anything from another origin.
import { fileOf, readPage, readPages, BASE } from './pages.mjs';

/** A placeholder: pages do not know their origin. */
const ORIGIN = 'http://site.invalid';
/** Elements that a browser loads automatically. */
const LOADED = new Set(['link', 'script', 'img', 'source', 'iframe']);

/**
 * Problems with links of the built site, one line each.
 *
 * @returns {{ problems: string[], pages: number, links: number }}
 */
export function checkLinks() {
  const pages = readPages();
  const anchors = new Map();
  const anchorsOf = (file) => {
    if (!anchors.has(file)) anchors.set(file, readPage(file).ids);
    return anchors.get(file);
  };
  const problems = new Set();
  const linked = new Set();
  let count = 0;
  for (const page of pages) {
    for (const { address, element } of page.links) {
      count += 1;
      const url = new URL(address, ORIGIN + page.address);
      if (url.origin !== ORIGIN) {
        if (LOADED.has(element)) problems.add(`${page.file} loads ${address}`);
        continue;
      }
      const file = fileOf(url.pathname);
      if (file === null) {
        problems.add(`${page.file} links to ${address}, which does not exist`);
        continue;
      }
      if (element === 'a') linked.add(file);
      const anchor = decodeURIComponent(url.hash.slice(1));
      if (anchor !== '' && file.endsWith('.html') && !anchorsOf(file).has(anchor))
        problems.add(`${page.file} links to ${address}, and that page has no #${anchor}`);
    }
  }
  for (const { file, address } of pages) {
    const alone = !linked.has(fileOf(address)) && address !== BASE && file !== '404.html';
    if (alone) problems.add(`no page links to ${file}`);
  }
  return { problems: [...problems], pages: pages.length, links: count };
}
