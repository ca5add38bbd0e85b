import type { Guidance } from './types.ts';
import { says } from './types.ts';

/** Guidance for requirements that surprise, or fail for reasons of their own. */
export const OWN: Readonly<Record<string, Guidance>> = {
  '4/bare-body': says(
    'Every generated client expects the object or array itself. One envelope around all bodies breaks all of them.',
    'A framework or gateway wraps each body in {code, message, data}. Set `envelope: data` to judge what is inside; the violation stays.',
    'Only errors are wrapped, or only lists.',
  ),
  '4/json-body': says(
    'A client that parses JSON stops at the first character of anything else.',
    'A gateway or proxy answers with its own page of HTML: look at the status and at the server header of the exchange.',
    'A byte order mark stands before the JSON, or two documents follow each other.',
    'NaN or Infinity stands for a missing figure, which JSON does not have.',
  ),
  '4/content-type': says(
    'Browsers and many clients decide by the content type whether to parse.',
    'The type is text/plain or text/html by default of the server, often on errors only.',
  ),
  '4/no-5xx': says(
    'A well-formed GET changes nothing and asks for nothing unusual; a server error is always a defect of the service.',
    'A value at the edge of what is allowed (an empty window, the last page) was not foreseen.',
    'The back end times out under load; look whether it came back when the request was repeated.',
  ),
  '2/null-figures': says(
    'No clause allows null here, so a typed client may stop at it, though there may be nothing else to send.',
    'A supply or an extreme that was never recorded is stored as null.',
    'A source failed, and its figures are null for all records.',
  ),
  '2.2/price-agrees': says(
    'Two answers about one currency that are worlds apart cannot both be right.',
    'The snapshot is that of another currency, often the first one, from a cache whose key leaves out the identifier.',
    'One of the prices is in another currency, or for a thousand or a million tokens.',
  ),
  '4.1/own-record': says(
    'Who asks for one currency and gets the figures of another trades on the wrong price.',
    'The identifier in the path is not used: the first record, or that of the largest currency, is always sent.',
    'The record comes from a cache whose key leaves out the identifier.',
  ),
  '4.1/pairs-order-default': says(
    'Callers take the first page for the largest markets.',
    'The order is by rank of the exchange or by price, not by the 24h volume in the answer.',
    'Volumes moved between sorting and sending: the order is judged on the figures in one answer, so the list should be sorted by those.',
    'Pairs without volume (null, "") are sorted to the top.',
  ),
  '4.1/pairs-exchange-filter': says(
    'Who asks for one exchange and gets others adds up the wrong market.',
    'The filter is ignored, or matches a part of the name.',
    'The filter compares with an internal id of the exchange, so that the shown name finds nothing.',
  ),
  '4.1/pairs-exchange-complete': says(
    'A filter that leaves pairs out understates a market.',
    'The filter is applied to the first page only.',
    'The name is compared with regard to case or to spaces.',
  ),
  '4.2/language-default': says(
    'Most callers send no language and were promised English.',
    'The language is taken from Accept-Language or from the address of the caller.',
    'The default is that of the platform.',
  ),
  '4.2/languages-share-ids': says(
    'Readers switch the language of a page and expect the same news.',
    'News is filtered by whether it is translated.',
    'Each language has ids of its own.',
  ),
  '4.2/max-items': says(
    '200 is the stated maximum of one answer, whatever page_size says.',
    'page_size is not bounded at all.',
    'The bound is applied with some filters and not with others.',
  ),
  '4.2/page-default': says(
    'Without page the first one is promised.',
    'Pages are counted from 0 inside, and the default is 1.',
  ),
  '4.2/currency-filter': says(
    'News of another currency under the one asked for misleads.',
    'The filter searches the text instead of matched_currencies.',
    'matched_currencies is cut to a few entries after filtering.',
  ),
  '4.2/time-filter': says(
    'Readers that poll with start_time miss or repeat news.',
    'The filter uses the time of import and not release_time.',
    'The bounds are read as seconds.',
    'One end is exclusive.',
  ),
  '4.2/featured-excluded-fields': says(
    'Featured news is promised without these five fields; some of them cost the platform money to show.',
    'The records of /news are passed on unchanged.',
    'The fields are there, with null or 0.',
  ),
  '4.3/symbol-enum': says(
    'A symbol that is not offered must be refused with a code of its own, so that a typo is not taken for a market without flows.',
    'An unknown symbol gives an empty list with 200.',
    'It gets 400001, the code of a pair that is not listed in the country, because both are looked up in one table.',
    'The list in details.constraint differs from the one that is enforced.',
  ),
  '4.3/country-enum': says(
    'Only US and HK exist; another country must not look like one without flows.',
    'An unknown country gives an empty list with 200.',
    'The value falls back to US.',
  ),
  '4.3/country-enum-code': says(
    'The clause names no code for a country; 400003 is what a value outside an enum has elsewhere.',
    'The pair of symbol and country is looked up as one, so that 400001 comes out.',
  ),
  '4.3/unlisted': says(
    'LTC exists and HK exists, but there is no LTC fund in HK: this is told apart from a symbol that does not exist.',
    'The answer is an empty list with 200.',
    'The code is 400003, as if the symbol were unknown.',
  ),
  '2.10/released': says(
    'A history without figures says nothing but when something was released.',
    'The figures are kept under other names, and null stands for what was not found.',
    'Only the calendar was imported, not what was released.',
  ),
  '4.3/own-rows': says(
    'Flows of one asset under the name of another are believed by whoever asks for them.',
    'The symbol or the country is validated and then not used in the query.',
    'The cache key leaves one of the two out.',
  ),
  '4.3/recent': says(
    'Flows of last month look like those of today when nobody reads the dates.',
    'The feed stopped, and the service goes on answering with what it has.',
    'A time zone or a date format keeps the newest rows out of the query.',
  ),
  '4.4/recent': says(
    'A history that ends weeks ago is one that nobody fills any more, unless the ETF was closed.',
    'The import of the source failed and was not repeated.',
    'All tickers of the target file are those of closed ETFs: add one that trades.',
  ),
  '4.4/own-rows': says(
    'Two ETFs with the same turnover, assets and flows on every day are one ETF under two names.',
    'The ticker of the path is only written into the rows, and not used in the query.',
    'The cache key leaves the ticker out.',
    'Two tickers of the target file are counters of the same fund.',
  ),
  '4.1/klines-own': says(
    'Candles of another currency draw a chart that nobody can see to be wrong.',
    'The cache key leaves the currency out.',
    'Two ids of the target file stand for the same currency.',
  ),
  '4.5/klines-own': says(
    'Candles of another company draw a chart that nobody can see to be wrong.',
    'The cache key leaves the ticker out.',
    'Two tickers of the target file stand for the same company.',
  ),
  '4.4/t1-not-zero': says(
    'A figure of 0 is taken for a fund without flows, without assets even; only null says that it is not known.',
    'null is turned into 0 on its way out of the database.',
    'The row is created with the defaults of its number columns.',
  ),
  '4.4/volume-of-shares': says(
    'As a number, volume is read as shares; the turnover in USD is too large by the price of a share.',
    'The text of the known issue was turned into a number, and what it holds was left as it is.',
  ),
  '4.4/t1-group': says(
    'Readers test one of the five figures for null and use the other four. A row that is half settled gives them figures of two days.',
    'One figure (often currency_share or prem_dsc) is computed by another job, and comes earlier or later.',
    'A figure that cannot be computed is null for good.',
  ),
  '4.4/t1-newest-only': says(
    'A day settles on the next trading day. A null further back is a hole that no later day will fill.',
    'The batch failed on one day and was not repeated.',
    'Days before the launch of a fund are listed with nulls.',
    'The newest row is not the first one, because the order is wrong.',
  ),
  '4.4/t1-filled': says(
    'The row of the current day exists for the sake of turnover and volume; without them it should not be there.',
    'The row is created at midnight, before the first trade.',
  ),
  '4.4/t1-completes': says(
    'Whoever waits for the settled figures of a day waits for ever.',
    'Settlement failed for this day.',
    'The batch runs later than on the next day, for instance for funds in HK.',
    'A new row was written instead of completing the old one.',
  ),
  '4.4/volume-equals-turnover': says(
    'This is a known issue of the specification: volume is a text and holds the turnover. A text with anything else is neither the issue nor its repair.',
    'The share count is sent as a text.',
    'The two figures are rounded differently, or taken at different times.',
  ),
  '4.4/snapshot-settled': says(
    'The snapshot is where readers are sent for settled figures; null there leaves them without any.',
    'The snapshot takes the newest row of the history as it is.',
  ),
  '4.4/t1-current-day': says(
    'An unsettled row of an earlier day is one that was never settled.',
    'The clock of the target is set, or the trading day is counted in UTC.',
    'Settlement is late; see 4.4/t1-completes.',
  ),
  '5/key-required': says(
    'An endpoint that answers without a key gives away what is sold, and cannot be limited.',
    'One endpoint lies outside the gateway: the finding names it.',
    'Answers come from a cache that stands before the check of the key.',
  ),
  '5/header-case': says(
    'HTTP says that names of headers have no letter case, and proxies do change it.',
    'The header is looked up in a table of raw names.',
  ),
  '7/error-shape': says(
    'Clients read code, message and details of every error; an error of another shape becomes an exception in the error handling.',
    'Errors of the gateway, the router or the framework have a shape of their own: look at 404 and 405.',
    'code is a text, details is null or missing.',
  ),
  '7/status-agrees': says(
    'Tools look at the status, programs at the code; when they disagree, one of the two acts wrongly.',
    'All errors have status 200 or 400, and the code carries the meaning.',
    'A gateway changes the status and leaves the body.',
  ),
  '7/code-listed': says(
    'A code outside the table has no documented meaning.',
    'Codes of an inner service or of a framework come through.',
  ),
  '7/details-value': says(
    'Whoever reads a log finds the mistake by the value that was refused; another value sends them astray.',
    'The value is shown after it was parsed, cut or given its default.',
    'The value of another parameter is shown.',
  ),
  '7/details-keys': says(
    'The keys of details are what turns a refusal into a hint: what is wrong, what is allowed, what to do.',
    'Errors are built by a framework that knows code and message only.',
    'details is filled for one kind of error and empty for the others.',
  ),
  '7/unknown-path': says(
    'A wrong URL is told from a missing resource by its code.',
    'The router answers with its own 404, as HTML or with another body.',
    'The key is checked first, so that a wrong path with a good key gets 401 or 403.',
    'Unknown paths are redirected.',
  ),
  '7/unknown-resource': says(
    'An identifier that does not exist should say so; an empty answer looks like a day without data.',
    'The answer is 200 with an empty list or null.',
    'The code is 400001 or 400402.',
  ),
  '7/unknown-resource-no-record': says(
    'A record for something that does not exist is made up, and a 5xx says that nobody thought of it.',
    'A default record with zeros is built when nothing is found.',
    'The lookup throws, and nothing catches it.',
  ),
  '8/limit-enforced': says(
    'A limit that is not enforced protects nobody, and callers come to rely on more than was sold.',
    'Several instances count for themselves, so that the limit is a multiple of 20.',
    'The limiter is switched off on this environment.',
    'The limit of the plan of this key is higher: set limits.requests only if the target is scaled on purpose.',
  ),
  '8/limit-not-early': says(
    '20 requests are paid for; the one that is refused early is missing.',
    'Someone else used the key during the run: give the run keys of its own.',
    'Requests that were refused, or those of the load balancer, count too.',
    'The window slides although its reset is announced as fixed.',
  ),
  '8/per-key': says(
    'A noisy caller must not shut out others.',
    'The limiter counts by address, not by key: all keys of a run share it.',
    'The keys of the target file belong to one account that is limited as a whole.',
  ),
  '8/reset': says(
    'The reset is a promise about when to come back. Who comes back in time and is refused waits for ever.',
    'The reset is announced by one clock and kept by another: compare the clock line of `assay doctor`.',
    'A refused request starts the window anew.',
  ),
  '2.7/id-unique': says(
    'Readers use the id as the key of a list; a double one overwrites or hides an item.',
    'An item is listed once for each of its categories or currencies.',
    'Pinned items are put in front and not taken out of the list.',
  ),
  '2.7/html-tags': says(
    'The list of tags is what readers let through. Anything else is shown as text, dropped, or is an attack.',
    'Content of another site is passed on with its tables, frames or scripts.',
    'A tag is right and its attributes are not: see the finding.',
  ),
  '2.7/release-not-future': says(
    'News from the future is sorted to the top for hours.',
    'Local time is stored as UTC, so that news is some hours ahead.',
    'Scheduled items are published before their time.',
  ),
  '2.7/author-description-language': says(
    'The description is promised in English for every language.',
    'It is translated with the rest of the item.',
  ),
};
