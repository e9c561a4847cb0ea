import { type FineTuningProvider } from '../rules/provider/fine-tuning-provider';
import { OpenaiFineTuning, type QuestionBounds } from './openai-fine-tuning';
import { ANSWER_WITHIN_MS } from './provider-answer';
import { providerHeaders, providerQuery, type ProviderAccess } from './provider-headers';

const BOUNDS: QuestionBounds = { answerMs: ANSWER_WITHIN_MS, uploadIdleMs: 60_000, uploadMs: 3_600_000 };

/** A provider that speaks OpenAI's API. Loads the library: a service without fine-tuning never does. */
export async function openFineTuningProvider(
  access: ProviderAccess,
  bounds: Partial<QuestionBounds> = {},
): Promise<FineTuningProvider> {
  const { default: OpenAI, toStreamingFile } = await import('openai');
  const client = new OpenAI({
    baseURL: access.provider.baseUrl,
    // The library wants one. What is sent is among the headers.
    apiKey: 'none',
    defaultHeaders: { authorization: null, ...providerHeaders(access) },
    defaultQuery: providerQuery(access),
    // Nothing is taken from the library's own variables.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    // Asking again is the worker's, which commits before it asks.
    maxRetries: 0,
    fetchOptions: { redirect: 'error' },
  });
  return new OpenaiFineTuning(client, toStreamingFile, { ...BOUNDS, ...bounds });
}
