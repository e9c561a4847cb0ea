import { type ProviderDialect } from '../provider-dialect';

/** https://platform.openai.com/docs/api-reference/introduction */
export const openaiDialect: ProviderDialect = {
  callPath: '/chat/completions',
  countTokensPath: null,
  headers: [],
  fixedHeaders: new Set(),
  credentialHeader: 'authorization',
  credentialPrefix: 'Bearer ',
};
