import { endpoint } from '../../spec/endpoints.ts';
import type { EndpointPath, QueryParameter } from '../../spec/endpoints.ts';
import { LANGUAGES } from '../../spec/values.ts';
import type { Handler } from './call.ts';
import { CHARTS } from './charts.ts';
import { CURRENCIES } from './currencies.ts';
import { ETFS } from './etfs.ts';
import { INDICES } from './indices.ts';
import { MACRO } from './macro.ts';
import { NEWS } from './news.ts';
import { PROJECTS } from './projects.ts';
import { STOCKS } from './stocks.ts';

/** One handler for each endpoint of §4, from the file of its area. */
export const HANDLERS: Readonly<Record<EndpointPath, Handler>> = {
  ...CURRENCIES,
  ...NEWS,
  ...ETFS,
  ...STOCKS,
  ...MACRO,
  ...CHARTS,
  ...INDICES,
  ...PROJECTS,
};

const NEWS_PAGING: Readonly<Record<string, QueryParameter>> = {
  language: { type: 'string', default: 'en', enum: LANGUAGES },
  page: { type: 'integer', default: 1 },
  page_size: { type: 'integer', default: 20, maximum: 100 },
};

/** Parameters of endpoints whose parameters the specification leaves open (§4.7): this server's own. */
const OWN_PARAMETERS: Readonly<Partial<Record<EndpointPath, typeof NEWS_PAGING>>> = {
  '/news/hot': NEWS_PAGING,
  '/news/search': { keyword: { type: 'string', required: true }, ...NEWS_PAGING },
};

/** The parameter rules that this server applies to an endpoint. */
export function parameterRules(path: EndpointPath): Readonly<Record<string, QueryParameter>> {
  return OWN_PARAMETERS[path] ?? endpoint(path).query;
}
