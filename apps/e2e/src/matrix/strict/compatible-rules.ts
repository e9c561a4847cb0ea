import { refusal, type Body, type Refusal, type VendorCall, type VendorRules } from './vendor-rules';
import { type ChatRule } from './chat-rules';

/** A vendor whose API takes OpenAI's chat completions, with rules and words of its own. */
interface CompatibleVendor {
  readonly rules: readonly ChatRule[];
  /** Those of its embeddings. Absent where it has none. */
  readonly embeddingRules?: readonly ChatRule[];
  /** The status of a body that breaks a rule. */
  readonly status: number;
  errorBody(refusal: Refusal): object;
  /** The body with what the vendor does unasked, and the upstream behind the recorder must be asked for. */
  asked?(body: Body): Body;
}

/** The rules of one vendor, the first that is broken first. */
export class CompatibleRules implements VendorRules {
  constructor(private readonly vendor: CompatibleVendor) {}

  refuse({ path, headers, body }: VendorCall): Refusal | null {
    const { rules, embeddingRules } = this.vendor;
    const own = path === '/chat/completions' ? rules : path === '/embeddings' ? embeddingRules : undefined;
    if (own === undefined) return refusal('Not found', 404);
    if (!/^Bearer \S+$/.test(String(headers.authorization))) return refusal('No API key was given.', 401);
    for (const rule of own) {
      const message = rule(body);
      if (message !== null) return refusal(message, this.vendor.status);
    }
    return null;
  }

  errorBody(refused: Refusal): object {
    return this.vendor.errorBody(refused);
  }

  asked(body: Body): Body {
    return this.vendor.asked?.(body) ?? body;
  }
}
