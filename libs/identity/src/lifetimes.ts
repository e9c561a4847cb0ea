const SECOND_MS = 1_000;
const DAY_MS = 86_400 * SECOND_MS;

/** How long what identity hands out lives, in milliseconds (interface.md, Limits; contract.md section 9). */
export const lifetimesMs = {
  authorizationCode: 60 * SECOND_MS,
  accessToken: 3_600 * SECOND_MS,
  refreshToken: 30 * DAY_MS,
  /** A console session, however much it is used. */
  session: 14 * DAY_MS,
  invitation: 7 * DAY_MS,
  /** After which the next signing key takes over. */
  signingKey: 90 * DAY_MS,
} as const;
