import { GatewayError } from '@svc/kernel';
import { keepAliveComment, type StreamRecorder } from '@svc/protocol';
import { classifyFailure } from '@svc/policy';
import { type StreamExchange } from '../dispatch/exchange';
import { type ClientReply } from '../call/client-reply';
import { UpstreamTimeout } from '../providers/upstream-timeout';

/**
 * Idle time after which the caller is sent a keep-alive comment
 * (docs/reference/inference-and-compatibility.md#streaming).
 */
const KEEP_ALIVE_MS = 15_000;

/**
 * Forwards a stream, with back-pressure, until its protocol ends it, its upstream fails or its caller disconnects. The
 * relay's withheld frames are not sent.
 * @returns why the upstream failed; null when the stream was complete, or the caller disconnected.
 */
export async function pumpStream(
  { relay, passed, rest, redact }: Pick<StreamExchange, 'relay' | 'passed' | 'rest' | 'redact'>,
  reply: Pick<ClientReply, 'write' | 'disconnected'>,
  recorder: StreamRecorder | null,
): Promise<GatewayError | null> {
  const keepAlive = setInterval(() => void reply.write([keepAliveComment()]), KEEP_ALIVE_MS);
  const send = (pieces: readonly Uint8Array[]): Promise<void> => {
    recorder?.push(pieces);
    return reply.write(pieces);
  };
  try {
    await send(passed);
    while (relay.state === 'open' && !reply.disconnected.aborted) {
      const chunk = await rest.next();
      if (chunk.done === true) {
        relay.end();
        break;
      }
      await send(relay.push(chunk.value));
      keepAlive.refresh();
    }
  } catch (cause) {
    if (reply.disconnected.aborted) return null;
    const kind = cause instanceof UpstreamTimeout ? (`${cause.phase}_timeout` as const) : 'connection';
    return classifyFailure(kind === 'connection' ? { kind, cause } : { kind }).error;
  } finally {
    clearInterval(keepAlive);
    // Ends an upstream call that still runs: the caller disconnected, or the protocol ended before the connection.
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
