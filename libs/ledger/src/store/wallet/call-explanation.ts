/** The explanation that the record of an ended call keeps beside its figures, as the edge stored it (docs/decisions/0037). */
export interface CallExplanation {
  /** Femto-dollars per token, by the kind of token. Absent where nothing was charged. */
  readonly rates?: {
    readonly input: string;
    readonly cachedInput: string;
    readonly cacheWrite: string;
    readonly output: string;
  };
  /** The wallet's part, in basis points of the rates. Absent: all. */
  readonly price_bps?: number;
  /** Parameters that the answering endpoint was not sent. Absent for none. */
  readonly warnings?: readonly { readonly param: string; readonly code: string; readonly message: string }[];
  /** The error as its caller got it. Absent where the call got none. */
  readonly error?: {
    readonly type: string;
    /** Null where the policy's retention keeps none. */
    readonly message: string | null;
    readonly param?: string;
    readonly retriable: boolean;
  };
}
