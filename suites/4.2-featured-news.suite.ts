// §4.2 News: GET /news/featured, where page and page_size are required.
import { requirement, type Answer, type CheckContext, type Query } from '../src/suite/index.ts';
import {
  beside,
  FEATURED,
  FEATURED_100,
  featured,
  legible,
  twoCategories,
} from './news-requests.ts';
import { steadyPages } from './pages.ts';

requirement(
  '4.2/featured',
  async ({ api, expect }) => {
    expect(await featured(api)).toConform();
  },
  { profile: 'smoke' },
);

requirement(
  '4.2/featured-excluded-fields',
  async ({ api, expect }) => {
    expect(await featured(api)).toConform();
  },
  { profile: 'smoke' },
);

// Pages

requirement('4.2/featured-page-required', async ({ api, expect }) => {
  const query = { ...FEATURED, page: undefined };
  const answer = await api.get('/news/featured', query, { control: { query: FEATURED } });
  expect(answer).toBeRefused('missingParameter');
});

requirement('4.2/featured-page-size-required', async ({ api, expect }) => {
  const query = { ...FEATURED, page_size: undefined };
  const answer = await api.get('/news/featured', query, { control: { query: FEATURED } });
  expect(answer).toBeRefused('missingParameter');
});

requirement('4.2/featured-page-minimum', 'page=0 is out of range', async ({ api, expect }) => {
  expect(await outOfRange(api, { page: 0 })).toConform();
});

requirement(
  '4.2/featured-page-minimum',
  'page=-1 is out of range',
  async ({ api, expect }) => {
    expect(await outOfRange(api, { page: -1 })).toConform();
  },
  { profile: 'full' },
);

requirement('4.2/featured-page-size-minimum', 'page_size=19', async ({ api, expect }) => {
  expect(await outOfRange(api, { page_size: 19 })).toConform();
});

requirement(
  '4.2/featured-page-size-minimum',
  'page_size=1',
  async ({ api, expect }) => {
    expect(await outOfRange(api, { page_size: 1 })).toConform();
  },
  { profile: 'full' },
);

requirement('4.2/featured-page-size-max', 'page_size=101', async ({ api, expect }) => {
  expect(await outOfRange(api, { page_size: 101 })).toConform();
});

requirement(
  '4.2/featured-page-size-max',
  'page_size=1000',
  async ({ api, expect }) => {
    expect(await outOfRange(api, { page_size: 1000 })).toConform();
  },
  { profile: 'full' },
);

/** The first page, and the answer to a request that differs from it in one bad value. */
async function outOfRange(api: CheckContext['api'], bad: Query): Promise<Answer[]> {
  const query = { ...FEATURED, ...bad };
  const options = { control: { query: FEATURED }, anyAnswer: true };
  return [await featured(api), await api.get('/news/featured', query, options)];
}

requirement('4.2/featured-page-size-bounds', async ({ api, expect }) => {
  expect([await featured(api), await featured(api, FEATURED_100)]).toConform();
});

requirement('4.2/featured-page-full', async ({ api, expect }) => {
  expect([await featured(api), await featured(api, FEATURED_100)]).toConform();
});

requirement('4.2/featured-page-echo', async ({ api, expect }) => {
  expect([await featured(api), await featured(api, FEATURED_100)]).toConform();
});

requirement(
  '4.2/featured-pages-differ',
  async (context) => {
    const second = { ...FEATURED, page: 2 };
    const pages = await steadyPages(context, '/news/featured', [FEATURED, second, FEATURED_100]);
    context.expect(pages).toConform();
  },
  { profile: 'full' },
);

// Language and category

requirement(
  '4.2/featured-language',
  'is English without language',
  async ({ api, expect }) => {
    expect(legible(await featured(api), 'en')).toConform();
  },
  { profile: 'smoke' },
);

/** Japanese news of one category: the one that most featured news are in. */
async function japanese(api: CheckContext['api']): Promise<Query> {
  const [category = '1'] = (await twoCategories(api)).split(',');
  return { ...FEATURED, language: 'ja', category };
}

requirement('4.2/featured-language', 'speaks ja', async ({ api, expect }) => {
  const answer = legible(await featured(api, await japanese(api)), 'ja');
  expect(beside(answer, await featured(api, FEATURED_100))).toConform();
});

requirement.for(
  '4.2/featured-language',
  ['zh', 'tc', 'vi', 'es', 'pt', 'ru', 'tr', 'fr'] as const,
  {
    profile: 'full',
  },
)('speaks %s', async (language, { api, expect }) => {
  const answer = legible(await featured(api, { ...FEATURED, language }), language);
  expect(beside(answer, await featured(api))).toConform();
});

requirement('4.2/featured-category-filter', async ({ api, expect }) => {
  const answer = await api.get('/news/featured', await japanese(api));
  expect(beside(answer, await featured(api), await featured(api, FEATURED_100))).toConform();
});

requirement('4.2/featured-category-list', async ({ api, expect }) => {
  const category = await twoCategories(api);
  const answer = await featured(api, { ...FEATURED, category });
  expect(beside(answer, await featured(api, FEATURED_100))).toConform();
});
