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
export type Metrics = Awaited<ReturnType<typeof opened>>;

const VERDICTS: readonly MonitorVerdict[] = ['holds', 'violates', 'incomplete'];

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
  if (listen === undefined && otlp === undefined) return null;
  try {
    return await opened(options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const unused = [
      ...(listen === undefined ? ['@opentelemetry/exporter-prometheus'] : []),
      ...(otlp === undefined ? ['@opentelemetry/exporter-metrics-otlp-http'] : []),
    ];
    const text = readFileSync(path.join(packageRoot, 'package.json'), 'utf8');
    const { peerDependencies } = JSON.parse(text) as { peerDependencies: Record<string, string> };
    const needed = Object.entries(peerDependencies)
      .filter(([name]) => !unused.includes(name))
      .map(([name, range]) => `${name}@${range}`);
    throw new MetricsMissing(
      `The OpenTelemetry SDK is not installed: ${needed.join(', ')}.`,
      `The SDK is an optional dependency. Install it next to Assay: npm install ${needed.map((one) => `"${one}"`).join(' ')}`,
      { cause: error },
    );
  }
}

async function opened({ listen, otlp }: MetricsOptions) {
  const [{ MeterProvider }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/resources'),
  ]);
  const readers: IMetricReader[] = [];
  if (listen !== undefined) readers.push(await prometheus(listen));
  if (otlp !== undefined) readers.push(await pushed(otlp));
  const provider = new MeterProvider({
    resource: resourceFromAttributes({
      'service.name': process.env['OTEL_SERVICE_NAME'] ?? 'assay',
      'service.version': toolVersion(),
    }),
    readers,
  });
  const meter = provider.getMeter('assay', toolVersion());
  // What the last events said: the budget, the last run and, for the verdict, also the first event.
  let baseUrl = '';
  let verdict: MonitorVerdict | null = null;
  let run: MonitorHappenings['run'] | null = null;
  let budget: BudgetNow | null = null;
  const about = (attributes: Attributes): Attributes => ({
    'assay.target': baseUrl,
    ...attributes,
  });
  const gauge = (
    name: string,
    unit: string,
    description: string,
    values: () => readonly (readonly [value: number, attributes: Attributes])[],
  ): void =>
    meter.createObservableGauge(name, { unit, description }).addCallback((into) => {
      for (const [value, attributes] of values()) into.observe(value, about(attributes));
    });
  const budgetOf = (of: 'used' | 'limit') =>
    [['valid', budget] as const, ['restricted', budget?.restricted] as const].flatMap(
      ([role, one]) => (one == null ? [] : [[one[of], { 'assay.key.role': role }] as const]),
    );
  gauge('assay.verdict', '', '1 for the current verdict, 0 for the others', () =>
    verdict === null
      ? []
      : VERDICTS.map((one) => [Number(one === verdict), { 'assay.verdict': one }] as const),
  );
  gauge(
    'assay.requirements',
    '{requirement}',
    'Requirements by outcome in the last scheduled run',
    () =>
      LEVELS.flatMap((level) =>
        Object.entries(run?.summary[level] ?? {}).map(
          ([outcome, count]) =>
            [count, { 'assay.level': level, 'assay.outcome': outcome }] as const,
        ),
      ),
  );
  gauge('assay.budget.used', '{request}', 'Requests spent this month', () => budgetOf('used'));
  gauge('assay.budget.limit', '{request}', 'Monthly budget, requests', () => budgetOf('limit'));
  gauge('assay.run.last', 's', 'End of the last scheduled run, seconds since 1970-01-01 UTC', () =>
    run === null ? [] : [[Date.parse(run.endedAt) / 1000, {}]],
  );
  const counter = (name: string, unit: string, description: string) =>
    meter.createCounter(name, { unit, description });
  const requests = counter(
    'assay.requests',
    '{request}',
    'Requests sent with keys that have a quota',
  );
  const changes = counter('assay.turns', '{turn}', 'Verdict changes');
  const deliveries = counter('assay.deliveries', '{attempt}', 'Notification delivery attempts');
  const duration = meter.createHistogram('assay.run.duration', {
    unit: 's',
    description: 'Duration of runs',
    advice: { explicitBucketBoundaries: [1, 5, 15, 30, 60, 120, 300, 600, 1200] },
  });
  return {
    take(event: MonitorEvent): void {
      if (event.type === 'started') {
        ({ budget, verdict } = event.started);
        ({ baseUrl } = event.started.target);
      } else if (event.type === 'left-out') ({ budget } = event['left-out']);
      else if (event.type === 'run') {
        ({ budget, standing: verdict } = event.run);
        const { kind, verdict: of, startedAt, endedAt } = event.run;
        if (kind === 'scheduled') run = event.run;
        const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
        duration.record(seconds, about({ 'assay.run.kind': kind, 'assay.run.verdict': of }));
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
    /** Flushes, and stops listening. */
    async close(): Promise<void> {
      // An unreachable collector must not delay the end.
      await provider.shutdown().catch(() => undefined);
    },
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
