// §4.2 News: filters, languages and pages of GET /news.
import type { Language } from '../src/contract/values.ts';
import { idsOf } from '../src/rules/news-items.ts';
import { isObject } from '../src/rules/view.ts';
import { requirement, type Answer } from '../src/suite/index.ts';
import {
  busiestCurrency,
  CHINESE_100,
  DEFAULTS,
  knownRange,
  legible,
  news,
  oldRange,
  RESEARCH_TC,
} from './news-requests.ts';

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
    expect(legible(await news(api), 'en', ['title', 'content'])).toConform();
  },
  { profile: 'smoke' },
);

requirement('4.2/language-default', 'is the same as language=en', async ({ api, expect }) => {
  expect([await news(api), await news(api, DEFAULTS)]).toConform();
});

const IN_ANOTHER_WAY: Readonly<Partial<Record<Language, object>>> = {
  zh: CHINESE_100,
  tc: RESEARCH_TC,
};

requirement.for('4.2/language', ['en', 'zh', 'tc', 'ja', 'ru'] as const)(
  'speaks %s',
  async (language, { api, expect }) => {
    expect(await spoken(api, language)).toConform();
  },
);

requirement.for('4.2/language', ['vi', 'es', 'pt', 'tr', 'fr'] as const, { profile: 'full' })(
  'speaks %s',
  async (language, { api, expect }) => {
    expect(await spoken(api, language)).toConform();
  },
);

/** News in a language, and in English to compare with. */
async function spoken(api: Parameters<typeof news>[0], language: Language): Promise<Answer[]> {
  const query = await queryIn(api, language);
  const answer = legible(await news(api, query), language, ['title', 'content']);
  return language === 'en' ? [answer] : [answer, await news(api, DEFAULTS)];
}

async function queryIn(api: Parameters<typeof news>[0], language: Language) {
  if (language === 'en') return DEFAULTS;
  if (language === 'ru') return filteredTwice(api);
  return { language, ...IN_ANOTHER_WAY[language] };
}

requirement('4.2/quote-language', async ({ api, expect }) => {
  const answer = legible(await news(api, CHINESE_100), 'zh', ['quote']);
  expect([answer, await news(api, DEFAULTS)]).toConform();
});

requirement.for('4.2/languages-share-ids', ['ja'] as const)(
  'shows the same page in %s',
  async (language, { api, expect }) => {
    expect(await samePage(api, language)).toConform();
  },
);

requirement.for('4.2/languages-share-ids', ['vi', 'es', 'pt', 'tr', 'fr'] as const, {
  profile: 'full',
})('shows the same page in %s', async (language, { api, expect }) => {
  expect(await samePage(api, language)).toConform();
});

/** A page in two languages; when they differ, the first one again, since news may have come in. */
async function samePage(api: Parameters<typeof news>[0], language: Language): Promise<Answer[]> {
  const first = await news(api);
  const other = await news(api, { language });
  const same = newsIds(first).join() === newsIds(other).join();
  return same ? [first, other] : [first, other, await api.get('/news', {}, { fresh: true })];
}

function newsIds({ records }: Answer): readonly string[] {
  return idsOf(
    records.flatMap(({ pointer, value }) => (isObject(value) ? [{ pointer, value }] : [])),
  );
}

requirement(
  '4.2/language-unknown',
  async ({ api, expect }) => {
    const options = { control: { query: { language: undefined } }, anyAnswer: true };
    expect(await api.get('/news', { language: 'xx' }, options)).toConform();
  },
  { profile: 'full' },
);

// Filters

requirement('4.2/category-filter', 'keeps to a category', async ({ api, expect }) => {
  expect([await news(api), await api.get('/news', RESEARCH_TC)]).toConform();
});

requirement(
  '4.2/category-filter',
  'keeps to a category beside another filter',
  async ({ api, expect }) => {
    expect(await news(api, await filteredTwice(api))).toConform();
  },
);

requirement.for('4.2/category-filter', [1, 3, 4, 7, 13], { profile: 'full' })(
  'keeps to category %s',
  async (category, { api, expect }) => {
    expect([await news(api), await api.get('/news', { category })]).toConform();
  },
);

