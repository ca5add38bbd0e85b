import { CodedError, HintedError } from '../text/hinted-error.ts';

/** A monitor cannot start or continue, because its state cannot be read or written. Every request sent is booked. */
export class MonitorError extends CodedError('ASSAY_MONITOR') {}

/** The packages for metrics are not installed. */
export class MetricsMissing extends HintedError<'ASSAY_METRICS_MISSING'> {
  constructor(packages: readonly string[], cause: unknown) {
    super(
      'ASSAY_METRICS_MISSING',
      `The OpenTelemetry SDK is not installed: ${packages.join(', ')}.`,
      `The SDK is an optional dependency. Install it next to Assay: npm install ${packages.map((one) => `"${one}"`).join(' ')}`,
      { cause },
    );
  }
}
