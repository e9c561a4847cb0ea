/** The endpoint that a call is translated for. */
export interface TranslationTarget {
  /** What the provider calls the model. */
  readonly upstreamModel: string;
  /** Tokens: the limit that the hold covers, else the caller's, else the model's. Anthropic requires one. */
  readonly maxOutputTokens: number;
  /** Optional parameters that are not sent: the provider does not take them. */
  readonly omit?: readonly string[];
}
