import { CRASHES } from './crashes.ts';
import type { Defect } from './defect.ts';
import { ETF_LISTINGS } from './etf-listings.ts';
import { ETF_ROWS } from './etf-rows.ts';
import { FIELDS } from './fields.ts';
import { KEY_DEFECTS } from './keys.ts';
import { KLINE_DEFECTS } from './klines.ts';
import { LIMIT_REFUSALS } from './limit-refusals.ts';
import { LIMIT_DEFECTS } from './limits.ts';
import { NEWS_FIELDS } from './news-fields.ts';
import { NEWS_FILTERS } from './news-filters.ts';
import { NEWS_TEXTS } from './news-texts.ts';
import { PAGING } from './paging.ts';
import { RECORDS } from './records.ts';
import { REFUSALS } from './refusals.ts';
import { RANGES } from './series.ts';
import { UNKNOWNS } from './unknowns.ts';

/** All defects. */
export const DEFECTS: readonly Defect[] = [
  ...PAGING,
  ...RANGES,
  ...KLINE_DEFECTS,
  ...NEWS_TEXTS,
  ...NEWS_FILTERS,
  ...NEWS_FIELDS,
  ...ETF_LISTINGS,
  ...ETF_ROWS,
  ...FIELDS,
  ...RECORDS,
  ...REFUSALS,
  ...UNKNOWNS,
  ...CRASHES,
  ...KEY_DEFECTS,
  ...LIMIT_DEFECTS,
  ...LIMIT_REFUSALS,
];

/** A defect by id; throws a RangeError. */
export function defectById(id: string): Defect {
  const found = DEFECTS.find((one) => one.id === id);
  if (found === undefined) throw new RangeError(`no defect is called ${id}`);
  return found;
}
