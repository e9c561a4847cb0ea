/** States of a response that was not generated. */
export const UNFINISHED: ReadonlySet<unknown> = new Set(['failed', 'cancelled', 'queued', 'in_progress']);
