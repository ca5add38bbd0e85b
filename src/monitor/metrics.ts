import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Attributes } from '@opentelemetry/api';
import type { IMetricReader } from '@opentelemetry/sdk-metrics';
import { packageRoot } from '../fs/package-root.ts';
import { LEVELS } from '../report/model/labels.ts';
import { OptionError } from '../run/option-error.ts';
import { parsedAddress } from '../run/listen-address.ts';
import { toolVersion } from '../run/version.ts';
import { MetricsMissing } from './errors.ts';
import type { BudgetNow, MonitorEvent, MonitorHappenings } from './events.ts';
import type { MetricsOptions } from './settings.ts';
import type { MonitorVerdict } from './status.ts';

/** Metrics of a monitor, from its events. */
export interface Metrics {
  take(event: MonitorEvent): void;
  /** Flushes, and stops listening. */
  close(): Promise<void>;
}

const VERDICTS: readonly MonitorVerdict[] = ['holds', 'violates', 'incomplete'];

/** OTLP export interval, ms. */
const EXPORT_MS = 60_000;
/**
 * Export timeout including retries, ms. It may delay the end of a monitor, because retries of the exporter cannot be
 * cancelled. Counters are cumulative, so a failed export loses nothing.
 */
const EXPORT_TIMEOUT_MS = 1000;

/**
 * Metrics through the OpenTelemetry SDK, which is an optional dependency of 28 MB and loaded only here. The names
 * follow its conventions; docs/monitor.md lists them.
 *
 * @throws MetricsMissing if it is not installed; OptionError for an invalid address
 */
export async function openMetrics(options: MetricsOptions): Promise<Metrics | null> {
  const { listen, otlp } = options;
  if (listen === null && otlp === null) return null;
  try {
    return await opened(options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const unused = [
      ...(listen === null ? ['@opentelemetry/exporter-prometheus'] : []),
      ...(otlp === null ? ['@opentelemetry/exporter-metrics-otlp-http'] : []),
    ];
    const text = readFileSync(path.join(packageRoot, 'package.json'), 'utf8');
    const { peerDependencies } = JSON.parse(text) as { peerDependencies: Record<string, string> };
    const needed = Object.entries(peerDependencies).filter(([name]) => !unused.includes(name));
    throw new MetricsMissing(
      needed.map(([name, range]) => `${name}@${range}`),
      error,
    );
  }
}

async function opened({ listen, otlp }: MetricsOptions): Promise<Metrics> {
  const [{ MeterProvider }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/resources'),
  ]);
  const readers: IMetricReader[] = [];
  if (listen !== null) readers.push(await prometheus(listen));
  if (otlp !== null) readers.push(await pushed(otlp));
  const provider = new MeterProvider({
    resource: resourceFromAttributes({
      'service.name': process.env['OTEL_SERVICE_NAME'] ?? 'assay',
      'service.version': toolVersion(),
    }),
    readers,
  });
  const meter = provider.getMeter('assay', toolVersion());
  const now: Now = { baseUrl: '', verdict: null, run: null, budget: null };
  const about = (attributes: Attributes): Attributes => ({
    'assay.target': now.baseUrl,
    ...attributes,
  });
  for (const [name, [unit, description]] of Object.entries(GAUGES)) {
    meter.createObservableGauge(name, { unit, description }).addCallback((into) => {
      for (const [value, of] of valuesOf(now)[name as Gauge]) into.observe(value, about(of));
    });
  }
  const requests = meter.createCounter('assay.requests', {
    unit: '{request}',
    description: 'Requests sent with keys that have a quota',
  });
  const duration = meter.createHistogram('assay.run.duration', {
    unit: 's',
    description: 'Duration of runs',
    advice: { explicitBucketBoundaries: [1, 5, 15, 30, 60, 120, 300, 600, 1200] },
  });
  const changes = meter.createCounter('assay.turns', {
    unit: '{turn}',
    description: 'Verdict changes',
  });
  const deliveries = meter.createCounter('assay.deliveries', {
    unit: '{attempt}',
    description: 'Notification delivery attempts',
  });
  return {
    take(event) {
      remember(now, event);
      if (event.type === 'run') {
        const { kind, verdict, startedAt, endedAt } = event.run;
        const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
        duration.record(seconds, about({ 'assay.run.kind': kind, 'assay.run.verdict': verdict }));
        for (const role of ['valid', 'restricted'] as const) {
          const sent = event.run.requests[role];
          if (sent > 0) requests.add(sent, about({ 'assay.key.role': role }));
        }
      } else if (event.type === 'turn') {
        changes.add(1, about({ 'assay.verdict': event.turn.to }));
      } else if (event.type === 'delivery') {
        deliveries.add(1, about({ 'assay.delivered': event.delivery.delivered }));
      }
    },
    async close() {
      // An unreachable collector must not delay the end.
      await provider.shutdown().catch(() => undefined);
    },
  };
}

