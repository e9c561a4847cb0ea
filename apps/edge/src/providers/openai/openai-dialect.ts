import { type ProviderDialect } from '../provider-dialect';

/** https://platform.openai.com/docs/api-reference/introduction */
export const openaiDialect: ProviderDialect = {
  callPath: '/chat/completions',
  countTokensPath: null,
  headers: [],
  credentialHeader: 'authorization',
  credentialPrefix: 'Bearer ',
};
