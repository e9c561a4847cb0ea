import { instant, type AddressOf, type Parameter } from '../../browser/address';

const only =
  (form: RegExp): Parameter<string> =>
  (texts) =>
    texts.length === 1 && form.test(texts[0] ?? '') ? texts[0] : undefined;

/** `api_key.update`, or `api_key.*`. */
const action = only(/^[a-z_]{1,50}\.([a-z_]{1,50}|\*)$/);
/** An id of any kind. */
const anyId = only(/^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/);

/** The filters of the log. */
export const schema = { action, actor: anyId, target: anyId, after: instant, before: instant } as const;

export type AuditAddress = AddressOf<typeof schema>;
export type FilterKey = keyof typeof schema;