requirement(
  '4.2/category-unknown',
  async ({ api, expect }) => {
    const options = { control: { query: { category: undefined } }, anyAnswer: true };
    expect(await api.get('/news', { category: 99 }, options)).toConform();
  },
  { profile: 'full' },
);

/** Two filters at once, in Russian: the category that most news are in, and the currency they are most about. */
async function filteredTwice(api: Parameters<typeof news>[0]) {
  return { currency_id: await busiestCurrency(api), category: 1, language: 'ru' };
}

requirement('4.2/currency-filter', async ({ api, expect }) => {
  expect(await news(api, await filteredTwice(api))).toConform();
});

requirement(
  '4.2/project-filter',
  async ({ api, observe }) => {
    const project_id = await api.fixture('projectIds');
    observe([await news(api), await api.get('/news', { project_id })]);
  },
  { profile: 'full' },
);

// Pages

requirement('4.2/page-default', async ({ api, expect }) => {
  expect([await news(api), await news(api, DEFAULTS)]).toConform();
});

requirement('4.2/page-size-default', async ({ api, expect }) => {
  expect(await news(api)).toConform();
});

requirement('4.2/page-size-max-accepted', async ({ api, expect }) => {
  expect(await news(api, CHINESE_100)).toConform();
});

requirement('4.2/page-size-max', async ({ api, expect }) => {
  const answer = await api.get(
    '/news',
    { page_size: 201 },
    { control: { query: { page_size: undefined } }, anyAnswer: true },
  );
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
  expect([await news(api, CHINESE_100), await api.get('/news', { page_size: 201 })]).toConform();
});

requirement('4.2/page-full', async ({ api, expect }) => {
  expect([await news(api), await news(api, { page: 2 }), await news(api, CHINESE_100)]).toConform();
});

requirement.for('4.2/page-invalid', ['page_size=abc'])(
  'answers %s or refuses it',
  async (text, { api, expect }) => {
    expect(await invalidPage(api, text)).toConform();
  },
);

requirement.for(
  '4.2/page-invalid',
  ['page=0', 'page=-1', 'page=abc', 'page_size=0', 'page_size=-5', 'page_size=1.5'],
  { profile: 'full' },
)('answers %s or refuses it', async (text, { api, expect }) => {
  expect(await invalidPage(api, text)).toConform();
});

/** Plain news and the answer to an odd page, whatever it is. */
async function invalidPage(api: Parameters<typeof news>[0], text: string): Promise<Answer[]> {
  const [name = '', value = ''] = text.split('=');
  const options = { control: { query: { [name]: undefined } }, anyAnswer: true };
  return [await news(api), await api.get('/news', { [name]: value }, options)];
}

requirement('4.2/page-echo', async ({ api, expect }) => {
  expect([await news(api), await news(api, { page: 2 }), await news(api, CHINESE_100)]).toConform();
});

requirement(
  '4.2/pages-join',
  async ({ api, expect }) => {
    expect([
      await news(api),
      await news(api, { page: 2 }),
      await news(api, { page_size: 40 }),
    ]).toConform();
  },
  { profile: 'full' },
);

requirement('4.2/total', async ({ api, expect }) => {
  expect([await news(api), await news(api, { page: 2 })]).toConform();
});

// Time

requirement('4.2/time-filter', async ({ api, expect }) => {
  expect([await news(api, CHINESE_100), await news(api, await knownRange(api))]).toConform();
});

requirement('4.2/window', async ({ api, expect }) => {
  const answer = await api.get('/news', await oldRange(api));
  // An empty answer and a refusal keep the window; the range inside of it shows that the filter works at all.
  expect([answer, await news(api, await knownRange(api))]).toConform();
});

requirement('4.2/window-answer', async ({ api, expect }) => {
  const answer = await api.get('/news', await oldRange(api), { anyAnswer: true });
  expect([await news(api), answer]).toConform();
});

requirement('4.2/order', async ({ api, observe }) => {
  observe([await news(api), await news(api, CHINESE_100)]);
});
