import { readFileSync } from 'node:fs';
import { defineConfig, type DefaultTheme } from 'vitepress';
import { markdown } from './markdown';
import { search } from './search';

/** What the generator of the pages (`test/proof/site`) knows of the whole site. */
interface SiteData {
  readonly version: string;
  /** Address of the repository; null when none was named. */
  readonly repository: string | null;
  readonly sidebar: DefaultTheme.SidebarMulti;
}

const { version, repository, sidebar } = JSON.parse(
  readFileSync(new URL('../.pages/site.json', import.meta.url), 'utf8'),
) as SiteData;

/** Sub path that the site is served under; begins and ends with a slash. */
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
  // What all pages have in common is loaded once, and not written into each of some 400.
  metaChunk: true,
  // One page after the other: side by side, the search index would have another order each time.
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
