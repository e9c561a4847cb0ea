/** What the caller said a call is for, kept on its record. */
export interface CallLabels {
  /** The end user on whose behalf it was made. */
  readonly user: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}
