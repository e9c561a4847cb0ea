import { type ErrorEnvelope } from '@svc/kernel';
import { renderError, type Operation } from '@svc/protocol';

/** The messages route's errors say more than the envelope (contract.md section 10). */
export const renderRouteError = (path: string, envelope: ErrorEnvelope): object =>
  renderError(operationAt(path), envelope);

const operationAt = (path: string): Operation | null =>
  /^(\/v1){1,2}\/messages(\/|$)/.test(path) ? 'messages' : null;
