export type Signal = 'traces' | 'metrics';

/**
 * Where a signal of an integration is sent: its `url` is a base, to which `/v1/traces` or `/v1/metrics` is added
 * (https://opentelemetry.io/docs/specs/otel/protocol/exporter/#endpoint-urls-for-otlphttp), unless it ends so. One that
 * ends with the path of the other signal has it replaced.
 */
export function signalUrl(base: string, signal: Signal): string {
  const url = new URL(base);
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1\/(?:traces|metrics)$/, '');
  url.pathname = `${path}/v1/${signal}`;
  return url.href;
}
