import { DAY } from '../contract/time.ts';
import { isJudgeable } from './context.ts';
import { show, type Rule } from './judgement.ts';
import { SERIES } from './series.ts';
import { place } from './transport.ts';
import { isObject } from './view.ts';
import { criteria } from './criterion.ts';

/** What this file decides. */
export const MACRO_VALUES = criteria('released');

const MACRO = '/macro/events/{event}/history';

/** A figure may be some days late, and a release or two may never have had one. */
const LATE_MS = 7 * DAY;
const ENOUGH = 3;

/** §2.10, ruling 3: what is not released yet is null, but not all that was released. */
const released: Rule = {
  name: 'macro-released',
  judges: [MACRO_VALUES.released],
  each(view, context, into) {
    const series = SERIES.find(({ endpoint }) => endpoint === MACRO);
    if (series === undefined || view.exchange.endpoint !== MACRO || !view.ok) return;
    if (view.wrapped || !isJudgeable(view, context)) return;
    const past = view.records.filter(({ value }) => {
      const time = series.timeOf(value);
      return time !== undefined && time < view.now - LATE_MS;
    });
    if (past.length < ENOUGH) return;
    for (const field of ['actual', 'previous']) {
      const empty = past.every(({ value }) => isObject(value) && value[field] === null);
      const [first] = past;
      into.expect(MACRO_VALUES.released, view, !empty, () => ({
        message: `${place(view)}: ${field} is null in all ${past.length} rows of the past`,
        expected: `the ${field} of at least one release`,
        actual: show(first?.value),
        pointer: `${first?.pointer ?? view.root}/${field}`,
      }));
    }
  },
};

export const MACRO_RULES: readonly Rule[] = [released];
