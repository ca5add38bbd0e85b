import { Refusal } from '../conduct/errors.ts';
import { numberOf, type Call } from '../core/call.ts';
import { DAY, MINUTE } from '../core/clock.ts';
import { minusMonths, startOf, utcDay } from '../data/calendar.ts';
import type { World } from '../worlds/world.ts';

/** What a request asks for in time: all inclusive, epoch ms. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Where the allowed window begins, epoch ms. */
export function windowStart(
  world: World,
  now: number,
  length: 'week' | 'month' | 'quarter',
): number {
  if (length === 'week') return now - 7 * DAY;
  const months = length === 'month' ? 1 : 3;
  if (world.choice('month-is') === 'days')
    return startOf(utcDay(now - (months === 1 ? 30 : 90) * DAY));
  return startOf(minusMonths(utcDay(now), months));
}

/**
 * The range of a request: within the window, or refused, cut or empty as the world has it. Undefined when there is
 * nothing in it.
 */
export function rangeOf(
  call: Call,
  names: readonly [start: string, end: string],
  sent: { readonly from: number | undefined; readonly to: number | undefined },
  length: 'week' | 'month' | 'quarter' | 'any',
  plainFrom?: number,
): Range | undefined {
  const { world, now } = call;
  const { from, to } = sent;
  if (from !== undefined && to !== undefined && from > to) {
    if (world.choice('reversed') === 'empty') return undefined;
    throw new Refusal('range', { fields: [names[0]], issue: 'must not be after the end' });
  }
  const first = length === 'any' ? -Infinity : windowStart(world, now, length);
  // Clients compute the edge of the window a moment before the server does.
  const grace = first - 5 * MINUTE;
  const outside = [from, to].findIndex((time) => time !== undefined && time < grace);
  if (outside >= 0) {
    const choice = world.choice('beyond');
    if (choice === 'empty') return undefined;
    if (choice !== 'cut') {
      throw new Refusal('range', {
        fields: [names[outside] ?? names[0]],
        issue: 'beyond the window',
      });
    }
  }
  const plain = from === undefined && to === undefined;
  const lowest = plain && plainFrom !== undefined ? plainFrom : first;
  return { from: Math.max(from ?? lowest, lowest), to: to ?? Infinity };
}

/** The rows that a limit lets through; `rows` are newest first. */
export function limited<T>(call: Call, rows: readonly T[], otherwise: number): readonly T[] {
  const limit = numberOf(call, 'limit', otherwise);
  return call.world.choice('limit-keeps') === 'newest' || !call.query.has('limit')
    ? rows.slice(0, limit)
    : rows.slice(Math.max(0, rows.length - limit));
}
