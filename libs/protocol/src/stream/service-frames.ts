import { type ErrorEnvelope } from '@svc/kernel';
import { type Operation } from '../call/operation';
import { renderError } from '../errors/route-errors';
import { encodeUtf8 } from '../json/byte-text';

/**
 * The frame for an error after the stream has begun. It is the last frame, and no terminator follows
 * (docs/reference/errors.md#errors-inside-a-stream).
 * @param sequenceNumber the number of the event, where the protocol numbers its events
 */
export const streamErrorFrame = (
  operation: Operation,
  envelope: ErrorEnvelope,
  sequenceNumber = 0,
): Uint8Array => encodeUtf8(errorFrames[operation](envelope, sequenceNumber));

const unnamedFrame = (envelope: ErrorEnvelope): string => `data: ${JSON.stringify(envelope)}\n\n`;
const errorEvent = (data: unknown): string => `event: error\ndata: ${JSON.stringify(data)}\n\n`;

const errorFrames: Readonly<Record<Operation, (envelope: ErrorEnvelope, sequenceNumber: number) => string>> =
  {
    chat_completions: unnamedFrame,
    messages: (envelope) => errorEvent(renderError('messages', envelope)),
    responses: ({ error }, sequenceNumber) => {
      const { code, message, param = null } = error;
      // OpenAI documents the error at the top, and sends it in `error`. Clients read one or the other.
      const flat = { type: 'error', sequence_number: sequenceNumber, code, message, param };
      return errorEvent({ ...flat, error: { ...error, param } });
    },
    embeddings: unnamedFrame,
  };

/**
 * A comment that keeps idle connections open. Clients ignore it
 * (docs/reference/inference-and-compatibility.md#streaming).
 */
export const KEEP_ALIVE_COMMENT = ': keep-alive\n\n';

export const keepAliveComment = (): Uint8Array => encodeUtf8(KEEP_ALIVE_COMMENT);
