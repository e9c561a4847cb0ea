import { ApiError } from '../../api/api-error';
import { randomHex } from '../../api/edge';
import { type SnippetOperation } from '../../calls/languages';
import { type JsonObject } from '../../calls/literals';
import { ask } from './ask';
import { newAnswer, withPart, type Answer } from './conversation';

/** Where calls have their key from. */
export interface KeySource {
  readonly secret: () => Promise<string>;
  /** Says that the key was refused. @returns whether another one can be had. */
  readonly refused: (secret: string) => Promise<boolean>;
}

export interface Call {
  readonly operation: SnippetOperation;
  readonly body: JsonObject;
  readonly key: KeySource;
  readonly signal: AbortSignal;
  /** Told whenever there is more to show, at most each {@link SHOWN_EVERY_MS}. */
  readonly onChange: (answer: Answer) => void;
}

/** Models write faster than anybody reads, and than a page is drawn. */
const SHOWN_EVERY_MS = 50;

/** Makes a call, and tells its answer as it grows, whatever becomes of it. */
export async function runCall({ operation, body, key, signal, onChange }: Call): Promise<void> {
  const traceId = randomHex(16);
  let answer = newAnswer({ operation, body, traceId });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = () => {
    clearTimeout(timer);
    timer = undefined;
    onChange(answer);
  };
  show();
  const send = (secret: string) =>
    ask({
      ...{ operation, body, traceId, signal, key: secret },
      onRequestId: (requestId) => {
        answer = { ...answer, requestId };
      },
      onPart: (part) => {
        answer = withPart(answer, part);
        timer ??= setTimeout(show, SHOWN_EVERY_MS);
      },
    });
  try {
    await withKey(key, send);
    answer = { ...answer, phase: 'ended' };
  } catch (error) {
    answer = signal.aborted ? { ...answer, phase: 'stopped' } : { ...answer, ...failureOf(error, answer) };
  }
  show();
}

/** A key that somebody revoked in the meantime, or whose hour is over, is replaced once: a refused key did nothing. */
async function withKey(
  { secret, refused }: KeySource,
  send: (secret: string) => Promise<void>,
): Promise<void> {
  const first = await secret();
  try {
    await send(first);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401 && (await refused(first)))) throw error;
    await send(await secret());
  }
}

const failureOf = (error: unknown, { requestId }: Answer): Pick<Answer, 'phase' | 'error' | 'requestId'> => ({
  phase: 'failed',
  error: error instanceof Error ? error : new Error(String(error)),
  requestId: requestId ?? (error instanceof ApiError ? error.requestId : null),
});
