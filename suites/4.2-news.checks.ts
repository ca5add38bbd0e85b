// §4.2 News: filters, languages and pages of GET /news.
import type { Language } from '../src/contract/values.ts';
import {
  requirement,
  Untested,
  type Answer,
  type CheckContext,
  type Query,
} from '../src/suite/index.ts';
import {
  beside,
  CHINESE_100,
  DEFAULTS,
  filteredBy,
  narrowed,
  narrowedPages,
  narrowing,
  oneFilter,
  news,
  newsIds,
  oldRange,
} from '../src/ask/requests/news.ts';
import { steadyPages } from '../src/ask/requests/pages.ts';

type Api = CheckContext['api'];

requirement(
  '4.2/news',
  async ({ api, expect }) => {
    expect(await news(api)).toConform();
  },
  { profile: 'smoke' },
);

// Languages

requirement(
  '4.2/language-default',
  'is English without language',
  async ({ api, expect }) => {
    expect(await news(api)).toConform();
  },
  { profile: 'smoke' },
);

requirement(
  '4.2/language-default',
  'is the same as language=en',
  async ({ api, expect }) => {
    expect([await news(api), await news(api, DEFAULTS)]).toConform();
  },
  { profile: 'full' },
);

requirement.for('4.2/language', ['zh', 'tc'] as const)(
  'speaks %s',
  async (language, { api, expect }) => {
    expect(await spoken(api, language)).toConform();
  },
);

requirement.for('4.2/language', ['en', 'ja', 'ru', 'vi', 'es', 'pt', 'tr', 'fr'] as const, {
  profile: 'full',
})('speaks %s', async (language, { api, expect }) => {
  expect(await spoken(api, language)).toConform();
});

// In standard, Traditional Chinese is asked for together with filters, which few news may pass.
requirement(
  '4.2/language',
  'speaks tc on a whole page',
  async ({ api, expect }) => {
    const whole = { language: 'tc', page: 1, page_size: 100 };
    expect(beside(await news(api, whole), await news(api))).toConform();
  },
  { profile: 'full' },
);

/** News in a language, and in English to compare with. */
async function spoken(api: Api, language: Language): Promise<readonly Answer[]> {
  const answer =
    language === 'tc' ? await narrowed(api) : await news(api, QUERIES[language] ?? { language });
  return beside(answer, await news(api));
}

/** Requests that show a language and are sent for another reason too. */
const QUERIES: Readonly<Partial<Record<Language, Query>>> = { zh: CHINESE_100, en: DEFAULTS };

requirement('4.2/quote-language', async ({ api, expect }) => {
  expect(beside(await news(api, CHINESE_100), await news(api))).toConform();
});

requirement.for('4.2/languages-share-ids', ['ja', 'vi', 'es', 'pt', 'tr', 'fr'] as const, {
  profile: 'full',
})('shows the same page in %s', async (language, { api, expect }) => {
  expect(await samePage(api, language)).toConform();
});

/** A page in two languages; when they differ, the first one again, since news may have come in. */
async function samePage(api: Api, language: Language): Promise<readonly Answer[]> {
  const first = await news(api);
  const other = await news(api, { language });
  const same = newsIds(first).join() === newsIds(other).join();
  if (same || other.status !== 200) return beside(other, first);
  return [first, other, await api.get('/news', {}, { fresh: true })];
}

requirement(
  '4.2/language-unknown',
  async ({ api, expect }) => {
    const options = { control: { query: { language: undefined } }, anyAnswer: true };
    await news(api);
    expect(await api.get('/news', { language: 'xx' }, options)).toConform();
  },
  { profile: 'full' },
);

// Filters

requirement('4.2/category-filter', 'keeps to a category beside other filters', async (context) => {
  context.expect(await filtered(context, 'category')).toConform();
});

/** The news that pass a filter, most often beside others, and all that is known without it. */
async function filtered(
  { api }: CheckContext,
  name: 'category' | 'currency_id',
): Promise<readonly Answer[]> {
  return beside(await filteredBy(api, name), await news(api, CHINESE_100), await news(api));
}

