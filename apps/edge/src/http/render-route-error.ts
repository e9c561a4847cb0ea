import { type ErrorEnvelope } from '@svc/kernel';
import { renderError, type Operation } from '@svc/protocol';

/** Errors of the messages route have more fields than the envelope (docs/reference/errors.md#the-envelope). */
export const renderRouteError = (path: string, envelope: ErrorEnvelope): object =>
  renderError(operationAt(path), envelope);

const operationAt = (path: string): Operation | null =>
  /^(\/v1){1,2}\/messages(\/|$)/.test(path) ? 'messages' : null;
