export { type FinishedCall, readFinishedCall, writeFinishedCall } from './calls/finished-call';
export {
  encodeMetrics,
  encodeSpans,
  type OtlpEncoding,
  type OtlpRequest,
  rejectedIn,
} from './encoding/otlp-request';
export { type Metric, type Period } from './metrics/metric';
export { type MinuteSum, minuteMetrics } from './metrics/minute-metrics';
export { exportOutcome, type ExportOutcome } from './protocol/export-outcome';
export { type Signal, signalUrl } from './protocol/signal-url';
export { callSpan } from './spans/call-span';
export { type Span } from './spans/span';
export { testSpan } from './spans/test-span';
