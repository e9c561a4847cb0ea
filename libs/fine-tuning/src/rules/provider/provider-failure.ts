/** The provider was not reached, or answered nothing useful: what it did is unknown, and it is asked again. */
export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable';
}

/** The provider refused for good. Asking again changes nothing. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';

  constructor(
    message: string,
    /** The provider's own code, for the log; null for none. */
    readonly providerCode: string | null,
    /** The part that it refused: the file's content, or something else. */
    readonly subject: 'file' | 'other' = 'other',
  ) {
    super(message);
  }
}
