import type { DefaultTheme } from 'vitepress';

/**
 * What a generated page is found by, where that is not all of its text: the page of a requirement is one thing to be found,
 * by the words that tell it from the others. Rendering it once more for the search would take a third of the build.
 */
function searchedWords(source: string): string | undefined {
  const [, words] = /^---\n(?:.*\n)*?searched: (".*")\n(?:.*\n)*?---\n/.exec(source) ?? [];
  return words === undefined ? undefined : (JSON.parse(words) as string);
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The search: in the page, over an index that is part of the site. */
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
