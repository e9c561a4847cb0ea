/** How often what is shown of alerts is read again, in milliseconds: rules are evaluated every 30 s or so. */
export const READ_AGAIN_MS = 15_000;
