import GithubSlugger from 'github-slugger';
import type { MarkdownOptions } from 'vitepress';

/** Anchors as GitHub makes them: the documents are read there, too, and link to each other's headings. */
const slugify = (heading: string): string => new GithubSlugger().slug(heading);

/** How Markdown becomes a page. */
export const markdown: MarkdownOptions = {
  // Both with enough contrast, comments included.
  theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  anchor: { slugify },
  headers: { slugify },
  config: (md) => {
    // The empty corner of a table heads nothing: as a heading it would be read out as one without words.
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
