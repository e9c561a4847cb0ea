/** Features that are tried with every client, in the order of the page, each with the head of its column. */
export const featureTitles = {
  plain: 'plain',
  stream: 'streamed',
  usage: 'usage',
  usageStreamed: 'usage, streamed',
  tools: 'tools',
  toolsStreamed: 'tools, streamed',
  schema: 'schema',
  schemaStreamed: 'schema, streamed',
  image: 'image',
  errors: 'errors',
  cut: 'cut stream',
  retry: 'retry',
  cancel: 'cancel',
  replay: 'replay',
  countTokens: 'count tokens',
  models: 'models',
} as const;

/** The protocol of an upstream: OpenAI's chat completions, Anthropic's messages, OpenAI's responses or embeddings. */
export type Protocol = 'openai' | 'anthropic' | 'responses' | 'embeddings';

export type FeatureName = keyof typeof featureTitles;
