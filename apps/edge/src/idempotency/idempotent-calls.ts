import { callInProgress, refusalByClaim } from '@svc/ledger';
import { answerContext, type IdempotencyStore } from '@svc/ledger/store';
import { type Sealer } from '@svc/runtime';
import { type Logger } from '@svc/runtime/observability';
import { type AnswerClaim, HeldClaim, NO_CLAIM } from './answer-claim';
import { PendingReleases } from './pending-releases';
import { type StoredAnswer } from './replay-answer';

interface ClaimingCall {
  readonly organizationId: string;
  readonly requestId: string;
  /** Null for a call without the header; then `fingerprint` is null too. */
  readonly key: string | null;
  /** See callFingerprint. */
  readonly fingerprint: Uint8Array | null;
}

type KeyedCall = ClaimingCall & { readonly key: string; readonly fingerprint: Uint8Array };

type ClaimOutcome =
  | { readonly claim: AnswerClaim; readonly stored?: undefined }
  | { readonly claim?: undefined; readonly stored: StoredAnswer };

const UNCLAIMED: ClaimOutcome = { claim: NO_CLAIM };

interface IdempotentCallsOptions {
  readonly store: IdempotencyStore;
  readonly sealer: Sealer;
  readonly edgeInstanceId: string;
  readonly logger: Logger;
}

/** Step 4 of a call: claims its key, replays the stored answer of the key, or refuses the call. */
export class IdempotentCalls {
  private readonly releases = new PendingReleases();

  constructor(private readonly options: IdempotentCallsOptions) {}

  /** @throws GatewayError `idempotencyKeyReused`, `idempotencyInProgress`. */
  claim(call: ClaimingCall): ClaimOutcome | Promise<ClaimOutcome> {
    const { key, fingerprint } = call;
    return key === null || fingerprint === null ? UNCLAIMED : this.claimKey({ ...call, key, fingerprint });
  }

  /** Waits for pending releases of keys, for `timeoutMs` at most. */
  drain(timeoutMs: number): Promise<void> {
    return this.releases.drain(timeoutMs);
  }

  private async claimKey(call: KeyedCall): Promise<ClaimOutcome> {
    const { organizationId, requestId, key, fingerprint } = call;
    const { store, sealer, edgeInstanceId } = this.options;
    const request = { organizationId, requestId, key, fingerprint, edgeInstanceId };
    const standing = await store.claim(request);
    if (standing === null) {
      return { claim: new HeldClaim(request, { ...this.options, releases: this.releases }) };
    }
    const refusal = refusalByClaim(standing, fingerprint);
    if (refusal !== null) throw refusal;
    const { requestId: original, sealedAnswer } = standing;
    if (sealedAnswer === null) throw callInProgress();
    const body = sealer.open(sealedAnswer, answerContext(organizationId, original));
    return { stored: { requestId: original, body } };
  }
}
