import {
  callFingerprint,
  NO_ANTHROPIC_HEADERS,
  parseCall,
  type AnthropicHeaders,
  type CallRoute,
  type ParsedCall,
} from '@svc/protocol';
import { transferable, isLarge } from '../second-thread/large-body';
import { type FingerprintedCall } from '../second-thread/parse-job';
import { type SharedThread } from '../second-thread/shared-thread';

interface ReadOptions {
  readonly organizationId: string;
  readonly fingerprinted: boolean;
  readonly anthropic?: AnthropicHeaders;
  /** `Svc-End-User`, which belongs to the fingerprint. */
  readonly endUserHeader?: string | null;
}

const NONE: ReadonlySet<string> = new Set();

/** Parses calls without blocking others: small bodies at once, large ones on the second thread, through its fair queue. */
export class CallParser {
  /** @param extraParameters what the catalog takes beyond the fields of the routes */
  constructor(
    private readonly thread: SharedThread,
    private readonly extraParameters: () => ReadonlySet<string> = () => NONE,
  ) {}

  /** @throws GatewayError as {@link parseCall} does. */
  async parse(
    route: CallRoute,
    body: Uint8Array,
    organizationId: string,
    anthropic = NO_ANTHROPIC_HEADERS,
  ): Promise<ParsedCall> {
    return (await this.read(route, body, { organizationId, fingerprinted: false, anthropic })).parsed;
  }

  /**
   * Parses a call, with its fingerprint if `fingerprinted`. The `body` of a large call lacks its large members: they stay
   * on the second thread.
   * @throws GatewayError as {@link parseCall} does.
   */
  async read(
    route: CallRoute,
    body: Uint8Array,
    { organizationId, fingerprinted, anthropic = NO_ANTHROPIC_HEADERS, endUserHeader = null }: ReadOptions,
  ): Promise<FingerprintedCall> {
    const context = { anthropic, extraParameters: this.extraParameters() };
    if (isLarge(body)) {
      // The memory is transferred there and back.
      const job = () => ({ route, bytes: transferable(body), fingerprinted, endUserHeader, context });
      return this.thread.run('parse', organizationId, body.byteLength, job);
    }
    const parsed = parseCall(route, body, context);
    const fingerprint = fingerprinted
      ? callFingerprint(parsed.operation, body, anthropic, endUserHeader)
      : null;
    return { parsed, fingerprint };
  }
}
