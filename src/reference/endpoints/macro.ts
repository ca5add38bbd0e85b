import { byDate, rowsInRange } from '../ranges.ts';
import { known } from './call.ts';
import type { Handler, Handlers } from './call.ts';

const macroCalendar: Handler = (call) => call.world.macroCalendar(call.now);

/** No recent window is stated for macro history (§4.6); only `limit` bounds it. */
const macroHistory: Handler = (call) => {
  const rows = call.world.macroHistory(call.path['event'] ?? '', call.now);
  return rowsInRange(call, known(rows, 'Event', call, 'event', '/macro/events'), {
    names: ['start_date', 'end_date'],
    order: 'newest-first',
    at: byDate,
  });
};

/** Which handler answers which endpoint. */
export const MACRO = {
  '/macro/events/{event}/history': macroHistory,
  '/macro/events': macroCalendar,
} as const satisfies Handlers;
