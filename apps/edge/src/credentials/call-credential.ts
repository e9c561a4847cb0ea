/** The provider credential of one attempt. */
export interface CallCredential {
  /** The id of an organization's own credential; null for the platform's, and for none. */
  readonly id: string | null;
  /** Null when no credential is sent. */
  readonly secret: string | null;
}

export const NO_CREDENTIAL: CallCredential = { id: null, secret: null };
