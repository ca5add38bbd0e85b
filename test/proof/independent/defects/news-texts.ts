import type { Hooks } from '../conduct/hooks.ts';
import type { Call } from '../core/call.ts';
import { isObject, type JsonObject } from '../core/json.ts';
import { LANGUAGES } from '../data/news.ts';
import type { Defect } from './defect.ts';
import { each, FEATURED, ignoring, NEWS, plain, rewriting, subtle, refusing } from './tools.ts';

const BOTH = [NEWS, FEATURED];

/** The same request in another language, for texts that are not translated. */
function untranslated(
  templates: readonly string[],
  where: (index: number, call: Call, record: JsonObject) => boolean,
  what: readonly string[],
): Hooks {
  // English texts of the service are recognised by nothing: they are made here, as a stale cache would give them.
  const english: Readonly<Record<string, string>> = {
    title: 'The price has gone up after the news of the day and it is higher than it was last week',
    content:
      '<p>The team said that the update of the network is ready and that all of the users should install it before the end of this week.</p>',
  };
  return each(templates, (record, index, call) => {
    if (!where(index, call, record) || (call.query.get('language') ?? 'en') === 'en') return;
    for (const name of what) {
      if (name !== 'quote') record[name] = english[name];
      else if (isObject(record['quote_info'])) {
        record['quote_info'] = {
          ...record['quote_info'],
          content:
            'This is what we have been waiting for, and it is now a part of the service that you know.',
        };
      }
    }
  });
}

const lang = (call: Call): string => call.query.get('language') ?? 'en';

/** Defects of languages. */
export const NEWS_TEXTS: readonly Defect[] = [
  plain(
    'news-language-ignored',
    'News come in English whatever language is asked for.',
    ignoring(NEWS, 'language'),
  ),
  plain(
    'featured-language-ignored',
    'Featured news come in English whatever language is asked for.',
    ignoring(FEATURED, 'language'),
  ),
  plain(
    'news-titles-english',
    'Titles of news are never translated.',
    untranslated([NEWS], () => true, ['title']),
  ),
  plain(
    'news-content-english',
    'Contents of news are never translated.',
    untranslated([NEWS], () => true, ['content']),
  ),
  subtle(
    'news-quotes-english',
    'Quoted texts are never translated.',
    untranslated([NEWS], () => true, ['quote']),
  ),
  subtle(
    'news-half-english',
    'The second half of a page is not translated.',
    untranslated([NEWS], (index, call) => index >= Number(call.query.get('page_size') ?? 20) / 2, [
      'title',
      'content',
      'quote',
    ]),
  ),
  subtle(
    'news-page-two-english',
    'Page 2 is not translated.',
    untranslated(BOTH, (_index, call) => Number(call.query.get('page') ?? 1) > 1, [
      'title',
      'content',
      'quote',
    ]),
  ),
  subtle(
    'news-posts-english',
    'Posts are not translated, articles are.',
    untranslated([NEWS], (_index, _call, record) => record['quote_info'] !== null, [
      'title',
      'content',
      'quote',
    ]),
  ),
  subtle(
    'news-fr-quotes-english',
    'Quotes are not translated into French.',
    untranslated([NEWS], (_index, call) => lang(call) === 'fr', ['quote']),
  ),
  subtle(
    'featured-quotes-english',
    'Quoted texts of featured news are not translated.',
    untranslated([FEATURED], () => true, ['quote']),
  ),
  subtle(
    'news-tc-simplified',
    'Traditional Chinese is answered in simplified.',
    rewriting(BOTH, 'language', (value) => (value === 'tc' ? 'zh' : value)),
  ),
  subtle(
    'news-pt-spanish',
    'Portuguese is answered in Spanish.',
    rewriting(BOTH, 'language', (value) => (value === 'pt' ? 'es' : value)),
  ),
  subtle(
    'news-category-and-language',
    'The language is ignored when a category is asked for too.',
    ignoring(NEWS, 'language', (_value, call) => call.query.has('category')),
  ),
  plain('news-default-chinese', 'News come in Chinese when no language is asked for.', {
    query: (call) => {
      if (call.template === NEWS && !call.query.has('language')) call.query.set('language', 'zh');
    },
  }),
  plain(
    'featured-default-chinese',
    'Featured news come in Chinese when no language is asked for.',
    {
      query: (call) => {
        if (call.template === FEATURED && !call.query.has('language'))
          call.query.set('language', 'zh');
      },
    },
  ),
  ...LANGUAGES.slice(1).flatMap((language) => [
    subtle(
      `news-${language}-refused`,
      `News in ${language} are refused.`,
      refusing('language', language, [NEWS]),
    ),
    subtle(
      `news-${language}-english`,
      `News in ${language} come in English.`,
      rewriting([NEWS], 'language', (value) => (value === language ? 'en' : value)),
    ),
    subtle(
      `featured-${language}-english`,
      `Featured news in ${language} come in English.`,
      rewriting([FEATURED], 'language', (value) => (value === language ? 'en' : value)),
    ),
  ]),
];
