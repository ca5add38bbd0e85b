import type { Language } from '../../spec/values.ts';
import type { JsonObject } from '../world.ts';
import type { Currency } from './currencies.ts';
import facts from './facts/news-facts.json' with { type: 'json' };
import { contentHtml } from './news-html.ts';
import { dice, hex, pickAt, type Dice, type Stream } from './prng.ts';
import { TEXTS } from './texts/index.ts';
import { fill, type Blanks, type Category } from './texts/texts.ts';

/** What an item is before a language is chosen. */
export interface NewsSeed {
  readonly id: string;
  readonly releaseTime: number;
  readonly category: Category;
  readonly currencies: readonly Currency[];
  /** How many people saw it. */
  readonly impressions: number;
  /** From a social network: it then quotes a post. */
  readonly social: boolean;
  readonly blanks: Blanks;
  readonly source: Stream;
}

interface Author {
  readonly handle: string;
  readonly nickname: string;
  readonly about: string;
  readonly verified: 1 | 0 | null;
  readonly kind: string;
}

const AUTHORS = facts.authors as readonly Author[];
const TAGS: readonly string[] = facts.tags;
const MEDIA: readonly (readonly [type: string, ending: string])[] = [
  ['photo', 'jpg'],
  ['video', 'mp4'],
  ['gif', 'gif'],
];
const CDN = 'https://cdn.example.com';

/** A news item with all fields of §2.7 in one language. Everything but the texts is the same in every language. */
export function newsItem(news: NewsSeed, language: Language): JsonObject {
  const { id, category, currencies, blanks, source, impressions, releaseTime } = news;
  const texts = TEXTS[language];
  const roll = dice(source, 2);
  const author = roll.pick(AUTHORS);
  const matched = currencies.length > 0;
  const title = pickAt(matched ? texts.titles[category] : texts.generalTitles, roll.next());
  const lead = pickAt(matched ? texts.leads : texts.generalLeads, roll.next());
  const original = news.social
    ? `https://social.example.com/${author.handle}/status/${id}`
    : `https://press.example.org/${author.handle}/${id}`;
  const image = `${CDN}/covers/${hex(source, 12)}.jpg`;
  let content: string | undefined;
  return {
    id,
    source_link: `https://platform.example.com/news/${id}`,
    original_link: original,
    release_time: releaseTime,
    title: fill(title, blanks),
    // Written out when it is read: a search looks at the titles of thousands of items.
    get content(): string {
      return (content ??= contentHtml(texts, { source, blanks, lead, link: original, image }));
    },
    author: author.handle,
    author_description: author.about,
    author_avatar_url: `${CDN}/avatars/${author.handle}.png`,
    impression_count: impressions,
    like_count: Math.floor(impressions * (0.002 + 0.02 * roll.next())),
    reply_count: Math.floor(impressions * 0.003 * roll.next()),
    repost_count: Math.floor(impressions * 0.005 * roll.next()),
    category,
    feature_image: image,
    nick_name: author.nickname,
    is_blue_verified: author.verified,
    verified_type: author.kind,
    matched_currencies: currencies.map((one) => ({
      id: one.id,
      full_name: one.name,
      name: one.symbol,
    })),
    tags: roll.several(TAGS, roll.int(0, 3)),
    media_info: media(roll, news.social ? roll.int(0, 3) : roll.int(0, 1)),
    quote_info: news.social ? quote(roll, releaseTime, pickAt(texts.quotes, roll.next())) : null,
  };
}

/** Attachments; the service may lack the original address of one. */
function media(roll: Dice, count: number): JsonObject[] {
  return Array.from({ length: count }, () => {
    const [type, ending] = roll.pick(MEDIA);
    const file = roll.int(100_000_000, 999_999_999).toString(36);
    return {
      platform_url: `${CDN}/media/${file}.${ending}`,
      original_url: roll.chance(0.25) ? '' : `https://media.example.net/${file}.${ending}`,
      short_url: `https://sho.example/${file}`,
      type,
    };
  });
}

function quote(roll: Dice, releaseTime: number, content: string): JsonObject {
  const author = roll.pick(AUTHORS);
  const seen = roll.int(500, 400_000);
  const post = roll.int(1_000_000_000, 9_999_999_999);
  return {
    content,
    impression_count: seen,
    like_count: Math.floor(seen * 0.015 * roll.next()),
    reply_count: Math.floor(seen * 0.002 * roll.next()),
    repost_count: Math.floor(seen * 0.004 * roll.next()),
    created_at: releaseTime - roll.int(60, 72_000) * 1000,
    media_info: media(roll, roll.int(0, 2)),
    original_url: `https://social.example.com/${author.handle}/status/${post}`,
    author_avatar_url: `${CDN}/avatars/${author.handle}.png`,
    author: author.handle,
    nick_name: author.nickname,
    is_blue_verified: author.verified,
    verified_type: author.kind,
  };
}
