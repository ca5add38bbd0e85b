import { accepted } from '../../src/judge/shapes.ts';
import { refused } from '../families/refusal.ts';
import { check, each, part } from '../../src/ask/index.ts';
import { FEATURED_EXCLUDED_FIELDS, NEWS_CATEGORY_IDS } from '../../src/spec/values.ts';
import { REQUIRED } from '../../src/requirements/advice.ts';
import { about, must, type Advice } from '../../src/requirements/definition.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import { objectsOf } from '../../src/judge/values-at.ts';
import { PAGES } from '../../src/judge/pages.ts';
import {
  inFrench,
  inJapanese,
  largestFeatured,
  featuredOf,
  ofTwoCategories,
  OTHER_FEATURED,
  otherByRestrictedKey,
  outOfRange,
  plainFeatured,
  smallestAndLargest,
  featuredIn,
  without,
  withSecondPage,
  withThird,
  withThirdByRestrictedKey,
} from './requests.ts';
import { outOfBounds } from '../families/pages/page-bounds.ts';
import { pagesOf, seamOf } from '../families/pages/pages.ts';
import { CATEGORY, notEmptied, ofEveryCategory, onlyOfCategory, listedTaken } from './filters.ts';
import { asWithEnglish, inLanguageAsked, LANGUAGE, TEXT_FIELDS } from './text-language.ts';

const FEATURED = '4.2 GET /news/featured';
const FEATURED_PAGES = PAGES['/news/featured'];

/** Bad values of all parameters, any of which may crash a server. */
const ALL_BAD = [
  { page: 'abc', page_size: '', language: '', category: '' },
  { page: '', page_size: 'abc', language: 'xx', category: 'abc' },
];

const PAGE = pagesOf(FEATURED_PAGES, {
  list: 'featured news',
  size: 'A featured news `page_size`',
  bounds: '8 featured news page_size',
  envelope: '2.7 page envelope',
});

const BELOW_MINIMUM: Advice = {
  shownBy: 'a request with a value that is below the minimum or not a number',
  why: 'Clients should learn that a value is below the stated minimum.',
  usually: [
    'Only the maximum is checked.',
    'Pages are counted from 0 internally, so page 0 is the first.',
  ],
};

const MISSING = { refused: 'missingParameter' } as const;
const ON_PAGE_2 = part('on page 2', withSecondPage());

