import { listOf } from '../../api/list';
import { type Parameter } from '../../browser/address';
import { createdWithin, word } from '../../browser/list';

const only =
  (form: RegExp): Parameter<string> =>
  (texts) =>
    texts.length === 1 && form.test(texts[0] ?? '') ? texts[0] : undefined;

/** `api_key.update`, or `api_key.*`. */
const action = only(/^[a-z_]{1,50}\.([a-z_]{1,50}|\*)$/);
/** An id of any kind. */
const anyId = only(/^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/);

/** Who changed what, and when. */
export const auditList = listOf('/audit-log', {
  action: word(action),
  actor: word(anyId, 'actor_id'),
  target: word(anyId, 'target_id'),
  ...createdWithin,
});
