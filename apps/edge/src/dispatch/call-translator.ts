import { nativeOperation, type Model, type ModelEndpoint } from '@svc/inference';
import {
  translateCall,
  untranslatable,
  type Loss,
  type ParsedCall,
  type TranslationTarget,
} from '@svc/protocol';
import { isLarge } from '../second-thread/large-body';
import { type SharedThread } from '../second-thread/shared-thread';

/** What a call loses in translation at an endpoint. */
type LossesAt = (endpoint: ModelEndpoint) => readonly Loss[];

const NOTHING_LOST: LossesAt = () => [];

/**
 * Translates calls to the other protocol: small ones synchronously, large ones on the second thread, which gets a copy of
 * the body when the job is next in its queue.
 */
export class CallTranslator {
  constructor(private readonly thread: SharedThread) {}

  /** Looked up ahead for the planner, which is synchronous. */
  lossesAt(call: ParsedCall, model: Model | undefined, organizationId: string): LossesAt | Promise<LossesAt> {
    if (model === undefined) return NOTHING_LOST;
    const targetAt = (upstreamModel: string): TranslationTarget => ({
      upstreamModel,
      maxOutputTokens: Math.min(call.maxOutputTokens ?? model.maxOutputTokens, model.maxOutputTokens),
    });
    if (!isLarge(call.bodyBytes)) return ({ upstreamModel }) => untranslatable(call, targetAt(upstreamModel));
    const targets = foreignModels(model, call).map(targetAt);
    return targets.length === 0 ? NOTHING_LOST : this.lossesOfLarge(call, targets, organizationId);
  }

  /** The body for the target, in pieces. */
  async translate(
    call: ParsedCall,
    target: TranslationTarget,
    organizationId: string,
  ): Promise<readonly Uint8Array[]> {
    const { operation, bodyBytes } = call;
    if (!isLarge(bodyBytes)) return translateCall(call, target).body;
    const job = () => ({ operation, bytes: new Uint8Array(bodyBytes), target });
    return this.thread.run('translate', organizationId, bodyBytes.byteLength, job);
  }

  private async lossesOfLarge(
    { operation, bodyBytes }: ParsedCall,
    targets: readonly TranslationTarget[],
    organizationId: string,
  ): Promise<LossesAt> {
    const job = () => ({ operation, bytes: new Uint8Array(bodyBytes), targets });
    const losses = await this.thread.run('losses', organizationId, bodyBytes.byteLength, job);
    return (endpoint) =>
      losses[targets.findIndex(({ upstreamModel }) => upstreamModel === endpoint.upstreamModel)] ?? [];
  }
}

/** The upstream names of the model at providers that speak the other protocol. */
function foreignModels({ endpoints }: Model, { operation }: ParsedCall): readonly string[] {
  const foreign = endpoints.filter(({ provider }) => nativeOperation[provider.protocol] !== operation);
  return [...new Set(foreign.map(({ upstreamModel }) => upstreamModel))];
}
