import { known } from './call.ts';
import type { Handler, Handlers } from './call.ts';

const charts: Handler = (call) => call.world.charts();

const chartData: Handler = (call) => {
  const rows = call.world.chartData(call.path['chart_name'] ?? '', call.now);
  return known(rows, 'Chart', call, 'chart_name', '/analyses');
};

/** Which handler answers which endpoint. */
export const CHARTS = {
  '/analyses': charts,
  '/analyses/{chart_name}': chartData,
} as const satisfies Handlers;
