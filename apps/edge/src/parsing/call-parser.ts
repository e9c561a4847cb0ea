import { callFingerprint, parseCall, type CallRoute, type ParsedCall } from '@svc/protocol';
import { inOwnMemory, isLarge } from './large-body';
import { type FingerprintedCall } from './parse-job';
import { type JobThread } from './second-thread';

/** Parses calls where that hurts nobody: small bodies at once, large ones on the second thread, one after the other. */
export class CallParser {
  constructor(private readonly thread: JobThread) {}

  /** @throws GatewayError as {@link parseCall} does. */
  async parse(route: CallRoute, body: Uint8Array): Promise<ParsedCall> {
    return (await this.read(route, body, { fingerprinted: false })).parsed;
  }

  /**
   * The call, with its fingerprint when asked for. Of a large body the whole JSON value is on the second thread only:
   * the call's `body` lacks its large members.
   * @throws GatewayError as {@link parseCall} does.
   */
  async read(
    route: CallRoute,
    body: Uint8Array,
    { fingerprinted }: { readonly fingerprinted: boolean },
  ): Promise<FingerprintedCall> {
    // Its memory goes over and comes back.
    if (isLarge(body)) return this.thread.run('parse', { route, bytes: inOwnMemory(body), fingerprinted });
    const parsed = parseCall(route, body);
    return { parsed, fingerprint: fingerprinted ? callFingerprint(parsed.operation, body) : null };
  }
}
