import { known } from './call.ts';
import type { Handler } from './call.ts';

export const charts: Handler = (call) => call.world.charts();

export const chartData: Handler = (call) => {
  const rows = call.world.chartData(call.path['chart_name'] ?? '', call.now);
  return known(rows, 'Chart', call, 'chart_name', '/analyses');
};
