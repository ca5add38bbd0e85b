import { allowedChoices } from './allowed.ts';
import { CURRENCY_DIMENSIONS } from './currencies.ts';
import type { Dimension } from './dimension.ts';
import { ERROR_ANSWERS, ERROR_DIMENSIONS } from './errors.ts';
import { FILTER_DIMENSIONS } from './filters.ts';
import { LIMITER_ANSWERS, LIMITER_DIMENSIONS } from './limiters.ts';
import { LIST_ANSWERS, LIST_DIMENSIONS } from './lists.ts';
import { LIVE_DIMENSIONS } from './live.ts';
import { NAME_DIMENSIONS } from './names.ts';
import { NEWS_DIMENSIONS } from './news.ts';
import { NETWORK_DIMENSIONS } from './network.ts';
import { SIZE_DIMENSIONS } from './sizes.ts';
import { TARGET_DIMENSIONS } from './targets.ts';
import { TIME_DIMENSIONS } from './times.ts';
import { VALUE_ANSWERS, VALUE_DIMENSIONS } from './values.ts';
import { WRITING_DIMENSIONS } from './writing.ts';
import { WINDOW_DIMENSIONS } from './windows.ts';

/**
 * All questions that worlds answer, in the order in which their answers apply: data before answers, the network last.
 */
export const DIMENSIONS: readonly Dimension[] = merged([
  ...CURRENCY_DIMENSIONS,
  ...WINDOW_DIMENSIONS,
  ...SIZE_DIMENSIONS,
  ...NAME_DIMENSIONS,
  ...NEWS_DIMENSIONS,
  ...LIVE_DIMENSIONS,
  ...VALUE_DIMENSIONS,
  ...FILTER_DIMENSIONS,
  ...LIST_DIMENSIONS,
  ...allowedChoices({ ...LIMITER_ANSWERS, ...ERROR_ANSWERS, ...VALUE_ANSWERS, ...LIST_ANSWERS }),
  ...ERROR_DIMENSIONS,
  ...LIMITER_DIMENSIONS,
  ...WRITING_DIMENSIONS,
  ...TIME_DIMENSIONS,
  ...NETWORK_DIMENSIONS,
  ...TARGET_DIMENSIONS,
]);

/** Dimensions of one name are one question: variants may answer what worlds ask, too. The first default counts. */
function merged(dimensions: readonly Dimension[]): readonly Dimension[] {
  const byName = new Map<string, Dimension>();
  for (const { name, choices } of dimensions) {
    const known = byName.get(name);
    const others = [...choices].slice(known === undefined ? 0 : 1);
    byName.set(name, { name, choices: new Map([...(known?.choices ?? []), ...others]) });
  }
  return [...byName.values()];
}
