import { plural } from '../../text/text.ts';
import type { BudgetNow, MonitorEvent, MonitorHappenings } from '../../monitor/events.ts';

const count = (number: number): string => number.toLocaleString('en-US');
const minuteOf = (iso: string): string => iso.slice(0, 16).replace('T', ' ');

const left = ({ used, limit, month }: BudgetNow): string =>
  `${count(Math.max(0, limit - used))} of ${count(limit)} requests left in ${month}`;

const VERDICTS = {
  conforms: 'conforms',
  'no-violation': 'no violation found',
  violates: 'VIOLATES',
  incomplete: 'no verdict',
  interrupted: 'interrupted',
  error: 'bug in Assay',
} as const;

const KINDS = {
  scheduled: '',
  confirmation: ' (confirmation of the violations)',
  settlement: ' (check of a row that settles a day later)',
} as const;

const ROWS = {
  waiting: 'is not settled yet',
  complete: 'is complete',
  overdue: 'is OVERDUE',
  lost: 'was never seen complete and has dropped out of the history',
} as const;

/** An event of a monitor for people; empty for events that are not shown. */
export function wordsOf(event: MonitorEvent): string {
  const at = minuteOf(event.at);
  switch (event.type) {
    case 'started': {
      const { target, schedule, budget, plan, verdict, profile } = event.started;
      const soFar = verdict === null ? '' : `, ${verdict} so far`;
      return `assay monitor: ${target.baseUrl}, ${schedule}, profile ${profile}${soFar}\n${planWords(plan)}; ${left(budget)}`;
    }
    case 'run': {
      const { kind, verdict, sentence, requests, budget, report } = event.run;
      return `${at} ${VERDICTS[verdict]}${KINDS[kind]}: ${sentence} ${plural(requests.valid, 'request')}, ${left(budget)}. ${report}`;
    }
    case 'left-out': {
      const { why, until, budget, count: moments } = event['left-out'];
      if (why === 'missed') return `${at} ${plural(moments, 'run')} missed; catching up with one.`;
      if (why === 'pace') return `${at} no run: saving the remaining requests. ${left(budget)}`;
      return `${at} no run: the share for ${budget.month} is used up. Runs continue at ${minuteOf(until ?? '')} UTC. ${left(budget)}`;
    }
    case 'settlement': {
      const { ticker, date, state, deadline } = event.settlement;
      const due = state === 'waiting' ? `; due by ${minuteOf(deadline)} UTC` : '';
      return `${at} row ${date} of ${ticker} ${ROWS[state]}${due}`;
    }
    case 'turn': {
      const { from, to, text, report } = event.turn;
      return `${at} CHANGED ${from ?? 'unknown'} -> ${to}: ${text} ${report}`;
    }
    case 'delivery': {
      const { delivered, attempts, why, next } = event.delivery;
      const end = next === null ? '; giving up' : '';
      return delivered
        ? `${at} notification delivered, attempt ${attempts}`
        : `${at} notification not delivered, attempt ${attempts}: ${why ?? ''}${end}`;
    }
    case 'warning':
      return `${at} warning: ${event.warning.message}`;
    default:
      return '';
  }
}

function planWords(plan: MonitorHappenings['started']['plan']): string {
  const { runs, whole, wholeRequests, shallow, shallowRequests } = plan;
  const parts = [
    ...(whole > 0 ? [`${whole} with at most ${wholeRequests} requests each`] : []),
    ...(shallow > 0 ? [`${shallow} with at most ${shallowRequests}`] : []),
  ];
  const skipped = runs - whole - shallow;
  if (skipped > 0) parts.push(`${skipped} skipped`);
  return `${plural(runs, 'run')} until the end of the month: ${parts.join(', ')}`;
}
