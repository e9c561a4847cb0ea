const SECOND_MS = 1_000;
const DAY_MS = 86_400 * SECOND_MS;

/** Lifetimes of secrets and sessions, in milliseconds (docs/reference/oauth.md#tokens). */
export const lifetimesMs = {
  authorizationCode: 60 * SECOND_MS,
  accessToken: 3_600 * SECOND_MS,
  refreshToken: 30 * DAY_MS,
  /** A console session. Use does not extend it. */
  session: 14 * DAY_MS,
  invitation: 7 * DAY_MS,
  passwordReset: 3_600 * SECOND_MS,
  /** A signing key is replaced by the next one after this time. */
  signingKey: 90 * DAY_MS,
} as const;
