import { type Operation } from '../api/use-catalog';

/** The programs that there is code for, in the order of their tabs. */
export const languages = [
  'curl',
  'openai-python',
  'openai-javascript',
  'anthropic-python',
  'anthropic-javascript',
] as const;
export type Language = (typeof languages)[number];

/** The routes that there is code for. */
export type SnippetOperation = Extract<Operation, 'chat_completions' | 'messages'>;

/** The route that a program calls; curl can call any, and is shown with chat completions. */
export const operationOf = (language: Language): SnippetOperation =>
  language.startsWith('anthropic') ? 'messages' : 'chat_completions';

/** The programs that can call a route. */
export const languagesOf = (operation: SnippetOperation): readonly Language[] =>
  languages.filter((language) => language === 'curl' || operationOf(language) === operation);
