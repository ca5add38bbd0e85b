/** A monitor cannot begin, or go on: its state cannot be read or written. Nothing was sent that is not accounted for. */
export class MonitorError extends Error {
  readonly code = 'ASSAY_MONITOR';
  /** The way out. */
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MonitorError';
    this.hint = hint;
  }
}

/** What the metrics need is not installed. */
export class MetricsMissing extends Error {
  readonly code = 'ASSAY_METRICS_MISSING';
  /** The way out. */
  readonly hint: string;

  constructor(packages: readonly string[], cause: unknown) {
    super(`The OpenTelemetry SDK is not installed beside Assay: ${packages.join(', ')}.`, {
      cause,
    });
    this.name = 'MetricsMissing';
    this.hint = `It is optional for its size. Install it where Assay is: npm install ${packages.map((one) => `"${one}"`).join(' ')}`;
  }
}
