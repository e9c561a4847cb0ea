import { oneOf } from '../../../browser/address';
import { word } from '../../../browser/list';
import { listOf } from '../../api/list';
import { shownStates } from './payment';

/** The state that is listed where none is asked for: what waits for a person. */
export const UNASKED = 'review';

/** Payments, those that are still to be paid too. */
export const paymentList = listOf('/payments', {
  state: word(oneOf('all', ...shownStates), null, (asked = UNASKED) => (asked === 'all' ? undefined : asked)),
});
