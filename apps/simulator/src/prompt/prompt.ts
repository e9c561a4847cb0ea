/** A call to the simulated model, independent of the protocol. */
export interface Prompt {
  readonly model: string;
  readonly stream: boolean;
  /** Chat completions' `stream_options.include_usage`. */
  readonly usageInStream: boolean;
  readonly inputTokenCount: number;
  /** Text of the user's last message. */
  readonly userText: string;
  /** Tool results since the model's last message. */
  readonly toolResults: readonly string[];
  /** True where no user text follows those tool results. */
  readonly continuesFromTools: boolean;
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice;
  /** The answer ends before the first of these texts. */
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
