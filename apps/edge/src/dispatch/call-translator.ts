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

/** Puts calls into the other protocol: small ones at once, large ones on the second thread, which gets a copy of the body. */
export class CallTranslator {
  constructor(private readonly thread: JobThread) {}

  /** For the planner, which asks about one endpoint after the other and can't wait. */
  async lossesAt(call: ParsedCall, model: Model | undefined): Promise<LossesAt> {
    if (model === undefined) return () => [];
    const targetAt = (upstreamModel: string): TranslationTarget => ({
      upstreamModel,
      maxOutputTokens: call.maxOutputTokens ?? model.maxOutputTokens,
    });
    if (!isLarge(call.bodyBytes)) return ({ upstreamModel }) => untranslatable(call, targetAt(upstreamModel));
    const upstreamModels = foreignModels(model, call);
    if (upstreamModels.length === 0) return () => [];
    const losses = await this.thread.run('losses', {
      operation: call.operation,
      bytes: new Uint8Array(call.bodyBytes),
      targets: upstreamModels.map(targetAt),
    });
    return ({ upstreamModel }) => losses[upstreamModels.indexOf(upstreamModel)] ?? [];
  }

  /** The body that the target is sent, as pieces to be written one after another. */
  async translate(call: ParsedCall, target: TranslationTarget): Promise<readonly Uint8Array[]> {
    const { operation, bodyBytes } = call;
    if (!isLarge(bodyBytes)) return translateCall(call, target).body;
    return this.thread.run('translate', { operation, bytes: new Uint8Array(bodyBytes), target });
  }
}

/** What the providers that speak the other protocol call the model. */
function foreignModels({ endpoints }: Model, { operation }: ParsedCall): readonly string[] {
  const foreign = endpoints.filter(({ provider }) => nativeOperation[provider.protocol] !== operation);
  return [...new Set(foreign.map(({ upstreamModel }) => upstreamModel))];
}
