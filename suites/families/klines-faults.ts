import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { RequirementId } from '../../src/spec/requirement-id.ts';
import { DAY } from '../../src/spec/time.ts';
import type { FaultEntry } from '../../src/reference/faults/fault.ts';
import { refusing, withoutMaximum } from './pages/paging-faults.ts';
import { isObject } from '../../src/reference/json.ts';
import { monthsBefore } from '../../src/reference/ranges.ts';
import {
  all,
  asked,
  crashing,
  endpointIs,
  ignoring,
  not,
  onRows,
  setting,
  over,
} from '../../src/reference/vocabulary.ts';
import type { Json } from '../../src/reference/world.ts';

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
    [`${name}-klines-interval-hour`]: {
      title: 'Klines for interval 1h return daily candles',
      kills: kill('klines-interval-enum'),
      hooks: setting('interval', '1d', all(here, asked('interval', '1h'))),
    },
    [`${name}-klines-interval-four-hours`]: {
      title: 'Klines for interval 4h return daily candles; other intervals are refused',
      kills: kill('klines-interval-enum'),
      profile: 'full',
      hooks: setting('interval', '1d', all(here, asked('interval', '4h'))),
    },
    [`${name}-klines-interval-others`]: {
      title: 'The intervals 1h and 1w return daily candles',
      kills: kill('klines-interval-enum'),
      hooks: [
        setting('interval', '1d', all(here, asked('interval', '1h'))),
        setting('interval', '1d', all(here, asked('interval', '1w'))),
      ],
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
    [`${name}-klines-zero-crash`]: {
      title: 'A klines limit of zero causes an internal error',
      kills: [...kill('klines-limit-invalid'), '4/no-5xx'],
      ...(section === '4.5' && { profile: 'full' as const }),
      hooks: crashing(all(here, asked('limit', '0'))),
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
  };
}
