/**
 * When what is due at once is due, in SQL. The columns have whole milliseconds, and PostgreSQL rounds: `now()` would be
 * due up to half a millisecond later, and a claim that follows at once would leave it for the next poll.
 */
export const DUE_NOW = `date_trunc('milliseconds', now())`;
