/** What a call asks of the simulated model, the same for both protocols. */
export interface Prompt {
  readonly model: string;
  readonly stream: boolean;
  /** Chat completions' `stream_options.include_usage`. */
  readonly usageInStream: boolean;
  readonly inputTokenCount: number;
  /** Text of the last message of the user. */
  readonly userText: string;
  /** What tools answered since the model last spoke. */
  readonly toolResults: readonly string[];
  /** Nothing of the user came after those tool results. */
  readonly continuesFromTools: boolean;
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice;
  /** Texts before which the answer ends. */
  readonly stopSequences: readonly string[];
  readonly outputTokenLimit: number;
  readonly choiceCount: number;
  /** Set when the answer must be JSON: the schema that it must match. */
  readonly answerSchema: unknown;
  readonly thinks: boolean;
}

export interface Tool {
  readonly name: string;
  /** JSON schema of the arguments. */
  readonly schema: unknown;
}

/** `forced` names the tool that must be called. */
export type ToolChoice =
  | { readonly kind: 'auto' }
  | { readonly kind: 'none' }
  | { readonly kind: 'forced'; readonly toolName: string };
