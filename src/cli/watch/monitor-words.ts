import { plural } from '../../text/text.ts';
import type { BudgetNow, MonitorEvent } from '../../monitor/events.ts';

const count = (number: number): string => number.toLocaleString('en-US');
const moment = (iso: string): string => iso.slice(0, 16).replace('T', ' ');

const left = ({ used, limit, month }: BudgetNow): string =>
  `${count(Math.max(0, limit - used))} of ${count(limit)} requests left in ${month}`;

const VERDICTS = {
  conforms: 'conforms',
  'no-violation': 'no violation found',
  violates: 'VIOLATES',
  incomplete: 'no verdict',
  interrupted: 'interrupted',
  error: 'fault of Assay',
} as const;

const KINDS = {
  scheduled: '',
  confirmation: ' (look at what was violated)',
  settlement: ' (look at a row that settles a day later)',
} as const;

/** What is told of the rows that settle later. */
const ROWS = {
  waiting: 'is not settled yet',
  complete: 'is complete',
  overdue: 'is OVERDUE',
  lost: 'was not seen complete, and has left the history',
} as const;

/** An event of a monitor as lines for people; none for what they need not know. */
export function wordsOf(event: MonitorEvent): readonly string[] {
  const at = moment(event.at);
  switch (event.type) {
    case 'started': {
      const { target, schedule, budget, plan, verdict, profile } = event.started;
      const standing = verdict === null ? '' : `, ${verdict} so far`;
      return [
        `assay monitor: ${target.baseUrl}, ${schedule}, profile ${profile}${standing}`,
        `${planWords(plan)}; ${left(budget)}`,
      ];
    }
    case 'run': {
      const { kind, verdict, sentence, requests, budget, report } = event.run;
      return [
        `${at} ${VERDICTS[verdict]}${KINDS[kind]}: ${sentence} ${plural(requests.valid, 'request')}, ${left(budget)}. ${report}`,
      ];
    }
    case 'left-out': {
      const { why, until, budget, count: moments } = event['left-out'];
      if (why === 'missed') return [`${at} ${plural(moments, 'run')} missed; one is made up for.`];
      if (why === 'pace') return [`${at} no run: what is left has to last. ${left(budget)}`];
      return [
        `${at} no run: the share of ${budget.month} is used up. It goes on at ${moment(until ?? '')} UTC. ${left(budget)}`,
      ];
    }
    case 'settlement': {
      const { ticker, date, state, deadline } = event.settlement;
      const due = state === 'waiting' ? `; it must be by ${moment(deadline)} UTC` : '';
      return [`${at} the row of ${date} of ${ticker} ${ROWS[state]}${due}`];
    }
    case 'turn':
      return [
        `${at} TURN ${event.turn.from ?? 'nothing known'} -> ${event.turn.to}: ${event.turn.text} ${event.turn.report}`,
      ];
    case 'delivery': {
      const { delivered, attempts, why, next } = event.delivery;
      if (delivered) return [`${at} the webhook took the notification, attempt ${attempts}`];
      return [
        `${at} the webhook did not take the notification, attempt ${attempts}: ${why ?? ''}${next === null ? '; it is given up' : ''}`,
      ];
    }
    case 'warning':
      return [`${at} warning: ${event.warning.message}`];
    default:
      return [];
  }
}

function planWords({
  runs,
  whole,
  wholeRequests,
  shallow,
  shallowRequests,
}: Extract<MonitorEvent, { type: 'started' }>['started']['plan']): string {
  const parts = [
    ...(whole > 0 ? [`${whole} of at most ${wholeRequests} requests`] : []),
    ...(shallow > 0 ? [`${shallow} of at most ${shallowRequests}`] : []),
  ];
  const none = runs - whole - shallow;
  if (none > 0) parts.push(`${none} left out`);
  return `${plural(runs, 'run')} until the end of the month: ${parts.join(', ')}`;
}
