/** What one attempt is made with. */
export interface CallCredential {
  /** Of an organization's own; null for the platform's, and for none. */
  readonly id: string | null;
  /** Null where the provider is sent none. */
  readonly secret: string | null;
}
