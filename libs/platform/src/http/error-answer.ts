import { errorEnvelope, errorHeaders, type ErrorEnvelope, type GatewayError } from '@svc/kernel';

/** How an envelope reads on this path, where a protocol of its own asks for more. */
export type RenderError = (path: string, envelope: ErrorEnvelope) => object;

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/** An error as its caller gets it over HTTP (interface.md, Errors: Envelope). */
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
