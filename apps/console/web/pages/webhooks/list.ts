import { listOf } from '../../api/list';
import { choice } from '../../browser/list';
import { receiverStates } from '../../deliveries/receiver-states';

/** Who is told of events. */
export const endpointList = listOf('/webhooks', { state: choice(receiverStates) });
