import { createHash } from 'node:crypto';
import { GatewayError } from '@svc/kernel';
import {
  type AnthropicHeaders,
  DEFAULT_ANTHROPIC_VERSION,
  NO_ANTHROPIC_HEADERS,
} from '../call/anthropic-headers';
import { type Operation } from '../call/operation';
import { canonicalBody } from './canonical-body';

/** `/v1/v1/messages` is an alias of the same route. */
const routes: Readonly<Record<Operation, string>> = {
  chat_completions: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
  embeddings: '/v1/embeddings',
};

/**
 * SHA-256 over method, route, Anthropic's headers, `Svc-End-User` and JSON value. It defines "the same body" of an `Idempotency-Key`
 * (docs/reference/idempotency.md#the-same-body).
 * @throws GatewayError `invalidRequest` for a body that is not JSON.
 */
export function callFingerprint(
  operation: Operation,
  body: Uint8Array,
  anthropic: AnthropicHeaders = NO_ANTHROPIC_HEADERS,
  endUserHeader: string | null = null,
): Buffer {
  const endUserLine = endUserHeader === null ? '' : `svc-end-user: ${endUserHeader}\n`;
  const hash = createHash('sha256').update(
    `POST ${routes[operation]}\n${headerLines(anthropic)}${endUserLine}`,
  );
  try {
    return hash.update(canonicalBody(body), 'latin1').digest();
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new GatewayError('invalidRequest', 'The body is not valid JSON.');
  }
}

/** Empty for a call without the headers. The default version is sent for such a call too, so it counts as none. */
function headerLines({ version, betas }: AnthropicHeaders): string {
  const versionLine =
    version === null || version === DEFAULT_ANTHROPIC_VERSION ? '' : `anthropic-version: ${version}\n`;
  return betas.length === 0 ? versionLine : `${versionLine}anthropic-beta: ${betas.toSorted().join(',')}\n`;
}
