import type { Family } from './types.ts';
import { says } from './types.ts';

/** Guidance for groups of requirements of §4: limits, windows, ranges, pages, filters, rows, plain requests. */
export const ENDPOINT_FAMILIES: readonly Family[] = [
  {
    ids: /^4\.\d\/.*limit-default$/,
    guidance: says(
      'Most callers send no limit. A default of another size changes what they see without any error.',
      'The default of another endpoint is used, or that of a framework.',
      'limit is applied before a filter or after de-duplication, so that fewer rows come out.',
    ),
  },
  {
    ids: /^4\.\d\/.*limit-exact$/,
    guidance: says(
      'A caller who asks for n rows and gets another number has to guess whether the data ends there.',
      'An off-by-one at either end of the range (`<` for `<=`).',
      'limit counts calendar days, and weekends are taken out afterwards.',
      'limit is ignored below some internal page size.',
    ),
  },
  {
    ids: /^4\.\d\/.*limit-max$/,
    guidance: says(
      'A bound that is not enforced lets one caller take what it protects, and callers come to rely on it.',
      'The bound is checked for one endpoint or parameter only.',
      'The check compares texts, so that "1000" is below "300".',
    ),
  },
  {
    ids: /^4\.\d\/.*(?:limit-max|page-size-max)-accepted$|^4\.2\/featured-page-size-bounds$/,
    guidance: says(
      'Callers that want few requests use the stated maximum; when the bound itself is refused, they break at once.',
      'The comparison excludes the bound (`>=` for `>`).',
      'A gateway has a lower bound of its own.',
    ),
  },
  {
    ids: /^4\.\d\/.*(?:limit|page)-invalid$/,
    guidance: says(
      'Bad input must not become a server error: a 5xx wakes up whoever runs the service, for a slip of a caller.',
      'The text reaches a number parser or the database unchecked, and the exception becomes a 500.',
      'A negative number reaches LIMIT or OFFSET of a query.',
    ),
  },
  {
    ids: /^4\.\d\/.*limit-part$/,
    guidance: says(
      'A smaller limit that gives other rows means that two callers see two histories.',
      'Different limits are served from different caches or replicas.',
      'The order is not fixed for rows of the same time.',
    ),
  },
  {
    ids: /^4\.\d\/(?:klines-)?window$/,
    guidance: says(
      'Older records are not promised: callers that build on them break when they go away.',
      'The bound is applied to requests with a range, but not to the default one.',
      'The window is counted from the last record instead of from today.',
      'The bound is applied to one of start and end only.',
    ),
  },
  {
    ids: /window-answer$/,
    guidance: says(
      'The specification leaves open how such a range is answered, but not that the answer has a documented shape.',
      'The refusal comes from a gateway and is a page of HTML or a bare text.',
      'The range reaches the database and ends in a 500.',
    ),
  },
  {
    ids: /(?:-|\/)range$/,
    guidance: says(
      'Who asks for a period and gets other days computes wrong sums without noticing.',
      'One end is taken as exclusive.',
      'The bounds are read in local time, so that a day is lost or won.',
      'One of the two parameters is ignored.',
    ),
  },
  {
    ids: /klines-interval-(?:required|enum)$/,
    guidance: says(
      'A candle of another length than believed is the dearest mistake in charts: nothing about it looks wrong.',
      'A missing or unknown interval falls back to 1d instead of being refused.',
      'The enum is compared without regard to case, so that 1D passes.',
      'The refusal has the code of a missing parameter (400002) where a wrong value (400003) is due, or the reverse.',
    ),
  },
  {
    ids: /klines-(?:one-order|order)$|(?:macro-order|4\.2\/order)$/,
    guidance: says(
      'Which order comes is not stated, but mixed order and double timestamps break every indicator computed over it.',
      'The live candle is appended to a cached list that holds it already.',
      'Two sources are joined without sorting.',
    ),
  },
  {
    ids: /page-size-(?:default|max)$/,
    guidance: says(
      'Readers compute the number of pages from the size; another one makes them skip or repeat records.',
      'The size is not bounded, or that of the framework is used.',
      'An over-large value is taken as it is, although a smaller one is echoed.',
    ),
  },
  {
    ids: /page-size-minimum$|featured-page-minimum$/,
    guidance: says(
      'The parameter has a stated minimum; what lies below it is a slip that the caller should hear of.',
      'Only the maximum is checked.',
      'Page 0 is taken as the first page by a service that counts from 0 inside.',
    ),
  },
  {
    ids: /page-full$/,
    guidance: says(
      'Readers stop at the first page that is not full. A short page in the middle ends their download early.',
      'Hidden or filtered records are taken out after the page was cut.',
      'Duplicates are removed after the page was cut.',
    ),
  },
  {
    ids: /page-echo$/,
    guidance: says(
      'The echo is how a caller learns that its page_size was brought into the range.',
      'The envelope repeats the request instead of what was used.',
      'Pages are counted from 0 inside and from 1 outside.',
    ),
  },
  {
    ids: /pages-(?:join|differ)$/,
    guidance: says(
      'Records at the seam of two pages are lost or doubled for everybody who reads page by page.',
      'The order has ties and no last criterion, so that it differs from query to query.',
      'The offset is computed from another page size than the one in use.',
      'Page 2 comes from a cache that is older than page 1.',
    ),
  },
  {
    ids: /(?:pairs-total|4\.2\/(?:featured-)?total)$/,
    guidance: says(
      'Readers plan with total how many pages to fetch.',
      'total is the number of records on this page.',
      'total ignores the filter, or is an estimate of the database.',
    ),
  },
  {
    ids: /category-filter$|category-list$/,
    guidance: says(
      'A feed for one category that holds others cannot be shown to the reader it was made for.',
      'The parameter is ignored for one of the categories, often the highest number.',
      'Only the first of several categories is used, or the list is not split at commas.',
    ),
  },
  {
    ids: /^4\.2\/(?:language|quote-language|featured-language)$/,
    guidance: says(
      'Readers show the text as it comes. A text in another language is a defect that every user sees.',
      'News that is not translated yet falls back to English or Chinese without saying so.',
      'title is translated, content or the quote is not.',
      'zh and tc (simplified and traditional) are exchanged.',
    ),
  },
  {
    ids: /^4\.2\/(?:language|category)-unknown$/,
    guidance: says(
      'A caller with a typo gets the default and takes it for what was asked.',
      'The value falls back to the default; this is recorded as well as reported.',
    ),
  },
  {
    ids: /^4\.[34]\/(?:weekends|holidays)$/,
    guidance: says(
      'A row for a day without trading shifts every average over trading days.',
      'Days are generated from the calendar, and filled with zeros or the figures of the day before.',
      'The date is that of the batch (UTC), not of the trading day: Friday night in New York is Saturday.',
      'The holidays of the other country are used.',
    ),
  },
  {
    ids: /^4\.[34]\/date-unique$/,
    guidance: says(
      'Sums over rows count a day twice.',
      'A correction is stored as a second row instead of replacing the first.',
      'A preliminary and a settled row of one day both come out.',
    ),
  },
  {
    ids: /^4\.[34]\/cumulative$/,
    guidance: says(
      'Daily and cumulative inflow are shown side by side; when they disagree, one of them is wrong in public.',
      'A correction changed the daily figure and not the sum, or the reverse.',
      'The sum skips days on which a fund was listed or closed.',
      'Figures are rounded in one of the two columns.',
    ),
  },
  {
    ids: /^4\.[34]\/order$/,
    guidance: says(
      'Readers take the first row for the latest. In the other order they show the oldest day as today.',
      'The list is sorted for a chart (oldest first), or as texts of another form.',
      'The order holds without parameters and is lost with limit or a range.',
    ),
  },
  {
    ids: /^4\.3\/(?:symbol|country)-case$/,
    guidance: says(
      'Callers were promised that btc and BTC are the same.',
      'Only all-lower and all-upper case are handled; mixed case is refused.',
      'The case matters for the cache, so that the two give different ages of data.',
    ),
  },
  {
    ids: /(?:symbol|country|featured-page|featured-page-size)-required$/,
    guidance: says(
      'A parameter that is required and silently defaulted hides the slip of a caller until somebody looks at the figures.',
      'A default is used instead of a refusal.',
      'The code is 400003 or 400001 where a missing parameter has 400002.',
    ),
  },
  {
    ids: /^4\.7\//,
    guidance: says(
      'Only existence and purpose are stated for this endpoint; when it is gone, everything that starts from it is gone.',
      'It is not deployed on this environment, or lies below another base path.',
      'The key has no access to it.',
      'It answers with a page of HTML or an empty body.',
    ),
  },
  {
    ids: /^4\.[1-6]\/(?:info|market-snapshot|token-economics|klines|pairs|fundraising|news|featured|summary-history|history|macro-history|analyses|listed|charts-resolve)$/,
    guidance: says(
      'This is the plain request of the endpoint. Nothing else about it can be judged while it fails.',
      'The identifier of the target file does not exist on this environment.',
      'The body is wrapped, or of another kind: an object for an array, an empty body, HTML.',
      'The back end of the endpoint is down, and the gateway says so.',
    ),
  },
];
