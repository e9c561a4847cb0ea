/** A key that somebody pasted. It is in the memory of the page alone. */
export interface PastedKey {
  readonly secret: string;
  /** Tells it from the one before, where the secret itself must not be. */
  readonly number: number;
}

export const noKey: PastedKey = { secret: '', number: 0 };

export const nextKey = ({ number }: PastedKey, secret: string): PastedKey => ({
  secret: secret.trim(),
  number: number + 1,
});

/** Characters that a header can hold. */
export const isKey = (secret: string): boolean => /^[\x21-\x7e]+$/.test(secret);