requirement.for('4.2/category-filter', [1, 2, 3, 4, 7, 13], { profile: 'full' })(
  'keeps to category %s',
  async (category, { api, expect }) => {
    expect(beside(await api.get('/news', { category }), await news(api))).toConform();
  },
);

requirement(
  '4.2/category-unknown',
  async ({ api, expect }) => {
    const options = { control: { query: { category: undefined } }, anyAnswer: true };
    await news(api);
    expect(await api.get('/news', { category: 99 }, options)).toConform();
  },
  { profile: 'full' },
);

requirement('4.2/currency-filter', async (context) => {
  context.expect(await filtered(context, 'currency_id')).toConform();
});

requirement(
  '4.2/project-filter',
  async ({ api, observe }) => {
    observe([await news(api), await ofProject(api)]);
  },
  { profile: 'full' },
);

const ofProject = async (api: Api, query: Query = {}): Promise<Answer> =>
  news(api, { project_id: await api.fixture('projectIds'), ...query });

// Which news have to do with a project is not shown, but what else is asked for holds for them, too.
requirement(
  '4.2/category-filter',
  'keeps to category, currency and range beside project_id',
  async ({ api, expect }) => {
    const known = await ofProject(api);
    const choice = await narrowing(api, known);
    expect(beside(await ofProject(api, { ...choice }), known)).toConform();
  },
  { profile: 'full' },
);

// Alone, since the other filters may leave nothing that the currency would keep out.
requirement(
  '4.2/currency-filter',
  'keeps to currency_id beside project_id',
  async ({ api, expect }) => {
    const known = await ofProject(api, { page_size: 100 });
    const filter = await oneFilter(api, 'currency_id', known);
    if (filter === undefined)
      throw new Untested('all news known of the project are matched with the same currencies');
    expect(beside(await ofProject(api, { ...filter, page_size: 100 }), known)).toConform();
  },
  { profile: 'full' },
);

for (const id of ['4.2/pages-join', '4.2/page-full', '4.2/language'] as const) {
  requirement(
    id,
    'on page 2 of the news of a project',
    async (context) => {
      const project_id = await context.api.fixture('projectIds');
      const list = { project_id, language: 'ja' };
      const first = await news(context.api, { ...list, page_size: 100 });
      if (first.status === 200 && first.records.length < 2)
        throw new Untested('the project has fewer than two news');
      const parts = [
        { ...list, page_size: 100 },
        { ...list, page: 2, page_size: Math.ceil(first.records.length / 2) },
      ];
      context.expect(await steadyPages(context, '/news', parts)).toConform();
    },
    { profile: 'full' },
  );
}

// Pages

requirement('4.2/page-default', async ({ api, expect }) => {
  expect([await news(api), await news(api, CHINESE_100)]).toConform();
});

requirement('4.2/page-size-default', async ({ api, expect }) => {
  expect(await news(api)).toConform();
});

requirement('4.2/page-size-max-accepted', async ({ api, expect }) => {
  expect(await news(api, CHINESE_100)).toConform();
});

/** Above the maximum; a language that only this request has is seen to be known. */
const OVER_MAXIMUM = { language: 'es', page_size: 201 } as const;

requirement('4.2/page-size-max', async ({ api, expect }) => {
  const answer = await api.get('/news', OVER_MAXIMUM, {
    control: { query: { page_size: undefined, language: undefined } },
    anyAnswer: true,
  });
  expect([await news(api), answer]).toConform();
});

requirement(
  '4.2/page-size-reading',
  async ({ api, observe }) => {
    observe(await api.get('/news', { page_size: 150 }));
  },
  { profile: 'full' },
);

requirement('4.2/max-items', async ({ api, expect }) => {
  expect([await news(api, CHINESE_100), await api.get('/news', OVER_MAXIMUM)]).toConform();
});

requirement('4.2/page-full', async ({ api, expect }) => {
  expect([await news(api), await news(api, CHINESE_100)]).toConform();
});