/** What the last events said. */
interface Now {
  baseUrl: string;
  verdict: MonitorVerdict | null;
  /** The last scheduled run. */
  run: MonitorHappenings['run'] | null;
  budget: BudgetNow | null;
}

function remember(now: Now, event: MonitorEvent): void {
  if (event.type === 'started') {
    now.baseUrl = event.started.target.baseUrl;
    now.verdict = event.started.verdict;
    now.budget = event.started.budget;
  } else if (event.type === 'run') {
    now.verdict = event.run.standing;
    now.budget = event.run.budget;
    if (event.run.kind === 'scheduled') now.run = event.run;
  } else if (event.type === 'left-out') now.budget = event['left-out'].budget;
}

/** Unit and description of the gauges. */
const GAUGES = {
  'assay.verdict': ['', '1 for the current verdict, 0 for the others'],
  'assay.requirements': ['{requirement}', 'Requirements by outcome in the last scheduled run'],
  'assay.budget.used': ['{request}', 'Requests spent this month'],
  'assay.budget.limit': ['{request}', 'Monthly budget, requests'],
  'assay.run.last': ['s', 'End of the last scheduled run, seconds since 1970-01-01 UTC'],
} as const;
type Gauge = keyof typeof GAUGES;
type Value = readonly [value: number, attributes: Attributes];

function valuesOf({ verdict, run, budget }: Now): Readonly<Record<Gauge, readonly Value[]>> {
  const budgets = [
    ['valid', budget],
    ['restricted', budget?.restricted ?? null],
  ] as const;
  const budgetOf = (of: 'used' | 'limit'): Value[] =>
    budgets.flatMap(([role, one]) => (one === null ? [] : [[one[of], { 'assay.key.role': role }]]));
  return {
    'assay.verdict': VERDICTS.flatMap((one) =>
      verdict === null ? [] : [[Number(one === verdict), { 'assay.verdict': one }] as const],
    ),
    'assay.requirements': LEVELS.flatMap((level) =>
      Object.entries(run?.summary[level] ?? {}).map(
        ([outcome, count]) => [count, { 'assay.level': level, 'assay.outcome': outcome }] as const,
      ),
    ),
    'assay.budget.used': budgetOf('used'),
    'assay.budget.limit': budgetOf('limit'),
    'assay.run.last': run === null ? [] : [[Date.parse(run.endedAt) / 1000, {}]],
  };
}

async function prometheus(listen: string): Promise<IMetricReader> {
  const { PrometheusExporter } = await import('@opentelemetry/exporter-prometheus');
  const exporter = new PrometheusExporter({
    ...parsedAddress(listen),
    withoutScopeInfo: true,
    preventServerStart: true,
  });
  try {
    await exporter.startServer();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OptionError(
      `Cannot listen on --metrics ${listen}: ${code ?? message}.`,
      'Choose another port, or stop the program that uses it.',
    );
  }
  return exporter;
}

async function pushed(url: string): Promise<IMetricReader> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new OptionError(
      '--otlp takes an http or https URL.',
      'For example --otlp http://127.0.0.1:4318/v1/metrics.',
    );
  }
  const [{ OTLPMetricExporter }, { PeriodicExportingMetricReader }] = await Promise.all([
    import('@opentelemetry/exporter-metrics-otlp-http'),
    import('@opentelemetry/sdk-metrics'),
  ]);
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS }),
    exportIntervalMillis: EXPORT_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
}
