import { plural } from '../../text/text.ts';
import { OUTCOME_LABELS } from '../model/labels.ts';
import type { LoadResult } from '../model/load-results.ts';
import { formatMs, keylessIn } from '../model/load.ts';
import { fact, type Entry, type Fact } from './text-report.ts';

const WINDOWS_SHOWN = 8;
const LATENCIES_SHOWN = 6;

/** A load scenario: what was sent and judged, and how the generator kept up. Its violations are causes. */
export function loadEntry(load: LoadResult): Entry {
  const { scenario, outcome, reason, requests, requirements, readings, health, k6 } = load;
  const { sent, admitted, refused, other, failed } = requests;
  const keyless = keylessIn(load);
  const { vus, dropped, spreadMs, lateMs } = health;
  const generator = [
    plural(vus, 'user'),
    `${dropped} dropped`,
    ...(spreadMs === null ? [] : [`bursts within ${spreadMs} ms`]),
    ...(lateMs === null ? [] : [`at most ${lateMs} ms late`]),
  ];
  return {
    mark: OUTCOME_LABELS[outcome].icon,
    tone: outcome,
    text: `${scenario} ${OUTCOME_LABELS[outcome].word}: ${reason}`,
    is: 'prose',
    facts: [
      ...fact(
        'Requests',
        `${sent} sent = ${admitted} admitted + ${refused} refused + ${keyless > 0 ? `${keyless} without a key + ` : ''}${other - keyless} other + ${failed} unanswered`,
      ),
      ...requirements.flatMap((one) =>
        fact(
          'Judged',
          `${one.id} ${one.outcome}: ${plural(one.total, 'finding')} in ${plural(one.judged, 'judgement')}`,
        ),
      ),
      ...windowFacts(load),
      ...load.latency
        .slice(0, LATENCIES_SHOWN)
        .flatMap(({ endpoint, status, count, p50, p95, p99 }) =>
          fact(
            'Latency',
            `${endpoint} ${status}: ${count} responses, p50 ${formatMs(p50)}, p95 ${formatMs(p95)}, p99 ${formatMs(p99)} ms`,
            'value',
          ),
        ),
      ...readings.flatMap(({ question, answer }) =>
        fact('Reading', `${question}: ${answer}`, 'value'),
      ),
      ...fact('Generator', generator.join(', ')),
      ...load.notes.flatMap((note) => fact('Note', note)),
      ...fact('k6', `${k6.version} (${k6.source})`, 'value'),
      ...fact('Rerun', load.command, 'command'),
    ],
  };
}

function windowFacts({ windows }: LoadResult): readonly Fact[] {
  const left = windows.length - WINDOWS_SHOWN;
  return [
    ...windows
      .slice(0, WINDOWS_SHOWN)
      .flatMap(({ key, admitted, refused }) =>
        fact('Window', `${key}: ${admitted} admitted, ${refused} refused`, 'value'),
      ),
    ...fact('Windows', left > 0 ? `${left} more in results.json` : ''),
  ];
}
