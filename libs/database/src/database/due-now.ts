/**
 * When what is due at once is due, in SQL. The columns have whole milliseconds, and PostgreSQL rounds: `now()` would be
 * due up to half a millisecond later, and a claim that follows at once would leave it for the next poll.
 */
export const DUE_NOW = `date_trunc('milliseconds', now())`;

/** The condition of a row that is due, in SQL. The clock is rounded as the column is: else what is due at once were not yet. */
export const IS_DUE = `due_at <= clock_timestamp()::timestamptz(3)`;
