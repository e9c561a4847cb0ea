import { listOf } from '../../api/list';
import { choice } from '../../browser/list';
import { exportKinds } from './export';

/** Files of the organization's rows. */
export const exportList = listOf('/exports', {
  kind: choice(exportKinds),
  state: choice(['queued', 'running', 'completed', 'failed', 'cancelled', 'expired']),
});
