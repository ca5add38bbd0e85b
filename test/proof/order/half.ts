import { createHash } from 'node:crypto';

/**
 * Faults made by operators are split by their ids: one half chooses the order of requests, the other one only measures
 * it. What is measured on faults that the order was made for says little about others.
 */
export const choosesOrder = (fault: string): boolean =>
  (createHash('sha256').update(fault).digest()[0] ?? 0) % 2 === 0;
