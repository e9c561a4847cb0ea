import { type Model, type ModelEndpoint } from '@svc/catalog';
import { isSentAsItIs, lossesOf, plannedTarget, upstreamOperation } from '@svc/policy';
import {
  rewriteCall,
  translateCall,
  type Loss,
  type MemberEdits,
  type Operation,
  type ParsedCall,
  type TranslationTarget,
} from '@svc/protocol';
import { bytesForJob, isLarge } from '../second-thread/large-body';
import { type SharedThread } from '../second-thread/shared-thread';

/** The losses of a call in translation at an endpoint. */
type LossesAt = (endpoint: ModelEndpoint) => readonly Loss[];

const NOTHING_LOST: LossesAt = () => [];

/**
 * Translates calls to another protocol: small ones synchronously, large ones on the second thread, which shares
 * their memory.
 */
export class CallTranslator {
  constructor(private readonly thread: SharedThread) {}

  /** Looked up ahead for the planner, which is synchronous. */
  lossesAt(call: ParsedCall, model: Model | undefined, organizationId: string): LossesAt | Promise<LossesAt> {
    if (model === undefined) return NOTHING_LOST;
    const { operation } = call;
    if (!isLarge(call.bodyBytes)) return lossesOf(call, model);
    const foreign = model.endpoints.filter((endpoint) => !isSentAsItIs(endpoint, call));
    const targets = new Map(
      foreign.map((endpoint) => [targetKey(endpoint, operation), plannedTarget(endpoint, call, model)]),
    );
    return targets.size === 0 ? NOTHING_LOST : this.lossesOfLarge(call, targets, organizationId);
  }

  /** The body for the target, in pieces. */
  async translate(
    call: ParsedCall,
    target: TranslationTarget,
    organizationId: string,
  ): Promise<readonly Uint8Array[]> {
    const { operation, bodyBytes } = call;
    if (!isLarge(bodyBytes)) return translateCall(call, target).body;
    const job = () => ({ operation, bytes: bytesForJob(bodyBytes), target });
    return this.thread.run('translate', organizationId, bodyBytes.byteLength, job);
  }

  /**
   * The body for a target of the call's own protocol that does not take all of it, in pieces.
   * @param edits what is changed at the top level of every call
   */
  async rewrite(
    call: ParsedCall,
    { target, edits }: { readonly target: TranslationTarget; readonly edits: MemberEdits },
    organizationId: string,
  ): Promise<readonly Uint8Array[]> {
    const { operation, bodyBytes } = call;
    if (!isLarge(bodyBytes)) return rewriteCall(call, target, edits);
    const job = () => ({ operation, bytes: bytesForJob(bodyBytes), target, edits });
    return this.thread.run('rewrite', organizationId, bodyBytes.byteLength, job);
  }

  private async lossesOfLarge(
    { operation, bodyBytes }: ParsedCall,
    targets: ReadonlyMap<string, TranslationTarget>,
    organizationId: string,
  ): Promise<LossesAt> {
    const job = () => ({ operation, bytes: bytesForJob(bodyBytes), targets: [...targets.values()] });
    const losses = await this.thread.run('losses', organizationId, bodyBytes.byteLength, job);
    const keys = [...targets.keys()];
    return (endpoint) => losses[keys.indexOf(targetKey(endpoint, operation))] ?? [];
  }
}

/** Equal for endpoints at which a call loses the same. */
const targetKey = (endpoint: ModelEndpoint, operation: Operation): string =>
  [
    upstreamOperation(endpoint, operation),
    endpoint.upstreamModel,
    ...(endpoint.extraParameters ?? []),
    '',
    ...(endpoint.builtInTools ?? []),
    '',
    ...(endpoint.provider.reasoningFields ?? []),
    JSON.stringify(endpoint.provider.chatForm),
    JSON.stringify(endpoint.takes),
  ].join('\n');
