import { type ApiError, errorIn } from '../../api/api-error';
import { callEdge } from '../../api/edge';
import { eventsOf } from '../../api/event-stream';
import { parseExact } from '../../api/exact-json';
import { type SnippetOperation } from '../../calls/languages';
import { type JsonObject } from '../../calls/literals';
import { pathOf } from '../../calls/snippets';
import { streamedPart, wholeAnswer, type AnswerPart } from './answer-parts';
import { text } from './text';

/** The answer ended before its end: the connection broke. */
class CutError extends Error {
  override readonly name = 'CutError';
}

export interface Question {
  readonly operation: SnippetOperation;
  readonly key: string;
  readonly body: JsonObject;
  readonly traceId: string;
  readonly signal: AbortSignal;
  /** Told as soon as the answer begins. */
  readonly onRequestId: (requestId: string | null) => void;
  readonly onPart: (part: AnswerPart) => void;
}

/**
 * Calls a model, and tells each part of the answer as it arrives.
 * @throws ApiError for a refusal, and for the error that ends a stream; CutError for a stream without an end;
 *   UnreachableError; the reason of the signal.
 */
export async function ask(question: Question): Promise<void> {
  const { operation, key, body, traceId, signal, onRequestId, onPart } = question;
  const response = await callEdge({ path: pathOf[operation] as `/v1/${string}`, key, body, traceId, signal });
  onRequestId(response.headers.get('x-request-id'));
  try {
    if (isStream(response)) await readStream(response, question);
    else onPart(wholeAnswer(operation, parseExact(await response.text()) as JsonObject));
  } catch (error) {
    signal.throwIfAborted();
    // The text for a broken connection differs by browser.
    throw error instanceof TypeError || error instanceof SyntaxError ? new CutError(text.answer.cut) : error;
  }
}

const isStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true;

async function readStream(response: Response, { operation, onPart }: Question): Promise<void> {
  if (response.body !== null)
    for await (const data of eventsOf(response.body)) {
      if (data === '[DONE]') return;
      const frame = parseExact(data) as JsonObject;
      if (frame['error'] !== undefined) throw streamError(frame, response);
      onPart(streamedPart(operation, frame));
      if (frame['type'] === 'message_stop') return;
    }
  throw new CutError(text.answer.cut);
}

const streamError = (frame: JsonObject, response: Response): ApiError => errorIn(frame, response);
