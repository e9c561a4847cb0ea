import { listOf } from '../../api/list';
import { choice } from '../../browser/list';

/** What is or was wrong with the platform. */
export const incidentList = listOf('/incidents', {
  state: choice(['open', 'resolved']),
  severity: choice(['minor', 'major', 'critical']),
});
