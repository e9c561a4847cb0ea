import { oneOf, text } from '../../../browser/address';
import { word } from '../../../browser/list';
import { listOf } from '../../api/list';

/** Those that wait, unless resolved ones are asked for. */
export const messageList = listOf('/parked-messages', {
  state: word(oneOf('resolved'), null, (asked) => asked ?? 'waiting'),
  consumer: word(text),
});
