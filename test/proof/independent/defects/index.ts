import { COUNTING } from './counting.ts';
import type { Defect } from './defect.ts';
import { READING } from './reading.ts';

/** All defects. */
export const DEFECTS: readonly Defect[] = [...COUNTING, ...READING];

/** A defect by id; throws a RangeError. */
export function defectById(id: string): Defect {
  const found = DEFECTS.find((one) => one.id === id);
  if (found === undefined) throw new RangeError(`no defect is called ${id}`);
  return found;
}
