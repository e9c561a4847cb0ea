import { listOf } from '../../api/list';
import { choice } from '../../browser/list';

/** Incidents of the platform, open and resolved. */
export const incidentList = listOf('/incidents', {
  state: choice(['open', 'resolved']),
  severity: choice(['minor', 'major', 'critical']),
});
