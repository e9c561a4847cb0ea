import { type ProviderDialect } from '../provider-dialect';

/** https://platform.openai.com/docs/api-reference/introduction */
export const openaiDialect: ProviderDialect = {
  paths: { chat_completions: '/chat/completions', responses: '/responses', embeddings: '/embeddings' },
  headers: [],
  fixedHeaders: new Set(),
  credentialHeader: 'authorization',
  credentialPrefix: 'Bearer ',
};
