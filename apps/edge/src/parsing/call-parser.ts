import { callFingerprint, parseCall, type CallRoute, type ParsedCall } from '@svc/protocol';
import { transferable, isLarge } from '../second-thread/large-body';
import { type FingerprintedCall } from '../second-thread/parse-job';
import { type SharedThread } from '../second-thread/shared-thread';

/** Parses calls without blocking others: small bodies at once, large ones on the second thread, through its fair queue. */
export class CallParser {
  constructor(private readonly thread: SharedThread) {}

  /** @throws GatewayError as {@link parseCall} does. */
  async parse(route: CallRoute, body: Uint8Array, organizationId: string): Promise<ParsedCall> {
    return (await this.read(route, body, { organizationId, fingerprinted: false })).parsed;
  }

  /**
   * Parses a call, with its fingerprint if `fingerprinted`. The `body` of a large call lacks its large members: they stay
   * on the second thread.
   * @throws GatewayError as {@link parseCall} does.
   */
  async read(
    route: CallRoute,
    body: Uint8Array,
    { organizationId, fingerprinted }: { readonly organizationId: string; readonly fingerprinted: boolean },
  ): Promise<FingerprintedCall> {
    if (isLarge(body)) {
      // The memory is transferred there and back.
      const job = () => ({ route, bytes: transferable(body), fingerprinted });
      return this.thread.run('parse', organizationId, body.byteLength, job);
    }
    const parsed = parseCall(route, body);
    return { parsed, fingerprint: fingerprinted ? callFingerprint(parsed.operation, body) : null };
  }
}
