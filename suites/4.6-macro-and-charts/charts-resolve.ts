import { STATUS } from '../../src/spec/finding.ts';
import { isJudgeable } from '../../src/judge/context.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { objectsOf } from '../../src/judge/values-at.ts';

/**
 * 4.6/charts-resolve: listed charts can be fetched. Their shape, and whether they have data today, is unspecified
 * (ruling 16).
 */
export const chartsResolve = judgeAll((views, context, it) => {
  const listed = new Set<unknown>();
  for (const view of views) {
    for (const { value } of objectsOf(view, context, 'chart')) listed.add(value['chart_name']);
  }
  for (const view of views) {
    const { endpoint, pathParameters, role } = view.exchange;
    const name = pathParameters['chart_name'];
    if (endpoint !== '/analyses/{chart_name}' || role !== 'valid' || !listed.has(name)) continue;
    // An error about parameters, which are unspecified, shows that the chart exists.
    if (!isJudgeable(view, context) || view.status === 400 || view.status === 422) continue;
    if (!view.isJson) continue;
    it.expect(view, view.ok && view.body !== null, () => ({
      kind: 'listed-chart-unknown',
      facts: { chart: show(name) },
      expected: 'status 200 with data',
      actual: view.ok ? `status ${view.status} with null` : `status ${view.status}`,
      ...(view.ok ? { pointer: '' } : { header: STATUS }),
    }));
  }
});
