import { callFingerprint, parseCall, type CallRoute, type ParsedCall } from '@svc/protocol';
import { type FingerprintedCall } from './parse-job';
import { type JobThread } from './second-thread';

/** Above this a body is parsed on a thread of its own: JSON.parse of 50 MB would hold every other caller up. */
const INLINE_BYTES_MAX = 256 * 1024;

/** Parses calls where that hurts nobody: small bodies at once, large ones on the second thread, one after the other. */
export class CallParser {
  constructor(private readonly thread: JobThread) {}

  /** @throws GatewayError as {@link parseCall} does. */
  async parse(route: CallRoute, body: Uint8Array): Promise<ParsedCall> {
    return (await this.read(route, body, { fingerprinted: false })).parsed;
  }

  /**
   * The call, with its fingerprint when asked for: of a large body the whole JSON value is on the second thread only.
   * @throws GatewayError as {@link parseCall} does.
   */
  async read(
    route: CallRoute,
    body: Uint8Array,
    { fingerprinted }: { readonly fingerprinted: boolean },
  ): Promise<FingerprintedCall> {
    if (body.byteLength <= INLINE_BYTES_MAX) {
      const parsed = parseCall(route, body);
      return { parsed, fingerprint: fingerprinted ? callFingerprint(parsed.operation, body) : null };
    }
    // Its own memory goes over and comes back; nothing is copied.
    const bytes = body.byteLength === body.buffer.byteLength ? body : new Uint8Array(body);
    return this.thread.run('parse', { route, bytes, fingerprinted });
  }
}
