import type { Attributes } from '@opentelemetry/api';
import type { IMetricReader } from '@opentelemetry/sdk-metrics';
import { LEVELS } from '../report/model/labels.ts';
import { OUTCOMES } from '../report/model/results.ts';
import { OptionError } from '../run/option-error.ts';
import { toolVersion } from '../run/version.ts';
import { MetricsMissing } from './errors.ts';
import { addressOf } from './listen-address.ts';
import type { MonitorEvent, MonitorHappenings } from './events.ts';
import type { MetricsOptions } from './settings.ts';
import type { StandingVerdict } from './status.ts';

/** Metrics of a monitor, from its events. */
export interface Metrics {
  take(event: MonitorEvent): void;
  /** Flushes, and stops listening. */
  close(): Promise<void>;
}

const VERDICTS: readonly StandingVerdict[] = ['holds', 'violates', 'incomplete'];

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
export async function openMetrics({ listen, otlp }: MetricsOptions): Promise<Metrics | null> {
  if (listen === null && otlp === null) return null;
  const [{ MeterProvider }, { resourceFromAttributes }] = await Promise.all([
    installed('@opentelemetry/sdk-metrics', () => import('@opentelemetry/sdk-metrics')),
    installed('@opentelemetry/resources', () => import('@opentelemetry/resources')),
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
  const now = new Now();
  meter
    .createObservableGauge('assay.verdict', {
      description: '1 for the current verdict, 0 for the others',
    })
    .addCallback((into) => now.verdicts((value, about) => into.observe(value, about)));
  meter
    .createObservableGauge('assay.requirements', {
      unit: '{requirement}',
      description: 'Requirements by outcome in the last scheduled run',
    })
    .addCallback((into) => now.requirements((value, about) => into.observe(value, about)));
  for (const [name, of] of [
    ['assay.budget.used', 'used'],
    ['assay.budget.limit', 'limit'],
  ] as const) {
    meter
      .createObservableGauge(name, {
        unit: '{request}',
        description: of === 'used' ? 'Requests spent this month' : 'Monthly budget, requests',
      })
      .addCallback((into) => now.budget(of, (value, about) => into.observe(value, about)));
  }
  meter
    .createObservableGauge('assay.run.last', {
      unit: 's',
      description: 'End of the last scheduled run, seconds since 1970-01-01 UTC',
    })
    .addCallback((into) => now.last((value, about) => into.observe(value, about)));
  const requests = meter.createCounter('assay.requests', {
    unit: '{request}',
    description: 'Requests sent with keys that have a quota',
  });
  const duration = meter.createHistogram('assay.run.duration', {
    unit: 's',
    description: 'Duration of runs',
    advice: { explicitBucketBoundaries: [1, 5, 15, 30, 60, 120, 300, 600, 1200] },
  });
  const turns = meter.createCounter('assay.turns', {
    unit: '{turn}',
    description: 'Verdict changes',
  });
  const deliveries = meter.createCounter('assay.deliveries', {
    unit: '{attempt}',
    description: 'Notification delivery attempts',
  });
  return {
    take(event) {
      now.take(event);
      if (event.type === 'run') {
        const { kind, verdict, startedAt, endedAt } = event.run;
        const about = now.about({ 'assay.run.kind': kind, 'assay.run.verdict': verdict });
        duration.record((Date.parse(endedAt) - Date.parse(startedAt)) / 1000, about);
        for (const role of ['valid', 'restricted'] as const) {
          const sent = event.run.requests[role];
          if (sent > 0) requests.add(sent, now.about({ 'assay.key.role': role }));
        }
      } else if (event.type === 'turn') {
        turns.add(1, now.about({ 'assay.verdict': event.turn.to }));
      } else if (event.type === 'delivery') {
        deliveries.add(1, now.about({ 'assay.delivered': event.delivery.delivered }));
      }
    },
    async close() {
      // An unreachable collector must not delay the end.
      await provider.shutdown().catch(() => undefined);
    },
  };
}

type Observe = (value: number, about: Attributes) => void;

/** The current state for the gauges, from the last events. */
class Now {
  #baseUrl = '';
  #verdict: StandingVerdict | null = null;
  #run: MonitorHappenings['run'] | null = null;
  #budget: MonitorHappenings['run']['budget'] | null = null;

  take(event: MonitorEvent): void {
    if (event.type === 'started') {
      this.#baseUrl = event.started.target.baseUrl;
      this.#verdict = event.started.verdict;
      this.#budget = event.started.budget;
    } else if (event.type === 'run') {
      this.#budget = event.run.budget;
      this.#verdict = event.run.standing;
      if (event.run.kind === 'scheduled') this.#run = event.run;
    } else if (event.type === 'left-out') this.#budget = event['left-out'].budget;
  }

  about(attributes: Attributes): Attributes {
    return { 'assay.target': this.#baseUrl, ...attributes };
  }

  verdicts(observe: Observe): void {
    if (this.#verdict === null) return;
    for (const verdict of VERDICTS) {
      observe(verdict === this.#verdict ? 1 : 0, this.about({ 'assay.verdict': verdict }));
    }
  }

  requirements(observe: Observe): void {
    if (this.#run === null) return;
    for (const level of LEVELS) {
      for (const outcome of OUTCOMES) {
        const about = this.about({ 'assay.level': level, 'assay.outcome': outcome });
        observe(this.#run.summary[level][outcome], about);
      }
    }
  }

  budget(of: 'used' | 'limit', observe: Observe): void {
    if (this.#budget === null) return;
    observe(this.#budget[of], this.about({ 'assay.key.role': 'valid' }));
    const { restricted } = this.#budget;
    if (restricted !== null)
      observe(restricted[of], this.about({ 'assay.key.role': 'restricted' }));
  }

  last(observe: Observe): void {
    if (this.#run !== null) observe(Date.parse(this.#run.endedAt) / 1000, this.about({}));
  }
}

async function prometheus(listen: string): Promise<IMetricReader> {
  const { host, port } = addressOf(listen);
  const name = '@opentelemetry/exporter-prometheus';
  const { PrometheusExporter } = await installed(
    name,
    () => import('@opentelemetry/exporter-prometheus'),
  );
  const exporter = new PrometheusExporter({
    host,
    port,
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
      '--otlp takes an http or https address.',
      'For example --otlp http://127.0.0.1:4318/v1/metrics.',
    );
  }
  const name = '@opentelemetry/exporter-metrics-otlp-http';
  const [{ OTLPMetricExporter }, { PeriodicExportingMetricReader }] = await Promise.all([
    installed(name, () => import('@opentelemetry/exporter-metrics-otlp-http')),
    installed('@opentelemetry/sdk-metrics', () => import('@opentelemetry/sdk-metrics')),
  ]);
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS }),
    exportIntervalMillis: EXPORT_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
}

/** Packages for metrics, with the ranges of `peerDependencies`. */
export const METRICS_PACKAGES: Readonly<Record<string, string>> = {
  '@opentelemetry/api': '^1.9.1',
  '@opentelemetry/resources': '^2.12.0',
  '@opentelemetry/sdk-metrics': '^2.12.0',
  '@opentelemetry/exporter-prometheus': '^0.223.0',
  '@opentelemetry/exporter-metrics-otlp-http': '^0.223.0',
};

async function installed<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const needed = Object.entries(METRICS_PACKAGES).filter(
      ([one]) => !one.includes('/exporter-') || one === name,
    );
    throw new MetricsMissing(
      needed.map(([one, range]) => `${one}@${range}`),
      error,
    );
  }
}
