import { every } from '../browser/every';
import { type Receiver } from './delivery';

/** Apart from the rest, so that the first file has what an address can say and no more. */
export const receiverStates = every<Receiver['state']>()('active', 'failing', 'paused', 'disabled');
