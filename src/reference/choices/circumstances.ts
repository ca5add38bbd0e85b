import { dimension, rarely, type Choice, type Dimension } from './choice.ts';

const at = (text: string): Choice => ({ start: Date.parse(text) });

/** When a run takes place, and what the person who runs Assay knows about the target. */
export const CIRCUMSTANCES: readonly Dimension[] = [
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
  dimension('valid-keys', 'one', {
    two: { validKeys: 2 },
    eight: { validKeys: 8 },
  }),
  dimension('other-keys', 'all', {
    'disabled-only': {
      target: ({ keys: { valid, disabled }, ...file }) => ({
        ...file,
        keys: { valid, ...(disabled !== undefined && { disabled }) },
      }),
    },
  }),
];
