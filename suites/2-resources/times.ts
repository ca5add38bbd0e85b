// Time formats where the specification leaves them open (ruling 2).
import { pathsOf } from '../../src/spec/resources.ts';
import { judgeEach, type Judge } from '../../src/judge/judge.ts';
import { objectsOf, valuesAt } from '../../src/judge/values-at.ts';

/** Unit of an epoch timestamp, judged by its size. */
export const timestampUnit = (stamp: number): string =>
  unitOf(stamp) ?? 'neither seconds nor milliseconds';

function unitOf(stamp: number): 'milliseconds' | 'seconds' | null {
  const size = Math.abs(stamp);
  if (size >= 1e12 && size < 1e14) return 'milliseconds';
  return size >= 1e8 && size < 1e11 ? 'seconds' : null;
}

/** Format of a time string, in words. */
function timeForm(text: string): string {
  if (/^-?\d+$/.test(text)) {
    const unit = unitOf(Number(text));
    return unit === null ? 'digits of another kind' : `epoch ${unit}`;
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'yyyy-MM-dd';
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/.test(text)) {
    return 'ISO 8601 date and time';
  }
  if (/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(text)) return 'yyyy-MM-dd HH:mm:ss';
  return 'another form';
}

/** Records the formats of time strings. */
export const readTimes = (kind: 'stringTimestamp' | 'dateText'): Judge =>
  judgeEach((view, context, it) => {
    const { resource } = view;
    if (resource === null) return;
    for (const path of pathsOf(resource, kind)) {
      const forms = objectsOf(view, context, resource)
        .flatMap((record) => valuesAt(record, path))
        .flatMap(({ value }) =>
          typeof value === 'string' && value !== '' ? [timeForm(value)] : [],
        );
      const name = path.slice(1).replaceAll('/*/', '.');
      for (const form of [...new Set(forms)].toSorted()) {
        it.read({ topic: 'Time format', subject: name }, form, view);
      }
    }
  });
