/** A header's name and value. */
export type Header = readonly [string, string];

/** How requests to providers of one protocol are made. */
export interface ProviderDialect {
  /** The path of calls, below the provider's `base_url`. */
  readonly callPath: string;
  /** The path to count prompts at; null when the protocol has none. */
  readonly countTokensPath: string | null;
  /** Sent with every call, names in lower case. */
  readonly headers: readonly Header[];
  /** Names of those that the catalog sets. */
  readonly fixedHeaders: ReadonlySet<string>;
  /** The header of the credential, in lower case. */
  readonly credentialHeader: string;
  /** Stands before the credential in its header. */
  readonly credentialPrefix: 'Bearer ' | '';
}
