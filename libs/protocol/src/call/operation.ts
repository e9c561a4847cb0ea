/** The protocols of the two inference routes (docs/reference/inference-and-compatibility.md#routes). */
export type Operation = 'chat_completions' | 'messages';

/**
 * The route of a call's body. Counting takes a messages request without an output limit
 * (docs/reference/inference-and-compatibility.md#counting-tokens).
 */
export type CallRoute = Operation | 'count_tokens';
