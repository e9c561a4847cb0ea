import { listOf } from '../../api/list';
import { text } from '../../browser/address';
import { choice, word } from '../../browser/list';

/** Which changes wait, or waited. */
export const requestList = listOf('/approval-requests', {
  awaiting: choice(['me']),
  state: choice(['pending', 'approved', 'executed', 'rejected', 'cancelled', 'expired', 'failed']),
  action: word(text),
});
