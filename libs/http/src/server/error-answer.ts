import { errorEnvelope, errorHeaders, type ErrorEnvelope, type GatewayError } from '@svc/kernel';

interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

const asEnvelope = (envelope: ErrorEnvelope): object => envelope;

/**
 * The HTTP answer for an error (docs/reference/errors.md#the-envelope).
 * @param render adapts the envelope to a protocol.
 */
export function errorAnswer(error: GatewayError, requestId: string, render = asEnvelope): ErrorAnswer {
  return {
    status: error.definition.status,
    headers: {
      'x-request-id': requestId,
      ...errorHeaders(error),
      'content-type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify(render(errorEnvelope(error, requestId))),
  };
}
