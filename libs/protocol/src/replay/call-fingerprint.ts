import { createHash } from 'node:crypto';
import { GatewayError } from '@svc/kernel';
import { type Operation } from '../call/operation';
import { canonicalBody } from './canonical-body';

/** `/v1/v1/messages` is an alias: what comes there is the same call. */
const routes: Readonly<Record<Operation, string>> = {
  chat_completions: '/v1/chat/completions',
  messages: '/v1/messages',
};

/**
 * SHA-256 over method, route and JSON value: what "the same body" means to an `Idempotency-Key` (contract.md
 * section 11).
 * @throws GatewayError `invalidRequest` for a body that is no JSON.
 */
export function callFingerprint(operation: Operation, body: Uint8Array): Buffer {
  const hash = createHash('sha256').update(`POST ${routes[operation]}\n`);
  try {
    return hash.update(canonicalBody(body), 'latin1').digest();
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new GatewayError('invalidRequest', 'The body is not valid JSON.');
  }
}
