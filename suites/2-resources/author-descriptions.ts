// §2.7 author_description: always English.
import { isJudgeable } from '../../src/judge/context.ts';
import { show } from '../../src/judge/judgement.ts';
import { askedLanguage, idOf, newsItems, type NewsItem } from '../../src/judge/news-items.ts';
import { judgeAll } from '../../src/judge/judge.ts';

/**
 * The description does not depend on the language. An author may edit it between two requests, so a single differing
 * author is not a finding.
 */
export const sameInEachLanguage = judgeAll((views, context, it) => {
  const judgeable = views.filter((view) => isJudgeable(view, context));
  const english = new Map<string, string>();
  for (const view of judgeable) {
    if (askedLanguage(view) !== 'en') continue;
    for (const item of newsItems(view)) {
      const { author_description: text } = item.value;
      const id = idOf(item);
      if (id !== undefined && typeof text === 'string') english.set(id, text);
    }
  }
  for (const view of judgeable) {
    const asked = askedLanguage(view);
    if (asked === undefined || asked === 'en') continue;
    const differing: { item: NewsItem; text: string; other: string; isForeign: boolean }[] = [];
    for (const item of newsItems(view)) {
      const { author_description: text } = item.value;
      const other = english.get(idOf(item) ?? '');
      if (typeof text !== 'string' || other === undefined) continue;
      it.judged(view);
      const isForeign = FOREIGN.test(text) && !FOREIGN.test(other);
      if (text !== other) differing.push({ item, text, other, isForeign });
    }
    const authors = new Set(differing.map(({ item }) => String(item.value['author'])));
    const first = differing.find(({ isForeign }) => isForeign) ?? differing[0];
    if (first === undefined || (authors.size < 2 && !first.isForeign)) continue;
    it.found(view, {
      kind: 'author-text-differs',
      facts: { authors: authors.size, language: asked },
      expected: `${show(first.other)}, as in English`,
      actual: show(first.text),
      pointer: `${first.item.pointer}/author_description`,
    });
  }
});

/** Letters that do not occur in English. */
const FOREIGN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Cyrillic}\p{Script=Hangul}]/u;
