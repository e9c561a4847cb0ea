import { listOf } from '../../api/list';
import { idOf, text } from '../../browser/address';
import { choice, someChoice, word } from '../../browser/list';

/** Who can call. */
export const keyList = listOf('/keys', {
  q: word(text),
  state: choice(['active', 'revoked']),
  project: word(idOf('project'), 'project_id'),
  purpose: someChoice(['playground']),
});
