const DAY_MS = 86_400_000;

/** The UTC days that end with today's, as the API takes them. */
export function lastDays(days: number): { readonly start: string; readonly end: string } {
  const end = Math.floor(Date.now() / DAY_MS + 1) * DAY_MS;
  const start = end - days * DAY_MS;
  return { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
}
