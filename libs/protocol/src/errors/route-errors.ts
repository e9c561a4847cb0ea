import { type ErrorEnvelope } from '@svc/kernel';
import { type Operation } from '../call/operation';

/** The error body of the messages route: the envelope, and what Anthropic's SDKs look for beside it. */
export interface MessagesErrorEnvelope extends ErrorEnvelope {
  readonly type: 'error';
  readonly request_id: string;
}

/**
 * An error as its route tells it: on messages with what makes both SDKs raise their typed errors (contract.md
 * sections 5 and 10), elsewhere (`null`: no inference route) the envelope as it is.
 */
export function renderError(
  operation: Operation | null,
  envelope: ErrorEnvelope,
): ErrorEnvelope | MessagesErrorEnvelope {
  if (operation !== 'messages') return envelope;
  return { type: 'error', error: envelope.error, request_id: envelope.error.request_id };
}
