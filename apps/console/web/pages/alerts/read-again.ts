/** How often shown alerts and rules are read again, in milliseconds. The worker evaluates rules every 10 s by default. */
export const READ_AGAIN_MS = 15_000;
