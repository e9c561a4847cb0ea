import { type ParsedCall } from '@svc/protocol';
import { type InferenceCall } from '../pipeline/inference-call';

/** The answer of an earlier call with the same key and body. Only a 200 is ever stored. */
export interface StoredAnswer {
  /** Of the original call. */
  readonly requestId: string;
  readonly body: Uint8Array;
}

/** Gives an answer again (interface.md, Idempotency, point 2). The same body asked for a stream, or did not. */
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
  reply.openStream();
  await reply.write([body]);
  reply.end();
}
