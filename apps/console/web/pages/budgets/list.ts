import { listOf } from '../../api/list';
import { idOf, subject } from '../../browser/address';
import { choice, word, yesNo } from '../../browser/list';

/** Budgets. */
export const budgetList = listOf('/budgets', {
  scope: choice(['organization', 'project', 'api_key', 'member', 'model', 'end_user']),
  whose: word(subject, 'scope_id'),
  project: word(idOf('project'), 'project_id'),
  enabled: yesNo(),
  key: word(idOf('apiKey'), 'applies_to'),
  end_user: word(subject),
});

/** Who has spent of one. */
export const spendList = listOf('/budgets/{budget_id}/spends', { whose: word(subject, 'scope_id') });
