import { Client, errors, Pool, type Dispatcher } from 'undici';
import { type UpstreamAnswer, type UpstreamCall } from './upstream-call';

const CONNECT_TIMEOUT_MS = 10_000;
const CONNECTION = {
  pipelining: 1,
  keepAliveTimeout: 30_000,
  connect: { timeout: CONNECT_TIMEOUT_MS },
} as const;

/** One call, which may be dispatched twice: its body can be read once only. */
interface Dispatched {
  readonly options: () => Dispatcher.DispatchOptions;
  readonly newCall: () => UpstreamCall;
}

/** The connections to one origin, no pipelining, so that no call waits behind another. */
export class UpstreamOrigin {
  private readonly pool: Pool;
  private openedConnections = 0;

  constructor(private readonly origin: string) {
    this.pool = new Pool(origin, CONNECTION);
    this.pool.on('connect', () => {
      this.openedConnections += 1;
    });
  }

  /**
   * Servers close idle connections whenever they like. Where a kept connection broke before anything came back, the call
   * is made once more on a new one (RFC 9112 section 9.3.1). A POST may be repeated here: a model's answer changes
   * nothing at its provider, and a plan sends a failed call to other endpoints too.
   * @throws as {@link UpstreamCall.answer} does.
   */
  send({ options, newCall }: Dispatched): Promise<UpstreamAnswer> {
    const openedBefore = this.openedConnections;
    const call = newCall();
    return dispatch(this.pool, options(), call).catch((error: unknown) => {
      if (call.hasResponse || !isBrokenConnection(error)) throw error;
      if (!wasKept(error, this.openedConnections > openedBefore)) throw error;
      return this.sendAlone({ options, newCall });
    });
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  /** On a connection of its own: others that are kept may be broken too. */
  private sendAlone({ options, newCall }: Dispatched): Promise<UpstreamAnswer> {
    const client = new Client(this.origin, CONNECTION);
    const answer = dispatch(client, options(), newCall());
    // Closes when the call is done.
    void client.close();
    return answer;
  }
}

function dispatch(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  call: UpstreamCall,
): Promise<UpstreamAnswer> {
  const answer = call.answer();
  dispatcher.dispatch(options, call);
  return answer;
}

const BROKEN: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

const isBrokenConnection = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && BROKEN.has(error.code);

/** True where a broken connection had served a call before. An error that does not tell was of a new one if any was opened. */
function wasKept(error: unknown, hasOpenedAny: boolean): boolean {
  const bytesRead = error instanceof errors.SocketError ? error.socket?.bytesRead : undefined;
  return bytesRead === undefined ? !hasOpenedAny : bytesRead > 0;
}
