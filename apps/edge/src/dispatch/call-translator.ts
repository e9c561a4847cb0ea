import { nativeOperation, type Model, type ModelEndpoint } from '@svc/inference';
import {
  translateCall,
  untranslatable,
  type Loss,
  type ParsedCall,
  type TranslationTarget,
} from '@svc/protocol';
import { isLarge } from '../parsing/large-body';
import { type JobThread } from '../parsing/second-thread';

/** What is lost of a call at an endpoint that speaks the other protocol. */
export type LossesAt = (endpoint: ModelEndpoint) => readonly Loss[];

const NOTHING_LOST: LossesAt = () => [];

/** Puts calls into the other protocol: small ones at once, large ones on the second thread, which gets a copy of the body. */
export class CallTranslator {
  constructor(private readonly thread: JobThread) {}

  /** For the planner, which asks about one endpoint after the other and can't wait. */
  lossesAt(call: ParsedCall, model: Model | undefined): LossesAt | Promise<LossesAt> {
    if (model === undefined) return NOTHING_LOST;
    const targetAt = (upstreamModel: string): TranslationTarget => ({
      upstreamModel,
      maxOutputTokens: call.maxOutputTokens ?? model.maxOutputTokens,
    });
    if (!isLarge(call.bodyBytes)) return ({ upstreamModel }) => untranslatable(call, targetAt(upstreamModel));
    return this.lossesOfLarge(call, foreignModels(model, call), targetAt);
  }

  /** The body that the target is sent, as pieces to be written one after another. */
  async translate(call: ParsedCall, target: TranslationTarget): Promise<readonly Uint8Array[]> {
    const { operation, bodyBytes } = call;
    if (!isLarge(bodyBytes)) return translateCall(call, target).body;
    return this.thread.run('translate', { operation, bytes: new Uint8Array(bodyBytes), target });
  }

  private async lossesOfLarge(
    { operation, bodyBytes }: ParsedCall,
    upstreamModels: readonly string[],
    targetAt: (upstreamModel: string) => TranslationTarget,
  ): Promise<LossesAt> {
    if (upstreamModels.length === 0) return NOTHING_LOST;
    const targets = upstreamModels.map(targetAt);
    const losses = await this.thread.run('losses', { operation, bytes: new Uint8Array(bodyBytes), targets });
    return ({ upstreamModel }) => losses[upstreamModels.indexOf(upstreamModel)] ?? [];
  }
}

/** What the providers that speak the other protocol call the model. */
function foreignModels({ endpoints }: Model, { operation }: ParsedCall): readonly string[] {
  const foreign = endpoints.filter(({ provider }) => nativeOperation[provider.protocol] !== operation);
  return [...new Set(foreign.map(({ upstreamModel }) => upstreamModel))];
}
