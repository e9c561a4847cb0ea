import { listOf } from '../../api/list';
import { choice } from '../../browser/list';

/** The jobs. */
export const jobList = listOf('/fine-tuning/jobs', {
  state: choice(['validating_files', 'queued', 'running', 'succeeded', 'failed', 'cancelled']),
});
