import { coversAction, isActionPattern } from './gateable-actions';
import { gatingPolicies, type ApprovalPolicy, type AuditedChange } from './gating-policies';
import { targetDigest } from './target-digest';

const policy = (settings: Partial<ApprovalPolicy>): ApprovalPolicy => ({
  id: 'aprp_1',
  name: 'P',
  version: 1,
  enabled: true,
  actions: [],
  amountAboveNanos: null,
  approvers: { roles: [], userIds: [] },
  requiredApprovals: 1,
  expiresAfterSeconds: 60,
  ...settings,
});
const change = (settings: Partial<AuditedChange>): AuditedChange => ({
  action: 'project.update',
  targetId: 'proj_1',
  changes: {},
  before: {},
  ...settings,
});
const gates = (settings: Partial<ApprovalPolicy>, audited: Partial<AuditedChange>): boolean =>
  gatingPolicies([policy(settings)], change(audited)).length > 0;

describe('what a policy gates', () => {
  it('is what it lists, while it is enabled', () => {
    expect(gates({ actions: ['project.*'] }, {})).toBe(true);
    expect(gates({ actions: ['project.create'] }, {})).toBe(false);
    expect(gates({ actions: ['project.*'], enabled: false }, {})).toBe(false);
  });

  it('is never what only takes power away, whatever it lists', () => {
    for (const action of [
      'api_key.revoke',
      'provider_credential.disable',
      'member.delete',
      'oauth_app.revoke',
    ]) {
      expect([action, isActionPattern(action)]).toEqual([action, false]);
      expect(coversAction(`${action.split('.')[0] ?? ''}.*`, action)).toBe(false);
    }
    expect(isActionPattern('grant.*')).toBe(false);
    expect(isActionPattern('budget.*')).toBe(true);
  });

  it.each([
    [{ amount_nanos: { to: 11 } }, {}, true],
    [{ amount_nanos: { to: 10 } }, { amount_nanos: 20 }, false],
    [{ name: { to: 'B' } }, { amount_nanos: 20 }, true],
    [{ name: { to: 'B' } }, { amount_nanos: 10 }, false],
    [{ name: { to: 'B' } }, {}, true],
    [{ override: { to: { amount_nanos: 11 } } }, { amount_nanos: 5 }, true],
    [{ override: { to: { amount_nanos: 10 } } }, { amount_nanos: 5 }, false],
    [{ override: { to: null } }, { amount_nanos: 5, override: { amount_nanos: 11 } }, false],
    [{ name: { to: 'B' } }, { amount_nanos: 5, override: { amount_nanos: 11 } }, true],
  ])('is a budget above its amount: %j of %j', (changes, before, isGated) => {
    const audited = { action: 'budget.update', changes, before };
    expect(gates({ actions: ['budget.*'], amountAboveNanos: 10 }, audited)).toBe(isGated);
  });

  it('is its own change, also while it is disabled, and no other policy’s', () => {
    for (const action of ['approval_policy.update', 'approval_policy.delete']) {
      expect(gates({ enabled: false }, { action, targetId: 'aprp_1' })).toBe(true);
      expect(gates({}, { action, targetId: 'aprp_2' })).toBe(false);
    }
  });

  it('is whoever becomes or stops being one of its approvers', () => {
    const approvers = { roles: ['owner'], userIds: ['usr_1'] };
    const given = (action: string, changes: AuditedChange['changes'], before: AuditedChange['before']) =>
      gates({ approvers }, { action, changes, before });
    expect(given('invitation.create', { role: { to: 'owner' } }, null)).toBe(true);
    expect(given('invitation.create', { role: { to: 'viewer' } }, null)).toBe(false);
    expect(given('invitation.resend', {}, { role: 'owner' })).toBe(true);
    expect(given('member.update', { role: { from: 'owner', to: 'viewer' } }, { user_id: 'usr_2' })).toBe(
      true,
    );
    expect(given('member.update', { role: { from: 'viewer', to: 'finance' } }, { user_id: 'usr_1' })).toBe(
      true,
    );
    expect(given('member.update', { role: { from: 'viewer', to: 'finance' } }, { user_id: 'usr_2' })).toBe(
      false,
    );
  });
});

it('the digest of a target differs with any field, and with no order', () => {
  const change = (targetId: string, before: Readonly<Record<string, number>> | null) => ({
    action: 'project.update',
    targetId,
    changes: {},
    before,
  });
  const digest = (...befores: (Readonly<Record<string, number>> | null)[]) =>
    targetDigest(befores.map((before, at) => change(`proj_${String(at)}`, before)))?.toString('hex');
  expect(digest({ a: 1, b: 2 })).toBe(digest({ b: 2, a: 1 }));
  expect(digest({ a: 1, b: 2 })).not.toBe(digest({ a: 1, b: 3 }));
  expect(digest({ a: 1 }, { b: 2 })).not.toBe(digest({ a: 1 }, { b: 3 }));
  expect(digest(null)).toBeUndefined();
});
