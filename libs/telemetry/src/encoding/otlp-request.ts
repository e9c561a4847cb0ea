import { type Metric, type Period } from '../metrics/metric';
import { type Span } from '../spans/span';
import { resourceMetricsOf, readableSpans } from './sdk-data';

export type OtlpEncoding = 'protobuf' | 'json';

/** The request to a collector. */
export interface OtlpRequest {
  readonly contentType: string;
  readonly body: Buffer;
}

const CONTENT_TYPES: Readonly<Record<OtlpEncoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

/** Loaded at the first use: it takes a tenth of a second, and most installations never need it. */
const transformer = () => import('@opentelemetry/otlp-transformer');

/** An `ExportTraceServiceRequest`. */
export async function encodeSpans(spans: readonly Span[], encoding: OtlpEncoding): Promise<OtlpRequest> {
  const { ProtobufTraceSerializer, JsonTraceSerializer } = await transformer();
  const serializer = encoding === 'protobuf' ? ProtobufTraceSerializer : JsonTraceSerializer;
  return requestOf(encoding, serializer.serializeRequest(readableSpans(spans)));
}

/** An `ExportMetricsServiceRequest`, in delta temporality. */
export async function encodeMetrics(
  metrics: readonly Metric[],
  period: Period,
  encoding: OtlpEncoding,
): Promise<OtlpRequest> {
  const { ProtobufMetricsSerializer, JsonMetricsSerializer } = await transformer();
  const serializer = encoding === 'protobuf' ? ProtobufMetricsSerializer : JsonMetricsSerializer;
  return requestOf(encoding, serializer.serializeRequest(resourceMetricsOf(metrics, period)));
}

/**
 * How many spans or points a collector rejected of a request that it answered with 200: a partial success
 * (https://opentelemetry.io/docs/specs/otlp/#partial-success-1). An answer that cannot be read rejects nothing.
 */
export async function rejectedIn(
  signal: 'traces' | 'metrics',
  encoding: OtlpEncoding,
  answer: Uint8Array,
): Promise<number> {
  try {
    return countOf(
      (await transformer())[ANSWERS[signal][encoding]].deserializeResponse(answer).partialSuccess,
    );
  } catch {
    return 0;
  }
}

const ANSWERS = {
  traces: { protobuf: 'ProtobufTraceSerializer', json: 'JsonTraceSerializer' },
  metrics: { protobuf: 'ProtobufMetricsSerializer', json: 'JsonMetricsSerializer' },
} as const;

/** In JSON a 64-bit number is a text. */
function countOf(partialSuccess: object = {}): number {
  const { rejectedSpans, rejectedDataPoints } = partialSuccess as Readonly<Record<string, unknown>>;
  const count = Number(rejectedSpans ?? rejectedDataPoints ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

function requestOf(encoding: OtlpEncoding, bytes: Uint8Array | undefined): OtlpRequest {
  if (bytes === undefined) throw new Error('The telemetry could not be encoded.');
  return { contentType: CONTENT_TYPES[encoding], body: Buffer.from(bytes) };
}
