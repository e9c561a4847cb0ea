/** The programs that the page has a call for, in the order of its tabs. */
export const languages = [
  'curl',
  'openai-python',
  'openai-javascript',
  'anthropic-python',
  'anthropic-javascript',
] as const;
export type Language = (typeof languages)[number];

/** The route that a program calls. */
export const operationOf = (language: Language): 'chat_completions' | 'messages' =>
  language.startsWith('anthropic') ? 'messages' : 'chat_completions';
