import { type ParsedCall } from '@svc/protocol';
import { type InferenceCall } from '../call/inference-call';

/** The answer of an earlier call with the same key and body. Only a 200 is ever stored. */
export interface StoredAnswer {
  /** The id of the original call. */
  readonly requestId: string;
  readonly body: Uint8Array;
}

/** Replays an answer (docs/reference/idempotency.md#what-a-retry-gets). `stream` is part of the body, so both calls agree on it. */
export async function replayAnswer(
  call: InferenceCall,
  { stream }: ParsedCall,
  { requestId, body }: StoredAnswer,
): Promise<void> {
  const { reply, operation, facts } = call;
  facts.outcome = 'replayed';
  facts.replay_of = requestId;
  reply.addHeaders({
    'Idempotency-Replayed': 'true',
    'X-Request-Id': requestId,
    ...(operation === 'messages' ? { 'request-id': requestId } : {}),
  });
  if (!stream) {
    reply.sendJson([body]);
    return;
  }
  reply.openStream(null);
  await reply.write([body]);
  reply.end();
}
