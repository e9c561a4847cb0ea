import { type IncidentStore } from '@svc/incidents/store';

/** Resolved incidents (docs/reference/incidents.md). */
const INCIDENT_AGE_MAX_MS = 400 * 86_400_000;
const BATCH = 10_000;

/** Deletes incidents that are too old, with what organizations were told of them. */
export const deleteOldIncidents = async (
  incidents: Pick<IncidentStore, 'deleteResolved'>,
): Promise<{ readonly more: boolean }> => ({
  more: await incidents.deleteResolved(INCIDENT_AGE_MAX_MS, BATCH),
});
