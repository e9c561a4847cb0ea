/** The two inference routes, by what they speak (interface.md, Inference). */
export type Operation = 'chat_completions' | 'messages';

/** Whose body a call came with: counting takes a messages request that asks for no answer (contract.md section 10). */
export type CallRoute = Operation | 'count_tokens';
