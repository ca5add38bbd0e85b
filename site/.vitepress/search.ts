import type { DefaultTheme } from 'vitepress';

/**
 * Search words of a generated page, if it has any: a requirement is found by the words that distinguish it, and rendering its
 * page for the search would take a third of the build.
 */
function searchedWords(source: string): string | undefined {
  const [, words] = /^---\n(?:.*\n)*?searched: (".*")\n(?:.*\n)*?---\n/.exec(source) ?? [];
  return words === undefined ? undefined : (JSON.parse(words) as string);
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Search in the page, over an index that is part of the site. */
export const search: NonNullable<DefaultTheme.Config['search']> = {
  provider: 'local',
  options: {
    _render: (source, env, md) => {
      const words = searchedWords(source);
      if (words === undefined) return md.render(source, env);
      const title = /^# (.*)$/m.exec(source)?.[1] ?? '';
      return `<h1>${escapeHtml(title)}<a href="#"></a></h1><p>${escapeHtml(words)}</p>`;
    },
  },
};
