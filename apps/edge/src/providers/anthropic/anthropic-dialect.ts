import { type ProviderDialect } from '../provider-dialect';

/** https://docs.anthropic.com/en/api/overview */
export const anthropicDialect: ProviderDialect = {
  paths: { messages: '/messages', count_tokens: '/messages/count_tokens' },
  headers: [['anthropic-version', '2023-06-01']],
  fixedHeaders: new Set(),
  credentialHeader: 'x-api-key',
  credentialPrefix: '',
};
