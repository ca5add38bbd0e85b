import { CodedError } from '../text/hinted-error.ts';

/** A monitor cannot start or continue, because its state cannot be read or written. Every request sent is booked. */
export class MonitorError extends CodedError('ASSAY_MONITOR') {}

/** The packages for metrics are not installed. */
export class MetricsMissing extends CodedError('ASSAY_METRICS_MISSING') {}
