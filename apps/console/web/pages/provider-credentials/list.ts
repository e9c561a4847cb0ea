import { listOf } from '../../api/list';
import { text } from '../../browser/address';
import { choice, word } from '../../browser/list';

/** On whose account providers are called. */
export const credentialList = listOf('/provider-credentials', {
  provider: word(text),
  state: choice(['active', 'disabled', 'revoked', 'compromised']),
});
