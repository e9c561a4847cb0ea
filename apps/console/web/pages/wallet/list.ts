import { listOf } from '../../api/list';
import { oneOf, several } from '../../browser/address';
import { createdWithin, word } from '../../browser/list';
import { kinds } from './wallet';

/** Every change of the balance. */
export const transactionList = listOf('/wallet/transactions', {
  kind: word(several(oneOf(...kinds))),
  ...createdWithin,
});
