import { type ErrorEnvelope } from '@svc/kernel';
import { type Operation } from '../call/operation';

/** The error body of the messages route: the envelope with the fields that Anthropic's SDKs read. */
interface MessagesErrorEnvelope extends ErrorEnvelope {
  readonly type: 'error';
  readonly request_id: string;
}

/**
 * The error body of a route: on messages with the fields that make both SDKs raise their typed errors
 * (docs/reference/errors.md#the-envelope), elsewhere (`null`: no inference route) the envelope unchanged.
 */
export function renderError(
  operation: Operation | null,
  envelope: ErrorEnvelope,
): ErrorEnvelope | MessagesErrorEnvelope {
  if (operation !== 'messages') return envelope;
  return { type: 'error', error: envelope.error, request_id: envelope.error.request_id };
}
