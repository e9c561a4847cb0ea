import { type CallHourStore, type CallMinuteStore, type CircuitReportStore } from '@svc/persistence';

/** More than the 31 days that one answer spans (docs/reference/money.md#usage). */
const MINUTE_AGE_MAX_MS = 35 * 24 * 3_600_000;
/** A report says something for 10 minutes. */
const REPORT_AGE_MAX_MS = 24 * 3_600_000;
const BATCH = 2_000;

/** Deletes sums of calls by the minute after 35 days. */
export const deleteOldCallMinutes = async (
  minutes: CallMinuteStore,
): Promise<{ readonly more: boolean }> => ({
  more: (await minutes.deleteOld(MINUTE_AGE_MAX_MS, BATCH)) === BATCH,
});

/** Deletes sums by the hour after as long as those by the minute. */
export const deleteOldCallHours = async (hours: CallHourStore): Promise<{ readonly more: boolean }> => ({
  more: (await hours.deleteOld(MINUTE_AGE_MAX_MS, BATCH)) === BATCH,
});

/** Deletes what edges reported of circuits a day ago. */
export const deleteOldCircuitReports = async (
  reports: CircuitReportStore,
): Promise<{ readonly more: boolean }> => ({
  more: (await reports.deleteOld(REPORT_AGE_MAX_MS, BATCH)) === BATCH,
});
