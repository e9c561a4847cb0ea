/** A text that a model generated, and the member of the answer that held it. */
export type GeneratedPiece = readonly [member: string, text: string];

/** Members with a model's reasoning, in any protocol. */
const REASONING: ReadonlySet<string> = new Set([
  ...['reasoning_content', 'reasoning', 'thinking'],
  ...['reasoning_text', 'reasoning_summary_text'],
]);

export const isReasoning = ([member]: GeneratedPiece): boolean => REASONING.has(member);
