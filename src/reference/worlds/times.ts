import { onAnswer, withHeader } from '../vocabulary.ts';
import { changing, dimension, rarely, type Choice, type Dimension } from './dimension.ts';

const at = (text: string): Choice => ({ start: Date.parse(text) });

/** The `Date` header comes from another clock than the rest, such as that of a proxy. */
const dateOff = (ms: number): Choice =>
  changing({
    hooks: onAnswer(
      () => true,
      (answer, { now }) => withHeader(answer, 'date', new Date(now + ms).toUTCString()),
    ),
  });

/** When the run takes place, and what the target says about it. */
export const TIME_DIMENSIONS: readonly Dimension[] = [
  dimension('day', 'a-wednesday', {
    'before-the-opening': at('2026-09-10T01:12:00Z'),
    saturday: at('2026-09-12T11:00:00Z'),
    'sunday-night': at('2026-09-13T23:58:30Z'),
    'just-before-midnight': at('2026-09-15T23:57:40Z'),
    'the-first-of-a-month': at('2026-10-01T06:30:00Z'),
    'the-last-of-a-month': at('2026-08-31T18:00:00Z'),
    'a-holiday': at('2026-09-07T15:00:00Z'),
    'after-a-holiday': at('2026-09-08T09:00:00Z'),
    'end-of-february': at('2028-02-29T12:00:00Z'),
    'may-31': at('2027-05-31T21:00:00Z'),
    'new-year': at('2027-01-01T00:05:00Z'),
    'lunar-new-year': at('2027-02-09T08:00:00Z'),
    christmas: at('2026-12-28T10:00:00Z'),
    'long-ago': at('2024-04-17T14:00:00Z'),
  }),
  rarely(
    dimension('clock', 'movable', {
      // Windows are short then, and waiting for them takes its time.
      real: { realTime: true },
    }),
  ),
  dimension('date-header', 'exact', {
    none: changing({
      hooks: onAnswer(
        () => true,
        (answer) => withHeader(answer, 'date', undefined),
      ),
    }),
    '30-s-behind': dateOff(-30_000),
    '30-s-ahead': dateOff(30_000),
    '5-s-behind': dateOff(-5000),
    'cached-for-a-second': dateOff(-1000),
  }),
];
