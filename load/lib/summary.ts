import { SUMMARY_MARK, type MeasuredLatency, type RunSummary } from '../../src/load/plan.ts';
import { plan } from './plan.ts';

interface Metric {
  readonly type: string;
  readonly values: Readonly<Record<string, number | undefined>>;
}
interface SummaryData {
  readonly metrics: Readonly<Record<string, Metric | undefined>>;
}

const countOf = (metric: Metric | undefined): number => metric?.values['count'] ?? 0;

/** Writes the summary of the run in our own format, because the formats of k6 change between versions. */
export function handleSummary(data: SummaryData): Record<string, string> {
  const summary = summarize(data);
  const text = JSON.stringify(summary);
  const file = __ENV['ASSAY_SUMMARY'];
  if (file !== undefined) return { [file]: text };
  return { stdout: `${SUMMARY_MARK}${text}\n` };
}

function summarize({ metrics }: SummaryData): RunSummary {
  const byStatus: Record<string, number> = {};
  const latency: MeasuredLatency[] = [];
  for (const [name, metric] of Object.entries(metrics)) {
    const status = /^http_reqs\{status:(\d+)\}$/.exec(name)?.[1];
    if (status !== undefined && countOf(metric) > 0) byStatus[status] = countOf(metric);
    const of = /^http_req_duration\{(?:name:(.*),)?status:(\d+)\}$/.exec(name);
    if (of !== null && countOf(metric) > 0)
      latency.push(latencyOf(of[1] ?? '', of[2] ?? '', metric));
  }
  return {
    runId: plan.runId,
    scenario: plan.scenario,
    sent: countOf(metrics['http_reqs']),
    byStatus,
    iterations: countOf(metrics['iterations']),
    dropped: countOf(metrics['dropped_iterations']),
    harnessErrors: countOf(metrics['harness_errors']),
    latency,
  };
}

function latencyOf(endpoint: string, status: string, metric: Metric | undefined): MeasuredLatency {
  const of = (name: string): number => metric?.values[name] ?? 0;
  return {
    endpoint: endpoint === '' ? 'all' : endpoint,
    status,
    count: of('count'),
    min: of('min'),
    p50: of('med'),
    p95: of('p(95)'),
    p99: of('p(99)'),
    max: of('max'),
  };
}
