import type { Hooks } from '../conduct/hooks.ts';

import { at } from '../core/random.ts';
import { ENDPOINTS } from '../endpoints/table.ts';
import type { Defect } from './defect.ts';
import {
  answer,
  failure,
  FEATURED,
  NEWS,
  PAIRS,
  plain,
  STOCK_KLINES,
  subtle,
  SUMMARY,
} from './tools.ts';

/** Answers with 500 when a parameter looks like this. */
function crash(template: string | undefined, name: string, pattern: RegExp): Hooks {
  return {
    reply: (call) =>
      (template === undefined || call.template === template) &&
      pattern.test(call.query.get(name) ?? '-')
        ? failure(500, 500001, 'Internal server error')
        : undefined,
  };
}

/** Defects of endpoints that break down. */
export const CRASHES: readonly Defect[] = [
  plain(
    'crash-page-text',
    'A page that is no number is answered with 500.',
    crash(undefined, 'page', /[a-z]/i),
  ),
  plain('crash-page-zero', 'Page 0 is answered with 500.', crash(undefined, 'page', /^0$/)),
  plain(
    'crash-page-negative',
    'A negative page is answered with 500.',
    crash(undefined, 'page', /^-\d/),
  ),
  plain(
    'crash-size-zero',
    'page_size=0 is answered with 500.',
    crash(undefined, 'page_size', /^0$/),
  ),
  subtle(
    'crash-size-text',
    'A page_size that is no number is answered with 500 on featured news.',
    crash(FEATURED, 'page_size', /[a-z]/i),
  ),
  subtle(
    'crash-size-text-pairs',
    'A page_size that is no number is answered with 500 on pairs.',
    crash(PAIRS, 'page_size', /[a-z]/i),
  ),
  subtle(
    'crash-interval',
    'Another interval is answered with 500 on stock klines.',
    crash(STOCK_KLINES, 'interval', /^(?!1d$)\w/),
  ),
  subtle(
    'crash-symbol',
    'A symbol that does not exist is answered with 500.',
    crash(SUMMARY, 'symbol', /^(?!(btc|eth|sol|ltc|hbar|xrp|doge|link|avax|dot)$)\w/i),
  ),
  subtle(
    'crash-country',
    'A country that does not exist is answered with 500.',
    crash(SUMMARY, 'country_code', /^(?!(us|hk)$)\w/i),
  ),
  subtle(
    'crash-news-time',
    'A start_time of news that is no number is answered with 500.',
    crash(NEWS, 'start_time', /[a-z]/i),
  ),
  subtle(
    'crash-far-page',
    'A page far beyond the last is answered with 500.',
    crash(undefined, 'page', /^\d{4,}$/),
  ),
  ...ENDPOINTS.filter(({ template }, place) => place % 3 === 0 && template !== '/currencies').map(
    ({ template }, place) =>
      plain(
        `endpoint-${template.replaceAll(/[^a-z]+/g, '-').replaceAll(/^-|-$/g, '')}-${at(['down', 'gone'], place)}`,
        `GET ${template} answers ${at(['500', '404'], place)} whatever is asked.`,
        {
          reply: (call, reply) => {
            if (call.template !== template || reply.status !== 200) return undefined;
            return place % 2 === 0
              ? failure(500, 500001, 'Internal server error')
              : failure(404, 400402, 'Endpoint not found');
          },
        },
      ),
  ),
  ...['/indices', '/news/hot', '/crypto-stocks', '/etfs', '/fundraising/projects'].map((template) =>
    plain(`purpose${template.replaceAll('/', '-')}-html`, `GET ${template} answers a text.`, {
      reply: (call, reply) =>
        call.template === template && reply.status === 200
          ? answer(200, '<html>Soon</html>')
          : undefined,
      headers: (call, reply) => {
        if (call.template === template && reply.status === 200)
          reply.headers['Content-Type'] = 'text/html';
      },
    }),
  ),
];
