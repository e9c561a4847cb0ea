/** The inference routes, in the order of the filter. */
export const operations = ['chat_completions', 'messages', 'responses', 'embeddings'] as const;
