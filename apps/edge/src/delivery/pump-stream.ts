import { GatewayError } from '@svc/kernel';
import { keepAliveComment, type StreamRecorder } from '@svc/protocol';
import { classifyFailure } from '@svc/inference';
import { type StreamExchange } from '../dispatch/exchange';
import { type ClientReply } from '../http/client-reply';
import { UpstreamTimeout } from '../providers/upstream-timeout';

/** Silence after which the caller is shown that the connection lives (contract.md section 11). */
const KEEP_ALIVE_MS = 15_000;

/**
 * Passes a stream on until its protocol's end, its upstream's failure or its caller's leaving, at the pace of the
 * slower side. What the relay keeps back stays there.
 * @returns why it broke off; null when it came to its end, or the caller left.
 */
export async function pumpStream(
  { relay, passed, rest, redact }: Pick<StreamExchange, 'relay' | 'passed' | 'rest' | 'redact'>,
  reply: Pick<ClientReply, 'write' | 'left'>,
  recorder: StreamRecorder | null,
): Promise<GatewayError | null> {
  const keepAlive = setInterval(() => void reply.write([keepAliveComment()]), KEEP_ALIVE_MS);
  const give = (pieces: readonly Uint8Array[]): Promise<void> => {
    recorder?.push(pieces);
    return reply.write(pieces);
  };
  try {
    await give(passed);
    while (relay.state === 'open' && !reply.left.aborted) {
      const chunk = await rest.next();
      if (chunk.done === true) {
        relay.end();
        break;
      }
      await give(relay.push(chunk.value));
      keepAlive.refresh();
    }
  } catch (cause) {
    if (reply.left.aborted) return null;
    const kind = cause instanceof UpstreamTimeout ? (`${cause.phase}_timeout` as const) : 'connection';
    return classifyFailure(kind === 'connection' ? { kind, cause } : { kind }).error;
  } finally {
    clearInterval(keepAlive);
    // Ends the upstream call where it still runs: the caller left, or the protocol's end came before the connection's.
    await rest.return?.().catch(() => undefined);
  }
  if (relay.failure === null) return null;
  return inBandError({ ...relay.failure, message: redact(relay.failure.message) });
}

function inBandError({
  message,
  status,
}: {
  readonly message: string;
  readonly status?: number;
}): GatewayError {
  if (status === undefined) return new GatewayError('providerError', message);
  return classifyFailure({ kind: 'status', status, providerMessage: message, retryAfterMs: null }).error;
}
