import GithubSlugger from 'github-slugger';
import type { MarkdownOptions } from 'vitepress';

/** Anchors as on GitHub, where the documents are also read and link to each other's headings. */
const slugify = (heading: string): string => new GithubSlugger().slug(heading);

/** How Markdown becomes a page. */
export const markdown: MarkdownOptions = {
  // Both have enough contrast, also for comments.
  theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  anchor: { slugify },
  headers: { slugify },
  config: (md) => {
    // The empty corner of a table is not a heading; screen readers would announce an empty one.
    md.core.ruler.push('empty-corners', ({ tokens }) => {
      for (const [index, token] of tokens.entries()) {
        const inside = tokens[index + 1];
        const close = tokens[index + 2];
        if (token.type !== 'th_open' || inside?.content !== '' || close === undefined) continue;
        token.tag = 'td';
        close.tag = 'td';
      }
    });
  },
};
