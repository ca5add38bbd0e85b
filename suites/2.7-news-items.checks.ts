// §2.7 News items: what their fields mean, beyond their presence and type.
import type { RequirementId } from '../src/contract/requirement-id.ts';
import { requirement } from '../src/suite/index.ts';
import { CHINESE_100, featured, news } from '../src/ask/requests/news.ts';

const IN_EVERY_LIST: readonly RequirementId[] = [
  '2.7/id-unique',
  '2.7/html-tags',
  '2.7/counts-non-negative',
  '2.7/release-not-future',
  '2.7/urls',
];

for (const id of IN_EVERY_LIST) {
  requirement(
    id,
    async ({ api, expect }) => {
      expect([await news(api), await featured(api)]).toConform();
    },
    { profile: 'smoke' },
  );
}

requirement('2.7/html-tags', 'holds for 100 news', async ({ api, expect }) => {
  expect(await news(api, CHINESE_100)).toConform();
});

requirement('2.7/author-description-language', async ({ api, expect }) => {
  expect([await news(api), await news(api, CHINESE_100)]).toConform();
});