export const FEATURED_NEWS_REQUIREMENTS = about(['/news/featured'], {
  '4.2/featured-page-required': must({
    title: 'Featured news without `page` is refused with 400 and code 400002',
    clauses: [`${FEATURED} ?page`, '7 400002'],
    rulings: [6, 9],
    ...REQUIRED,
    checks: [check(without('page', { language: 'vi', category: 1 }), MISSING)],
    judge: refused('missing page'),
  }),
  '4.2/featured-page-size-required': must({
    title: 'Featured news without `page_size` is refused with 400 and code 400002',
    clauses: [`${FEATURED} ?page_size`, '7 400002', '8 featured news page_size'],
    rulings: [6, 9],
    ...REQUIRED,
    checks: [check(without('page_size', { language: 'pt', category: 13 }), MISSING)],
    judge: refused('missing page_size'),
  }),
  '4.2/featured-page-minimum': must({
    title: 'A featured news `page` below 1 is refused or clamped',
    clauses: [`${FEATURED} ?page`],
    rulings: [4],
    ...BELOW_MINIMUM,
    checks: [
      part('page=0 is out of range', outOfRange({ page: 0, language: 'tr', category: 3 })),
      part('page=-1 is out of range', outOfRange({ page: -1, language: 'zh', category: 7 })),
    ],
    judge: outOfBounds(FEATURED_PAGES, 'belowPage'),
  }),
  '4.2/featured-page-size-minimum': must({
    title: 'A featured news `page_size` below 20 is refused or clamped',
    clauses: [`${FEATURED} ?page_size`, '8 featured news page_size'],
    rulings: [4],
    ...BELOW_MINIMUM,
    checks: [
      part('page_size=19', outOfRange({ page_size: 19, language: 'es', category: 4 })),
      part('page_size=1', outOfRange({ page_size: 1, language: 'tc' })),
      // Invalid sizes and pages, together with other invalid values (ruling 8).
      ...each(
        [{ page_size: 0 }, { page: 'abc', page_size: -1 }, ...ALL_BAD],
        'answers %j or refuses it',
        (bad, context) => outOfRange(bad)(context),
      ),
    ],
    judge: outOfBounds(FEATURED_PAGES, 'belowSize'),
  }),
  '4.2/featured-page-size-max': must({
    ...PAGE.maximum,
    checks: [part('page_size=101', outOfRange({ page_size: 101, language: 'ru' }))],
  }),
  '4.2/featured-page-size-bounds': must({
    ...PAGE.accepted,
    title: `Page sizes of ${FEATURED_PAGES.minimum} and ${FEATURED_PAGES.maximum} are accepted for featured news`,
    checks: [check(smallestAndLargest)],
  }),
  '4.2/featured-page-full': must({ ...PAGE.full, checks: [check(smallestAndLargest), ON_PAGE_2] }),
  '4.2/featured-page-echo': must({
    ...PAGE.echo,
    clauses: [`${FEATURED} ?page`],
    checks: [check(smallestAndLargest), ON_PAGE_2],
  }),
  '4.2/featured-pages-differ': must({
    title: 'Two pages of featured news share no items',
    clauses: [`${FEATURED} ?page`],
    rulings: [22],
    ...seamOf(FEATURED_PAGES),
    checks: [
      ON_PAGE_2,
      part('on page 2, with the restricted key', withSecondPage('restricted')),
      part('on page 3, with the restricted key', withThirdByRestrictedKey),
      part('on page 3', withThird),
    ],
  }),
  '4.2/featured-total': must({
    ...PAGE.total,
    checks: [ON_PAGE_2, part('on the last page with page_size=100', largestFeatured)],
  }),
  '4.2/featured-excluded-fields': must({
    title: 'Featured news omits `original_link` and the four engagement counts',
    clauses: [FEATURED],
    why: 'The specification excludes these five fields from featured news.',
    usually: [
      'The records of /news are returned unchanged.',
      'The fields are present with null or 0.',
    ],
    checks: [check(plainFeatured)],
    judge: judgeEach((view, context, it) => {
      const items = objectsOf(view, context, 'featured-news-item');
      for (const name of items.length > 0 ? FEATURED_EXCLUDED_FIELDS : []) {
        const holders = items.filter(({ value }) => Object.hasOwn(value, name));
        it.none(view, holders, ({ pointer, value }) => ({
          kind: 'unexpected-field',
          facts: { holders: holders.length, items: items.length, field: name },
          expected: `no field ${name}`,
          actual: `${name}: ${show(value[name])}`,
          pointer: `${pointer}/${name}`,
        }));
      }
    }),
  }),
  '4.2/featured-language': must({
    title: 'Featured news is in the requested language, English by default',
    clauses: [`${FEATURED} ?language`, '4.2 language values'],
    ...LANGUAGE,
    checks: [
      part('is in English without `language`', plainFeatured),
      part('is in fr', inFrench),
      part('is in ja', inJapanese),
      ...each(['en', 'zh', 'tc', 'vi', 'es', 'pt', 'ru', 'tr'] as const, 'is in %s', featuredIn),
      ...each(OTHER_FEATURED, 'with the restricted key and %j', otherByRestrictedKey),
    ],
    judge: [
      accepted('language'),
      ...inLanguageAsked({ endpoint: '/news/featured', fields: TEXT_FIELDS }),
      asWithEnglish('/news/featured'),
      listedTaken('language'),
    ],
  }),
  '4.2/featured-category-filter': must({
    title: '`category=N` returns only featured news in that category',
    clauses: [`${FEATURED} ?category`, '4.2 category values'],
    ...CATEGORY,
    checks: [
      check(ofTwoCategories),
      ...each(NEWS_CATEGORY_IDS, 'keeps to category %s', featuredOf),
    ],
    judge: [accepted('category'), onlyOfCategory, notEmptied('category'), listedTaken('category')],
  }),
  '4.2/featured-category-list': must({
    title: 'Several comma-separated categories return featured news from all of them',
    clauses: [`${FEATURED} ?category`],
    ...CATEGORY,
    checks: [check(ofTwoCategories)],
    judge: [accepted('list of categories'), ofEveryCategory, listedTaken('categories')],
  }),
});
