import { type Language } from './languages';

export const languageWords: Readonly<Record<Language, string>> = {
  curl: 'curl',
  'openai-python': 'OpenAI SDK, Python',
  'openai-javascript': 'OpenAI SDK, JavaScript',
  'anthropic-python': 'Anthropic SDK, Python',
  'anthropic-javascript': 'Anthropic SDK, JavaScript',
};
