import { type Logger } from '@svc/runtime/observability';
import { type ProviderSource } from './provider-source';
import { type TunedModelWork } from './tuned-model-work';

const BATCH = 10;

interface Deleting {
  readonly models: Pick<TunedModelWork, 'claim' | 'bookDeleted' | 'postpone'>;
  readonly providerOf: ProviderSource;
  readonly logger: Logger;
  readonly onPollFailure: () => void;
}

/** Deletes at their providers the models that organizations deleted. It is tried until it is done. */
export async function deleteModels({
  models,
  providerOf,
  logger,
  onPollFailure,
}: Deleting): Promise<{ readonly more: boolean }> {
  const claimed = await models.claim(BATCH);
  for (const model of claimed) {
    try {
      await (await providerOf(model)).deleteModel(model.upstreamModel);
      await models.bookDeleted(model);
    } catch (error) {
      onPollFailure();
      logger.warn(
        { provider: model.provider, err: error },
        'fine-tuned model not deleted: it is tried again',
      );
      await models.postpone(model);
    }
  }
  return { more: claimed.length === BATCH };
}
