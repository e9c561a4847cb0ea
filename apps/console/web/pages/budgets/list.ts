import { listOf } from '../../api/list';
import { idOf } from '../../browser/address';
import { choice, word, yesNo } from '../../browser/list';

/** What may be spent. */
export const budgetList = listOf('/budgets', {
  scope: choice(['organization', 'project', 'api_key', 'member', 'model', 'end_user']),
  enabled: yesNo(),
  key: word(idOf('apiKey'), 'applies_to'),
});
