/** The answer of the simulated model, independent of the protocol. All choices are the same. */
export interface Answer {
  /** Unique; each protocol adds its own prefix. */
  readonly id: string;
  readonly model: string;
  readonly createdAtSeconds: number;
  readonly thinking: string;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly ending: Ending;
  /** Replaces the protocol's own finish reason. */
  readonly finishReason: string | undefined;
  /** Undefined when the directive leaves it out. */
  readonly usage: Usage | undefined;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Text of a JSON object; cut where the token limit was reached. */
  readonly argumentsJson: string;
}

export type Ending =
  | { readonly kind: 'complete' | 'token_limit' | 'tool_calls' }
  | { readonly kind: 'stop_sequence'; readonly sequence: string };

export interface Usage {
  /** Includes cached and written tokens. */
  readonly inputTokenCount: number;
  readonly cachedTokenCount: number;
  readonly cacheWriteTokenCount: number;
  /** Of all choices together, including thinking. */
  readonly outputTokenCount: number;
  readonly thinkingTokenCount: number;
}
