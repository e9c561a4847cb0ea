/** What the simulated model says, before a protocol gives it a shape. All choices are alike. */
export interface Answer {
  /** Unique; each protocol puts its own prefix before it. */
  readonly id: string;
  readonly model: string;
  readonly createdAtSeconds: number;
  readonly thinking: string;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly ending: Ending;
  /** Replaces the protocol's own word for the ending. */
  readonly finishReason: string | undefined;
  /** Undefined when the directive keeps it back. */
  readonly usage: Usage | undefined;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Text of a JSON object; cut short where the token limit fell into it. */
  readonly argumentsJson: string;
}

export type Ending =
  | { readonly kind: 'complete' | 'token_limit' | 'tool_calls' }
  | { readonly kind: 'stop_sequence'; readonly sequence: string };

export interface Usage {
  /** Cached and written ones included. */
  readonly inputTokenCount: number;
  readonly cachedTokenCount: number;
  readonly cacheWriteTokenCount: number;
  /** Of all choices together, thinking included. */
  readonly outputTokenCount: number;
  readonly thinkingTokenCount: number;
}
