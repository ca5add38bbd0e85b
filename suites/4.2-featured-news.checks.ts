// §4.2 News: GET /news/featured, where page and page_size are required.
import { NEWS_CATEGORY_IDS } from '../src/contract/values.ts';
import {
  requirement,
  Untested,
  type Answer,
  type CheckContext,
  type Query,
} from '../src/suite/index.ts';
import {
  beside,
  FEATURED,
  FEATURED_100,
  featured,
  featuredOfTwo,
  featuredPages,
  OTHER_FEATURED,
} from '../src/ask/requests/news.ts';
import { steadyPages } from '../src/ask/requests/pages.ts';
import { mustBeAllowed } from '../src/ask/requests/restricted-key.ts';
import { mustBeLetIn } from '../src/ask/requests/unknown-resource.ts';

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

// A request that is refused for one parameter says of the others that they are known: each has another language.

/** The control of what is refused: the plain first page. */
const PLAIN = { query: { ...FEATURED, language: undefined, category: undefined } };

requirement('4.2/featured-page-required', async ({ api, expect }) => {
  const query = { page_size: 20, language: 'vi', category: 1 };
  const answer = await api.get('/news/featured', query, { control: PLAIN });
  expect(answer).toBeRefused('missingParameter');
});

requirement('4.2/featured-page-size-required', async ({ api, expect }) => {
  const query = { page: 1, language: 'pt', category: 13 };
  const answer = await api.get('/news/featured', query, { control: PLAIN });
  expect(answer).toBeRefused('missingParameter');
});

requirement('4.2/featured-page-minimum', 'page=0 is out of range', async ({ api, expect }) => {
  expect(await outOfRange(api, { page: 0, language: 'tr', category: 3 })).toConform();
});

requirement(
  '4.2/featured-page-minimum',
  'page=-1 is out of range',
  async ({ api, expect }) => {
    expect(await outOfRange(api, { page: -1, language: 'zh', category: 7 })).toConform();
  },
  { profile: 'full' },
);

requirement('4.2/featured-page-size-minimum', 'page_size=19', async ({ api, expect }) => {
  expect(await outOfRange(api, { page_size: 19, language: 'es', category: 4 })).toConform();
});

requirement(
  '4.2/featured-page-size-minimum',
  'page_size=1',
  async ({ api, expect }) => {
    expect(await outOfRange(api, { page_size: 1, language: 'tc' })).toConform();
  },
  { profile: 'full' },
);

// Values that are no sizes and no pages, beside others that are none either (ruling 8).
requirement.for(
  '4.2/featured-page-size-minimum',
  [
    { page_size: 0 },
    { page: 'abc', page_size: -1 },
    { page: 'abc', page_size: '', language: '', category: '' },
    { page: '', page_size: 'abc', language: 'xx', category: 'abc' },
  ],
  { profile: 'full' },
)('answers %j or refuses it', async (bad, { api, expect }) => {
  expect(await outOfRange(api, bad)).toConform();
});

requirement('4.2/featured-page-size-max', 'page_size=101', async ({ api, expect }) => {
  expect(await outOfRange(api, { page_size: 101, language: 'ru' })).toConform();
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
  const options = { control: PLAIN, anyAnswer: true };
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

for (const id of [
  '4.2/featured-pages-differ',
  '4.2/featured-total',
  '4.2/featured-page-echo',
  '4.2/featured-page-full',
] as const) {
  requirement(id, 'on page 2', async (context) => {
    const pages = await steadyPages(context, '/news/featured', await featuredPages(context.api));
    context.expect(pages).toConform();
  });
}

requirement(
  '4.2/featured-pages-differ',
  'on page 3',
  async (context) => {
    const answer = await featured(context.api, FEATURED_100);
    if (answer.status === 200 && answer.records.length <= 2 * FEATURED.page_size) {
      throw new Untested('there are too few featured news for a third page');
    }
    const third = { ...FEATURED_100, page: 3, page_size: FEATURED.page_size };
    context.expect(await steadyPages(context, '/news/featured', [FEATURED_100, third])).toConform();
  },
  { profile: 'full' },
);

// Language and category

requirement(
  '4.2/featured-language',
  'is English without language',
  async ({ api, expect }) => {
    expect(await featured(api)).toConform();
  },
  { profile: 'smoke' },
);

requirement('4.2/featured-language', 'speaks fr', async ({ api, expect }) => {
  expect(beside(await featured(api, FEATURED_100), await featured(api))).toConform();
});

requirement('4.2/featured-language', 'speaks ja', async ({ api, expect }) => {
  const answer = await featured(api, await featuredOfTwo(api));
  expect(beside(answer, await featured(api))).toConform();
});

requirement.for(
  '4.2/featured-language',
  ['en', 'zh', 'tc', 'vi', 'es', 'pt', 'ru', 'tr'] as const,
  { profile: 'full' },
)('speaks %s', async (language, { api, expect }) => {
  const answer = await featured(api, { ...FEATURED, language });
  expect(beside(answer, await featured(api))).toConform();
});

// A key that is restricted elsewhere asks for what valid keys have no requests left for.

requirement.for('4.2/featured-language', OTHER_FEATURED)(
  'with the restricted key and %j',
  async (query, context) => {
    const answer = await byRestrictedKey(context, { ...FEATURED, ...query });
    context.expect(beside(answer, await featured(context.api))).toConform();
  },
);

// A total that is cut says nothing wrong until a page lies behind it.
requirement(
  '4.2/featured-total',
  'on the second page of 100',
  async ({ api, expect }) => {
    const second = await featured(api, { ...FEATURED_100, page: 2 });
    expect([await featured(api, FEATURED_100), second]).toConform();
  },
  { profile: 'full' },
);

requirement('4.2/featured-pages-differ', 'on page 3, with the restricted key', async (context) => {
  const list = { page: 1, page_size: 100, language: 'ru' } as const;
  const answer = await byRestrictedKey(context, list);
  if (answer.status === 200 && answer.records.length <= 2 * FEATURED.page_size) {
    throw new Untested('there are too few featured news for a third page');
  }
  const third = { ...list, page: 3, page_size: FEATURED.page_size };
  const role = 'restricted';
  context.expect(await steadyPages(context, '/news/featured', [list, third], { role })).toConform();
});

/** @throws Untested when the target has no such key, or it may not call the endpoint */
async function byRestrictedKey(context: CheckContext, query: Query): Promise<Answer> {
  const { api, session } = context;
  await session.requireKeys(['restricted-key']);
  await mustBeAllowed(context, '/news/featured');
  const answer = await api.get('/news/featured', query, { role: 'restricted' });
  mustBeLetIn(answer);
  return answer;
}

for (const id of ['4.2/featured-category-filter', '4.2/featured-category-list'] as const) {
  requirement(id, async ({ api, expect }) => {
    const answer = await featured(api, await featuredOfTwo(api));
    expect(beside(answer, await featured(api), await featured(api, FEATURED_100))).toConform();
  });
}

requirement.for('4.2/featured-category-filter', NEWS_CATEGORY_IDS, { profile: 'full' })(
  'keeps to category %s',
  async (category, { api, expect }) => {
    const answer = await featured(api, { ...FEATURED, category });
    expect(beside(answer, await featured(api), await featured(api, FEATURED_100))).toConform();
  },
);
