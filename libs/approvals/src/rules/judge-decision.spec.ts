import fc from 'fast-check';
import { judgeDecision, type DecisionFacts } from './judge-decision';
import { approvalStates, isEnded, stateAfter, type ApprovalTrigger } from './request-states';

const triggers: readonly ApprovalTrigger[] = ['approve', 'reject', 'cancel', 'expire', 'execute', 'fail'];

describe('the states of a request', () => {
  it('moves as the reference says, and no other way', () => {
    const moves = approvalStates.flatMap((state) =>
      triggers.flatMap((trigger) => {
        const next = stateAfter(state, trigger);
        return next === null ? [] : [`${state} ${trigger} ${next}`];
      }),
    );
    expect(moves).toEqual([
      'pending approve approved',
      'pending reject rejected',
      'pending cancel cancelled',
      'pending expire expired',
      'approved execute executed',
      'approved fail failed',
    ]);
    expect(approvalStates.filter(isEnded)).toEqual([
      'rejected',
      'cancelled',
      'expired',
      'executed',
      'failed',
    ]);
  });
});

const people = ['ada', 'bob', 'eve', 'joe'];
const roles = ['owner', 'security_admin', 'finance'];
const facts: fc.Arbitrary<DecisionFacts> = fc.record({
  state: fc.constantFrom(...approvalStates),
  isExpired: fc.boolean(),
  requesterUserId: fc.constantFrom('ada', null),
  policies: fc.array(
    fc.record({
      approvers: fc.record({ roles: fc.subarray(roles), userIds: fc.subarray(people) }),
      requiredApprovals: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  decisions: fc.uniqueArray(
    fc.record({
      userId: fc.constantFrom(...people),
      decision: fc.constantFrom('approve' as const, 'reject' as const),
    }),
    { selector: ({ userId }) => userId },
  ),
  approvers: fc.uniqueArray(
    fc.record({ userId: fc.constantFrom(...people), role: fc.constantFrom(...roles) }),
    { selector: ({ userId }) => userId },
  ),
});
const decision = fc.constantFrom('approve' as const, 'reject' as const);

describe('a decision', () => {
  it('is never the requester’s, nor anybody’s whom no policy lists', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom(...people), decision, (given, userId, decided) => {
        const { kind } = judgeDecision(given, userId, decided);
        const person = given.approvers.find((one) => one.userId === userId);
        const isNamed =
          person !== undefined &&
          given.policies.some(
            ({ approvers }) => approvers.userIds.includes(userId) || approvers.roles.includes(person.role),
          );
        if (userId === given.requesterUserId) expect(kind).toBe('own');
        else if (!isNamed) expect(kind).toBe('not_listed');
        else expect(['recorded', 'repeated', 'not_pending']).toContain(kind);
      }),
    );
  });

  it('approves only with enough different people of each policy, none of them the requester', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom(...people), (given, userId) => {
        const judged = judgeDecision(given, userId, 'approve');
        if (judged.kind !== 'recorded') return;
        const approving = [
          userId,
          ...given.decisions.filter((one) => one.decision === 'approve').map((one) => one.userId),
        ];
        const isEnough = given.policies.every(({ approvers, requiredApprovals }) => {
          const counted = given.approvers.filter(
            (one) =>
              one.userId !== given.requesterUserId &&
              approving.includes(one.userId) &&
              (approvers.roles.includes(one.role) || approvers.userIds.includes(one.userId)),
          );
          return counted.length >= requiredApprovals;
        });
        expect(judged.state).toBe(isEnough ? 'approved' : 'pending');
      }),
    );
  });

  it('changes nothing that is not pending', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom(...people), decision, (given, userId, decided) => {
        fc.pre(given.state !== 'pending' || given.isExpired);
        expect(judgeDecision(given, userId, decided).kind).not.toBe('recorded');
      }),
    );
  });
});
