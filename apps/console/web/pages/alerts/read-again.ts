/** How often shown alerts and rules are read again, in milliseconds: an idle page makes one call in that time. */
export const READ_AGAIN_MS = 30_000;
