import { type components } from '../../api/generated/management';
import { defaultOf, writtenOf, type PolicyDocument } from '../../policies/policy';
import { isSamePolicy } from '../../policies/policy-diff';
import { parseMoney } from '../../format/money';
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
  /** The id of the member in whose budgets its calls count, or a word for what has none. */
  readonly owner: string;
  /** The limits of the key's policy, but for the cost of a call. */
  readonly policy: PolicyDocument;
  /** The most that a call may cost, in decimal dollars; empty for no limit. */
  readonly cost: string;
}

/** The owner that the API gives a key of itself, and no owner. */
export const owners = { self: 'self', nobody: 'nobody' } as const;

const UNRESTRICTED = defaultOf('key');

export const emptyDraft: KeyDraft = {
  name: '',
  projectId: null,
  preset: 'inference',
  scopes: [],
  expiry: '',
  rpm: null,
  tpm: null,
  owner: owners.self,
  policy: UNRESTRICTED,
  cost: '',
};

const INFERENCE: readonly Scope[] = ['inference:invoke'];

interface Maker {
  /** The scopes that the role can pass on. */
  readonly offered: readonly Scope[];
  /** Whether it may make keys of other members, and of none. */
  readonly canChooseOwner: boolean;
}

/**
 * A draft of a key like another one. What the role does not hold cannot be passed on. Its policy the API hands on by itself.
 */
export function draftLike(key: ApiKey, { offered, canChooseOwner }: Maker, zone: Zone): KeyDraft {
  const scopes = key.scopes.filter((scope) => offered.includes(scope));
  return {
    name: key.name,
    projectId: key.project_id,
    preset: scopes.length === 1 && scopes[0] === INFERENCE[0] ? 'inference' : 'chosen',
    scopes,
    expiry: key.expires_at === null ? '' : toInputTime(new Date(key.expires_at), zone),
    rpm: key.rate_limit_rpm,
    tpm: key.rate_limit_tpm,
    owner: canChooseOwner ? (key.member_id ?? owners.nobody) : owners.self,
    policy: UNRESTRICTED,
    cost: '',
  };
}

/** Whether two drafts say the same. Scopes that are not asked for do not count. */
export function isSameDraft(one: KeyDraft, other: KeyDraft): boolean {
  const { scopes: _, policy, ...plain } = one;
  return (
    scopesOf(one).join() === scopesOf(other).join() &&
    isSamePolicy(policy, other.policy) &&
    (Object.keys(plain) as (keyof typeof plain)[]).every((field) => plain[field] === other[field])
  );
}

export const scopesOf = ({ preset, scopes }: KeyDraft): readonly Scope[] =>
  preset === 'inference' ? INFERENCE : scopes;

/** Whether the cost of a call is typed as no amount. */
export function isCostWrong({ cost }: KeyDraft): boolean {
  const parsed = parseMoney(cost);
  return 'problem' in parsed && parsed.problem !== 'empty';
}

/** The policy that it begins with; null for one that takes nothing away. */
function policyOfNew({ policy, cost }: KeyDraft): PolicyDocument | null {
  const parsed = parseMoney(cost);
  const whole = { ...policy, max_cost_nanos: 'amount' in parsed ? parsed.amount : null };
  return isSamePolicy(whole, UNRESTRICTED) ? null : whole;
}

/** @param replaces the key whose place it takes; null for a key of its own. */
export function newKeyOf(draft: KeyDraft, replaces: string | null, zone: Zone): NewApiKey {
  const policy = policyOfNew(draft);
  return {
    name: draft.name.trim(),
    project_id: draft.projectId,
    scopes: [...scopesOf(draft)],
    expires_at: draft.expiry === '' ? null : fromInputTime(draft.expiry, zone),
    rate_limit_rpm: draft.rpm,
    rate_limit_tpm: draft.tpm,
    ...(draft.owner === owners.self ? {} : { member_id: draft.owner === owners.nobody ? null : draft.owner }),
    ...(policy === null ? {} : { policy: writtenOf('key', policy) }),
    ...(replaces === null ? {} : { replaces }),
  };
}
