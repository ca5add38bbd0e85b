import { curveOf } from './curve.ts';
import type { CurveReport } from './report.ts';

const ASSAY = [1, 2, 30, 90];
const COLLECTION = [3, null, null, null];
const PEER = [8, null, 250, null];

/** Figures of four faults, of which all tools met the first three. */
export const CURVE_REPORT: CurveReport = {
  schemaVersion: 1,
  date: '2026-11-21',
  seed: 1,
  versions: { assay: '1' },
  drawnFrom: 100,
  points: [5, 10, 20, 31, 50, 75, 100, 150, 200],
  curves: [curveOf('Assay', ASSAY, 280), curveOf('one request an endpoint', COLLECTION, 31)],
  never: [],
  common: {
    faults: ['a', 'b', 'c'],
    after: {
      Assay: ASSAY.slice(0, 3),
      'one request an endpoint': COLLECTION.slice(0, 3),
      'Peer & co': PEER.slice(0, 3),
    },
    curves: [
      curveOf('Assay', ASSAY.slice(0, 3), 280),
      curveOf('one request an endpoint', COLLECTION.slice(0, 3), 31),
      curveOf('Peer & co', PEER.slice(0, 3), 3400),
    ],
    troubles: [],
  },
};
