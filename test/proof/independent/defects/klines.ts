import type { Hooks } from '../conduct/hooks.ts';

import { isObject, type Json } from '../core/json.ts';
import { plusDays, startOf, utcDay } from '../data/calendar.ts';
import type { Defect } from './defect.ts';
import {
  each,
  field,
  isOf,
  KLINES,
  mild,
  one,
  plain,
  STOCK_KLINES,
  subtle,
  said,
} from './tools.ts';

/** Answers a range before the window with rows that lie in it. */
export function beyond(template: string, start: string): Hooks {
  return {
    reply: (call, reply) => {
      const sent = call.query.get(start);
      if (call.template !== template || reply.status !== 400 || sent === undefined)
        return undefined;
      const first = start === 'start_time' ? utcDay(Number(sent)) : sent;
      if (!(startOf(first) < call.now - 20 * 86_400_000)) return undefined;
      const list: Json[] = Array.from({ length: 5 }, (_, n) => {
        const day = plusDays(first, n);
        return start === 'start_time'
          ? { timestamp: startOf(day), open: 10, high: 12, low: 9, close: 11, volume: 1000 }
          : {
              date: day,
              total_net_inflow: 1,
              total_value_traded: 2,
              total_net_assets: 3,
              cum_net_inflow: 4,
            };
      });
      return { status: 200, headers: {}, body: list };
    },
  };
}

function interval(template: string, what: string): Defect[] {
  const missing = `${what}-interval-optional`;
  return [
    plain(missing, `${template} takes 1d when interval is missing.`, {
      query: (call) => {
        if (call.template === template && !call.query.has('interval'))
          call.query.set('interval', '1d');
      },
    }),
    plain(
      `${what}-interval-any`,
      `${template} gives daily klines whatever interval is asked for.`,
      {
        query: (call) => {
          if (call.template === template && call.query.has('interval'))
            call.query.set('interval', '1d');
        },
      },
    ),
    subtle(`${what}-interval-hour`, `${template} accepts 1h.`, {
      query: (call) => {
        if (call.template === template && call.query.get('interval') === '1h')
          call.query.set('interval', '1d');
      },
    }),
    plain(`${what}-interval-code`, `${template} refuses other intervals with 400001.`, {
      reply: (call, reply) => {
        if (isOf(call, template) && isObject(reply.body) && reply.body['code'] === 400003)
          reply.body['code'] = 400001;
        return undefined;
      },
    }),
    subtle(
      `${what}-seconds`,
      `${template} gives timestamps in seconds.`,
      field(template, 'timestamp', (was) => Math.floor(Number(was) / 1000)),
    ),
    subtle(
      `${what}-prices-text`,
      `${template} gives prices as texts.`,
      each(template, (row) => {
        row['close'] = said(row['close']);
      }),
    ),
    subtle(
      `${what}-volume-missing`,
      `${template} leaves volume out of its oldest row.`,
      one(template, 0, (row) => delete row['volume']),
    ),
    subtle(
      `${what}-null-close`,
      `${template} gives a close of null on its newest row.`,
      one(template, -1, (row) => {
        row['close'] = null;
      }),
    ),
    plain(
      `${what}-too-far`,
      `${template} gives rows from before the last three months when a range asks for them.`,
      beyond(template, 'start_time'),
    ),
    mild(
      `${what}-high-low`,
      `${template} swaps high and low.`,
      each(template, (row) => {
        [row['high'], row['low']] = [row['low'], row['high']];
      }),
    ),
    subtle(`${what}-default-50`, `${template} gives 50 rows by default.`, {
      values: (call) => {
        if (call.template === template && !call.query.has('limit')) call.values['limit'] = 50;
      },
    }),
  ];
}

/** Defects of klines. */
export const KLINE_DEFECTS: readonly Defect[] = [
  ...interval(KLINES, 'klines'),
  ...interval(STOCK_KLINES, 'stock-klines'),
];
