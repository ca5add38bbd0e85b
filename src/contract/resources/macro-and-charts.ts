/** Macro events and analysis charts (§2.10, §2.11). */
import { name, text, day, number, each, list, orNull } from './value.ts';
import type { Resource, Resources } from './value.ts';

/** §2.10. */
const MACRO_HISTORY_ROW: Resource = {
  section: '2.10',
  title: 'Macro event history row',
  says: 'A row of GET /macro/events/{event}/history (§2.10). The format of the date is not stated.',
  called: 'a macro history row',
  fields: {
    date: day('Date of the release.', '2025-12-10'),
    actual: orNull(number('Released figure; null before the release.', 2.7), 'before the release'),
    forecast: orNull(
      number('Forecast figure; null when there is none.', 2.8),
      'where there is none',
    ),
    previous: orNull(
      number('Figure of the release before; null for the first one.', 3),
      'for the first release',
    ),
  },
};

/** §2.11. */
const CHART: Resource = {
  section: '2.11',
  title: 'Analysis chart',
  says: 'A record of GET /analyses (§2.11).',
  called: 'an analysis chart',
  fields: {
    chart_name: name(
      'Name of the chart; the path parameter of GET /analyses/{chart_name}.',
      'etf_total_net_assets',
    ),
    time_field: name('Name of the column that holds the time.', 'date'),
    fields: list(
      'Columns of the chart.',
      each({
        name: name('Name of the column.', 'date'),
        type: text('Type of the column.', 'string'),
      }),
      {
        is: 'an array of objects with name and type (strings)',
        example: [
          { name: 'date', type: 'string' },
          { name: 'value', type: 'number' },
        ],
      },
    ),
  },
};

export const MACRO_AND_CHARTS = {
  'macro-history-row': MACRO_HISTORY_ROW,
  chart: CHART,
} as const satisfies Resources;
