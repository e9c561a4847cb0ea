import { listOf } from '../../api/list';
import { idOf, text, type AddressOf } from '../../browser/address';
import { createdWithin, word } from '../../browser/list';

/** The refused calls. The ends of the span have the names that the list of requests gives them. */
export const refusalList = listOf('/usage/refusals', {
  code: word(text),
  key: word(idOf('apiKey'), 'api_key_id'),
  model: word(text),
  project: word(idOf('project'), 'project_id'),
  after: { ...createdWithin.after, sentAs: 'start' },
  before: { ...createdWithin.before, sentAs: 'end' },
});
export type RefusalsAddress = AddressOf<typeof refusalList.address>;
