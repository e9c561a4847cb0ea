import { listOf } from '../../api/list';
import { idOf } from '../../browser/address';
import { choice, word } from '../../browser/list';

/** Grants of members to apps. */
export const grantList = listOf('/oauth-apps/grants', {
  app: word(idOf('oauthApp'), 'app_id'),
  user: word(idOf('user'), 'user_id'),
  state: choice(['active', 'revoked']),
});
