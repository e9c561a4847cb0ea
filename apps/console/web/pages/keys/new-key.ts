import { type components } from '../../api/generated/management';
import { fromInputTime, toInputTime, type Zone } from '../../format/time';
import { type ApiKey, type Scope } from './key';

type NewApiKey = components['schemas']['NewApiKey'];

/** A key as it is typed. */
export interface KeyDraft {
  readonly name: string;
  readonly projectId: string | null;
  readonly preset: 'inference' | 'chosen';
  readonly scopes: readonly Scope[];
  /** Of an `input type=datetime-local`; empty for never. */
  readonly expiry: string;
  /** Null for the default. */
  readonly rpm: number | null;
  readonly tpm: number | null;
}

export const emptyDraft: KeyDraft = {
  name: '',
  projectId: null,
  preset: 'inference',
  scopes: [],
  expiry: '',
  rpm: null,
  tpm: null,
};

const INFERENCE: readonly Scope[] = ['inference:invoke'];

/** A draft of a key like another one. What the role does not hold cannot be passed on. */
export function draftLike(key: ApiKey, offered: readonly Scope[], zone: Zone): KeyDraft {
  const scopes = key.scopes.filter((scope) => offered.includes(scope));
  return {
    name: key.name,
    projectId: key.project_id,
    preset: scopes.length === 1 && scopes[0] === INFERENCE[0] ? 'inference' : 'chosen',
    scopes,
    expiry: key.expires_at === null ? '' : toInputTime(new Date(key.expires_at), zone),
    rpm: key.rate_limit_rpm,
    tpm: key.rate_limit_tpm,
  };
}

/** Whether two drafts say the same. Scopes that are not asked for do not count. */
export const isSameDraft = (one: KeyDraft, other: KeyDraft): boolean =>
  (Object.keys(one) as (keyof KeyDraft)[]).every((field) =>
    field === 'scopes' ? scopesOf(one).join() === scopesOf(other).join() : one[field] === other[field],
  );

export const scopesOf = ({ preset, scopes }: KeyDraft): readonly Scope[] =>
  preset === 'inference' ? INFERENCE : scopes;

/** @param replaces the key whose place it takes; null for a key of its own. */
export const newKeyOf = (draft: KeyDraft, replaces: string | null, zone: Zone): NewApiKey => ({
  name: draft.name.trim(),
  project_id: draft.projectId,
  scopes: [...scopesOf(draft)],
  expires_at: draft.expiry === '' ? null : fromInputTime(draft.expiry, zone),
  rate_limit_rpm: draft.rpm,
  rate_limit_tpm: draft.tpm,
  ...(replaces === null ? {} : { replaces }),
});
