import { nanos } from '@svc/kernel';

import { type Prices } from '../pricing/prices';
import { type FineTuningOffer, type Provider } from './catalog';
import { type FineTuningEntry, type PricesEntry, type ProviderEntry } from './catalog-schema';
import { type Listed } from './listed';

/** The API of fine-tuning is OpenAI's. */
export function reportForeignTraining(
  offers: readonly Listed<FineTuningEntry>[],
  providers: ReadonlyMap<string, Listed<ProviderEntry>>,
): void {
  for (const { source, path, entry } of offers) {
    if (entry === undefined || providers.get(entry.provider)?.entry?.protocol !== 'anthropic') continue;
    source.report([...path, 'provider'], 'must speak openai');
  }
}

export function reportRepeatedHardware(offers: readonly Listed<FineTuningEntry>[]): void {
  for (const { source, path, entry } of offers) {
    const ids = entry?.hardware.map(({ id }) => id) ?? [];
    for (const [at, id] of ids.entries()) {
      if (ids.indexOf(id) < at) source.report([...path, 'hardware', at], `${id} is listed twice`);
    }
  }
}

export const fineTuningOfferOf = (
  entry: FineTuningEntry,
  provider: Provider,
  pricesOf: (entry: PricesEntry) => Prices,
): FineTuningOffer => ({
  modelId: entry.model,
  provider,
  upstreamModel: entry.upstream_model,
  region: entry.region,
  dataRetention: entry.data_retention,
  pricePerTrainedToken: entry.price_per_trained_token,
  maxTrainedTokens: entry.max_trained_tokens,
  epochs: entry.epochs,
  inference: entry.inference === undefined ? null : pricesOf(entry.inference),
  hardware: entry.hardware.map(({ id, price_per_hour: perHour, start_timeout_s: timeout }) => ({
    id,
    pricePerHour: nanos(perHour),
    startTimeoutMs: timeout * 1_000,
  })),
});