// Whichever of the bad values is refused: each of them may be what a server stumbles over (ruling 8).
const ALL_BAD = {
  currency_id: '',
  project_id: '',
  page: 0,
  page_size: 'abc',
  start_time: 'abc',
  end_time: '',
} as const;

requirement('4.2/page-invalid', 'answers bad values or refuses them', async ({ api, expect }) => {
  expect(await invalid(api, ALL_BAD)).toConform();
});

requirement.for(
  '4.2/page-invalid',
  [
    { page: -1, page_size: 0, start_time: '', end_time: 'abc' },
    { page: 'abc', page_size: -5 },
    { page: '', page_size: '', language: '', category: '' },
    { page: 0 },
    { page_size: 'abc' },
    { page_size: 0 },
    { page_size: 1.5 },
  ],
  { profile: 'full' },
)('answers %j or refuses it', async (bad, { api, expect }) => {
  expect(await invalid(api, bad)).toConform();
});

/** Plain news and the answer to bad values, whatever it is; a language and a category that are listed come with them. */
async function invalid(api: Api, bad: Query): Promise<readonly Answer[]> {
  const query = { language: 'ru', category: 7, ...bad };
  const plain = Object.fromEntries(Object.keys(query).map((name) => [name, undefined]));
  const options = { control: { query: plain }, anyAnswer: true };
  return [await news(api), await api.get('/news', query, options)];
}

requirement('4.2/page-echo', async ({ api, expect }) => {
  expect([await news(api), await news(api, CHINESE_100)]).toConform();
});

// A total that is cut says nothing wrong until a page lies behind it.
requirement(
  '4.2/total',
  'on the second page of 100',
  async ({ api, expect }) => {
    expect([
      await news(api, CHINESE_100),
      await news(api, { ...CHINESE_100, page: 2 }),
    ]).toConform();
  },
  { profile: 'full' },
);

for (const id of ['4.2/pages-join', '4.2/total', '4.2/page-echo', '4.2/page-full'] as const) {
  requirement(id, 'on page 2 of what passes several filters', async (context) => {
    const pages = await steadyPages(context, '/news', await narrowedPages(context.api));
    context.expect(pages).toConform();
  });
}

requirement(
  '4.2/pages-join',
  async (context) => {
    const parts = [{}, { page: 2 }, { page: 3 }, { page_size: 60 }];
    const pages = await steadyPages(context, '/news', parts);
    context.expect(pages).toConform();
  },
  { profile: 'full' },
);

// Time

requirement('4.2/time-filter', async (context) => {
  const known = [await news(context.api, CHINESE_100), await news(context.api)];
  context.expect(beside(await narrowed(context.api), ...known)).toConform();
});

requirement(
  '4.2/time-filter',
  'keeps everything inside',
  async ({ api, expect }) => {
    // Without another filter, the known news of the largest page has to be there, item by item.
    const { start_time, end_time } = Object.fromEntries(
      (await narrowed(api)).exchange.request.query,
    );
    const inside = await news(api, { ...CHINESE_100, start_time, end_time });
    expect([await news(api, CHINESE_100), inside]).toConform();
  },
  { profile: 'full' },
);

requirement.for('4.2/time-filter', ['start_time', 'end_time'] as const, { profile: 'full' })(
  'knows %s alone',
  async (name, { api, expect }) => {
    const range = Object.fromEntries((await narrowed(api)).exchange.request.query);
    const half = await news(api, { ...CHINESE_100, [name]: range[name] });
    expect([await news(api, CHINESE_100), half]).toConform();
  },
);

requirement('4.2/window', async ({ api, expect }) => {
  const answer = await api.get('/news', await oldRange(api), { anyAnswer: true });
  // An empty answer and a refusal keep the window; the range inside of it shows that the filter works at all.
  expect([answer, await narrowed(api)]).toConform();
});

requirement('4.2/window-answer', async ({ api, expect }) => {
  const answer = await api.get('/news', await oldRange(api), { anyAnswer: true });
  expect([await news(api), answer]).toConform();
});

requirement('4.2/order', async ({ api, observe }) => {
  observe([await news(api), await news(api, CHINESE_100)]);
});
