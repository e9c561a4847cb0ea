import { type CallRoute } from '@svc/protocol';

/** A header's name and value. */
export type Header = readonly [string, string];

/** How requests to providers of one protocol are made. */
export interface ProviderDialect {
  /** The paths of the protocol's calls, below the provider's `base_url`. */
  readonly paths: Readonly<Partial<Record<CallRoute, string>>>;
  /** Sent with every call, names in lower case. */
  readonly headers: readonly Header[];
  /** Names of those that the catalog sets. */
  readonly fixedHeaders: ReadonlySet<string>;
  /** The header of the credential, in lower case. */
  readonly credentialHeader: string;
  /** Stands before the credential in its header. */
  readonly credentialPrefix: 'Bearer ' | '';
}
