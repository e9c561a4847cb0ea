import { listOf } from '../../api/list';
import { choice } from '../../browser/list';
import { receiverStates } from '../../deliveries/receiver-states';
import { kinds } from './integration';

/** Who is told what happens. */
export const integrationList = listOf('/integrations', {
  kind: choice(kinds),
  state: choice(receiverStates),
});
