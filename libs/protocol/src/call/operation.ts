/** The two inference routes, by what they speak (interface.md, Inference). */
export type Operation = 'chat_completions' | 'messages';
