/** A monitor cannot start or continue, because its state cannot be read or written. Every request sent is booked. */
export class MonitorError extends Error {
  readonly code = 'ASSAY_MONITOR';
  /** What to do. */
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MonitorError';
    this.hint = hint;
  }
}

/** The packages for metrics are not installed. */
export class MetricsMissing extends Error {
  readonly code = 'ASSAY_METRICS_MISSING';
  /** What to do. */
  readonly hint: string;

  constructor(packages: readonly string[], cause: unknown) {
    super(`The OpenTelemetry SDK is not installed: ${packages.join(', ')}.`, {
      cause,
    });
    this.name = 'MetricsMissing';
    this.hint = `It is an optional dependency. Install it next to Assay: npm install ${packages.map((one) => `"${one}"`).join(' ')}`;
  }
}
