import { readFileSync } from 'node:fs';
import { defineConfig, type DefaultTheme } from 'vitepress';
import { markdown } from './markdown';
import { search } from './search';

/** Data about the site from the generator of its pages (`tools/site`). */
interface SiteData {
  readonly version: string;
  /** Address of the repository, if known. */
  readonly repository: string | null;
  readonly sidebar: DefaultTheme.SidebarMulti;
}

const { version, repository, sidebar } = JSON.parse(
  readFileSync(new URL('../.pages/site.json', import.meta.url), 'utf8'),
) as SiteData;

/** Sub path of the site, with a slash at both ends. */
const base = `/${process.env['ASSAY_SITE_BASE'] ?? ''}/`.replaceAll(/\/+/g, '/');

export default defineConfig({
  srcDir: '.pages',
  base,
  lang: 'en',
  title: 'Assay',
  titleTemplate: ':title | Assay',
  description:
    'Conformance suite and load harness for implementations of the Crypto Market Data Service',
  cleanUrls: true,
  // Shared metadata is loaded once instead of being part of each of some 400 pages.
  metaChunk: true,
  // With concurrency, the order of the search index would vary.
  buildConcurrency: 1,
  head: [['meta', { name: 'color-scheme', content: 'light dark' }]],
  markdown,
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/getting-started' },
      { text: 'Requirements', link: '/requirements/' },
      { text: 'Sample report', link: '/sample-report' },
      { text: `Version ${version}`, link: '/versions' },
    ],
    sidebar,
    outline: [2, 3],
    search,
    ...(repository === null
      ? {}
      : { socialLinks: [{ icon: 'github', link: repository, ariaLabel: 'Repository' }] }),
  },
});
