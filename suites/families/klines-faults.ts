import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { RequirementId } from '../../src/spec/requirement-id.ts';
import { DAY } from '../../src/spec/time.ts';
import type { FaultEntry } from '../../src/reference/faults/fault.ts';
import { overMaximum, refusing, withoutMaximum } from './pages/paging-faults.ts';
import { isObject } from '../../src/reference/json.ts';
import { monthsBefore } from '../../src/reference/ranges.ts';
import {
  all,
  asked,
  crashing,
  endpointIs,
  ignoring,
  not,
  notAsked,
  onRows,
  setting,
  over,
} from '../../src/reference/vocabulary.ts';
import type { Json, JsonObject } from '../../src/reference/world.ts';

/** Prepends a copy of the first candle with another timestamp. */
function olderCandle(rows: readonly Json[], timestamp: number): readonly Json[] {
  const [first] = rows;
  return first !== undefined && isObject(first) ? [{ ...first, timestamp }, ...rows] : rows;
}

/** Faults shared by klines of currencies (§4.1) and stocks (§4.5). `name` is the prefix of every id. */
export function klineFaults(
  name: 'currency' | 'stock',
  endpoint: EndpointPath,
  section: '4.1' | '4.5',
): Readonly<Record<string, FaultEntry>> {
  const here = endpointIs(endpoint);
  const kill = (slug: `klines-${string}`): readonly RequirementId[] => [`${section}/${slug}`];
  return {
    [`${name}-klines-interval-optional`]: {
      title: 'Klines are returned without an interval',
      kills: kill('klines-interval-required'),
      hooks: setting('interval', '1d', all(here, notAsked('interval'))),
    },
    [`${name}-klines-interval-hour`]: {
      title: 'Klines for interval 1h return daily candles',
      kills: kill('klines-interval-enum'),
      hooks: setting('interval', '1d', all(here, asked('interval', '1h'))),
    },
    [`${name}-klines-interval-week`]: {
      title: 'Klines for interval 1w return daily candles',
      kills: kill('klines-interval-enum'),
      hooks: setting('interval', '1d', all(here, asked('interval', '1w'))),
    },
    [`${name}-klines-interval-four-hours`]: {
      title: 'Klines for interval 4h return daily candles; other intervals are refused',
      kills: kill('klines-interval-enum'),
      profile: 'full',
      hooks: setting('interval', '1d', all(here, asked('interval', '4h'))),
    },
    [`${name}-klines-interval-any`]: {
      title: 'Klines for every interval return daily candles',
      kills: kill('klines-interval-enum'),
      hooks: setting('interval', '1d', all(here, asked('interval'))),
    },
    [`${name}-klines-interval-others`]: {
      title: 'The intervals 1h and 1w return daily candles',
      kills: kill('klines-interval-enum'),
      hooks: [
        setting('interval', '1d', all(here, asked('interval', '1h'))),
        setting('interval', '1d', all(here, asked('interval', '1w'))),
      ],
    },
    [`${name}-klines-default-limit`]: {
      title: 'Without `limit`, klines return only 30 candles',
      kills: kill('klines-limit-default'),
      hooks: setting('limit', '30', all(here, notAsked('limit'))),
    },
    [`${name}-klines-one-short`]: {
      title: 'A klines limit returns one candle too few',
      kills: kill('klines-limit-exact'),
      hooks: onRows(all(here, asked('limit')), (rows) => rows.slice(1)),
    },
    [`${name}-klines-501-not-found`]: {
      title: 'A klines limit above 500 is refused as not found',
      kills: kill('klines-limit-max'),
      ...(section === '4.5' && { profile: 'full' as const }),
      hooks: refusing(all(here, over('limit', 500))),
    },
    [`${name}-klines-501-empty`]: {
      title: 'A klines limit above 500 returns an empty list',
      kills: kill('klines-limit-max'),
      ...(section === '4.5' && { profile: 'full' as const }),
      hooks: [withoutMaximum(endpoint, 'limit'), onRows(all(here, over('limit', 500)), () => [])],
    },
    [`${name}-klines-30-at-most`]: {
      title: 'A klines limit above 30 returns only 30 candles',
      kills: kill('klines-limit-max-accepted'),
      hooks: setting('limit', '30', all(here, over('limit', 30), not(over('limit', 500)))),
    },
    [`${name}-klines-500-refused`]: {
      title: 'A klines limit of exactly 500 is refused',
      kills: kill('klines-limit-max-accepted'),
      hooks: overMaximum(all(here, asked('limit', '500')), 'limit'),
    },
    [`${name}-klines-zero-crash`]: {
      title: 'A klines limit of zero causes an internal error',
      kills: [...kill('klines-limit-invalid'), '4/no-5xx'],
      ...(section === '4.5' && { profile: 'full' as const }),
      hooks: crashing(all(here, asked('limit', '0'))),
    },
    [`${name}-klines-text-crash`]: {
      title: 'A klines limit that consists of letters causes an internal error',
      kills: [...kill('klines-limit-invalid'), '4/no-5xx'],
      ...(section === '4.1' && { profile: 'full' as const }),
      hooks: crashing(all(here, ({ query }) => /[a-z]/.test(query.get('limit') ?? ''))),
    },
    [`${name}-klines-negative-not-found`]: {
      title: 'A negative klines limit is refused as not found',
      kills: kill('klines-limit-invalid'),
      profile: 'full',
      hooks: refusing(all(here, ({ query }) => Number(query.get('limit') ?? 0) < 0)),
    },
    [`${name}-klines-too-old`]: {
      title: 'Klines go back four months when a range requests it',
      kills: kill('klines-window'),
      hooks: onRows(all(here, asked('start_time')), (rows, { query, now }) =>
        Number(query.get('start_time')) < monthsBefore(now, 4)
          ? olderCandle(rows, monthsBefore(now, 4))
          : rows,
      ),
    },
    [`${name}-klines-old-range-crash`]: {
      title: 'A klines range beyond the window causes an internal error',
      kills: [...kill('klines-window-answer'), '4/no-5xx'],
      hooks: crashing(
        all(here, ({ query, now }) => Number(query.get('start_time') ?? now) < now - 100 * DAY),
      ),
    },
    [`${name}-klines-start-ignored`]: {
      title: 'start_time of klines is ignored',
      kills: kill('klines-range'),
      hooks: ignoring('start_time', here),
    },
    [`${name}-klines-one-for-all`]: {
      title: "Klines always return the second asset's candles",
      kills: kill('klines-own'),
      hooks: {
        world: (world) => {
          const [, second] = name === 'currency' ? world.currencyIds : world.stockTickers;
          const same =
            (klines: (id: string, now: number) => readonly JsonObject[] | undefined) =>
            (id: string, now: number): readonly JsonObject[] | undefined =>
              klines(id, now) && klines(second ?? id, now);
          return name === 'currency'
            ? { currencyKlines: same((id, now) => world.currencyKlines(id, now)) }
            : { stockKlines: same((id, now) => world.stockKlines(id, now)) };
        },
      },
    },
    [`${name}-klines-start-ignored-with-end`]: {
      title: 'start_time of klines is ignored when end_time is sent as well',
      kills: kill('klines-range'),
      hooks: ignoring('start_time', all(here, asked('end_time'))),
    },
    [`${name}-klines-end-ignored`]: {
      title: 'end_time of klines is ignored',
      kills: kill('klines-range'),
      hooks: ignoring('end_time', here),
    },
    [`${name}-klines-last-twice`]: {
      title: 'The last candle of a list is returned twice',
      kills: kill('klines-one-order'),
      hooks: onRows(all(here, notAsked('limit')), (rows) => [...rows, ...rows.slice(-1)]),
    },
    [`${name}-klines-swapped`]: {
      title: 'Two candles in the middle are in the wrong order',
      kills: kill('klines-one-order'),
      hooks: onRows(here, (rows) => {
        const middle = Math.floor(rows.length / 2);
        const [left, right] = [rows[middle - 1], rows[middle]];
        if (left === undefined || right === undefined) return rows;
        return [...rows.slice(0, middle - 1), right, left, ...rows.slice(middle + 1)];
      }),
    },
  };
}
