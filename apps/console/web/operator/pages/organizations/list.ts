import { text } from '../../../browser/address';
import { choice, word } from '../../../browser/list';
import { listOf } from '../../api/list';

export const organizationList = listOf('/organizations', {
  q: word(text),
  state: choice(['active', 'suspended']),
});
