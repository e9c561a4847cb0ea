import { errorEnvelope, errorHeaders, type ErrorEnvelope, type GatewayError } from '@svc/kernel';

/** Adapts the envelope to the protocol of a path. */
export type RenderError = (path: string, envelope: ErrorEnvelope) => object;

interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/** The HTTP answer for an error (docs/reference/errors.md#the-envelope). */
export function errorAnswer(
  error: GatewayError,
  requestId: string,
  path: string,
  render?: RenderError,
): ErrorAnswer {
  const envelope = errorEnvelope(error, requestId);
  return {
    status: error.definition.status,
    headers: {
      'x-request-id': requestId,
      ...errorHeaders(error),
      'content-type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify(render?.(path, envelope) ?? envelope),
  };
}
