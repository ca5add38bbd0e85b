import { check, part } from '../ask/index.ts';
import { bothLists } from '../../suites/4.2-news/featured-requests.ts';
import { besideInfo, largest, plainAndLargest } from '../../suites/4.2-news/requests.ts';
import { MATCHED_NAMES } from '../rules/matched-names.ts';
import { NEWS_HTML } from '../rules/news-html.ts';
import { NEWS } from '../rules/news.ts';
import { NON_NEGATIVE, URLS } from './advice.ts';
import { about, must, should } from './definition.ts';

const IN_BOTH_LISTS = check(bothLists);

/** Requirements of §2.7 beyond presence and type of single fields. */
export const NEWS_ITEM_REQUIREMENTS = about(['/news', '/news/featured'], {
  '2.7/id-unique': must({
    title: 'News ids are unique within an answer',
    clauses: ['2.7 id'],
    why: 'Readers use the id as the key of a list; a double one overwrites or hides an item.',
    usually: [
      'An item is listed once for each of its categories or currencies.',
      'Pinned items are put in front and not taken out of the list.',
    ],
    checks: [IN_BOTH_LISTS],
    judge: NEWS.idUnique,
  }),
  '2.7/html-tags': must({
    title: 'Content holds only the HTML tags that the specification lists',
    clauses: ['2.7 html tags', '2.7 content'],
    why: 'The list of tags is what readers let through. Anything else is shown as text, dropped, or is an attack.',
    usually: [
      'Content of another site is passed on with its tables, frames or scripts.',
      'A tag is right and its attributes are not: see the finding.',
    ],
    checks: [IN_BOTH_LISTS, part('holds for 100 news', largest)],
    judge: NEWS_HTML.htmlTags,
  }),
  '2.7/counts-non-negative': should({
    title: 'Engagement counts are not negative',
    clauses: ['2.7 impression_count, like_count, reply_count, repost_count'],
    ...NON_NEGATIVE,
    checks: [IN_BOTH_LISTS],
    judge: NEWS.countsNonNegative,
  }),
  '2.7/release-not-future': should({
    title: 'No news is released in the future',
    clauses: ['2.7 release_time'],
    rulings: [22],
    why: 'News from the future is sorted to the top for hours.',
    usually: [
      'Local time is stored as UTC, so that news is some hours ahead.',
      'Scheduled items are published before their time.',
    ],
    checks: [IN_BOTH_LISTS],
    judge: NEWS.releaseNotFuture,
  }),
  '2.7/urls': should({
    title: 'Links and images of news are http(s) URLs or empty',
    clauses: ['2.7 source_link', '2.7 original_link', '2.7 author_avatar_url', '2.7 feature_image'],
    ...URLS,
    checks: [IN_BOTH_LISTS],
    judge: NEWS.urls,
  }),
  '2.7/author-description-language': should({
    title: 'The author description stays the same (English) whichever language is asked for',
    defect: 'filters and windows',
    clauses: ['2.7 author_description'],
    rulings: [22],
    why: 'The description is promised in English for every language.',
    usually: ['It is translated with the rest of the item.'],
    checks: [check(plainAndLargest)],
    judge: NEWS.authorDescriptionLanguage,
  }),
  '2.7/matched-names': should({
    title: 'A matched currency has its full name in full_name and its symbol in name',
    clauses: ['2.7 matched_currencies', '2.1 name', '2.1 symbol'],
    rulings: [22],
    needs: ['currencyIds'],
    shownBy: 'news about a currency, and currency info of it',
    why: 'The field called name holds the symbol: readers who look prices up by it find none.',
    usually: [
      'name is filled from the field of currency info that is also called name.',
      'The two columns are swapped in the join of news and currencies.',
    ],
    checks: [check(besideInfo)],
    judge: MATCHED_NAMES.matchedNames,
  }),
});
