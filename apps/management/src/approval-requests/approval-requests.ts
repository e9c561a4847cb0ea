import { Inject, Injectable } from '@nestjs/common';
import { type Decision } from '@svc/approvals';
import { unknownResource, type Caller } from '@svc/api';
import {
  ApprovalPolicyStore,
  type ApprovalRequestFilter,
  type ApprovalRequestRecord,
  ApprovalRequestStore,
  type Mutation,
  Mutations,
} from '@svc/approvals/store';
import { GatewayError, type JsonValue, type Page, type Slice } from '@svc/kernel';
import { changedFields } from '@svc/database';
import { type Sealer } from '@svc/runtime';
import { SEALER } from '../runtime';

type AskedFilter = Pick<ApprovalRequestFilter, 'state' | 'action' | 'requestedBy'>;

/** Changes that wait for approval. Executing an approved one is the API's: see its approved calls. */
@Injectable()
export class ApprovalRequests {
  constructor(
    private readonly store: ApprovalRequestStore,
    private readonly policies: ApprovalPolicyStore,
    private readonly mutations: Mutations,
    @Inject(SEALER) private readonly sealer: Sealer,
  ) {}

  /** @param awaitingCaller only what waits for the calling user's decision: nothing for a key. */
  async list(
    caller: Caller,
    page: Page,
    filter: AskedFilter,
    awaitingCaller: boolean,
  ): Promise<Slice<ApprovalRequestRecord>> {
    const { organizationId } = caller;
    const visible = seesAll(caller) ? filter : { ...filter, requester: requesterOf(caller) };
    if (!awaitingCaller) return this.store.listApprovalRequests(organizationId, page, visible);
    const people = await this.policies.approvers(organizationId);
    const awaiting = people.find(({ userId }) => userId === caller.userId);
    if (awaiting === undefined) return { items: [], hasMore: false };
    return this.store.listApprovalRequests(organizationId, page, { ...visible, awaiting });
  }

  /** @throws GatewayError `notFound`, also for another's request without the permission to read it. */
  async get(caller: Caller, id: string): Promise<ApprovalRequestRecord> {
    return known(caller, await this.store.findApprovalRequest(caller.organizationId, id));
  }

  /**
   * @throws GatewayError `notFound`; `permissionDenied` for one's own request, and for people whom no policy of the
   * request lists; `conflict` where it is not pending.
   */
  async decide(
    caller: Caller,
    id: string,
    decision: Decision,
    comment: string | null,
  ): Promise<ApprovalRequestRecord> {
    const { userId } = caller;
    if (userId === null) throw new GatewayError('permissionDenied', 'Only people decide, with a session.');
    await this.locked(caller, id, async (request, { tx, at, audit }) => {
      const given = { userId, decision, comment };
      const judgement = await this.store.decide(tx, request, given, at.getTime());
      switch (judgement.kind) {
        case 'own':
          throw new GatewayError('permissionDenied', 'You cannot decide about your own request.');
        case 'not_listed':
          throw new GatewayError('permissionDenied', 'No policy of this request lists you as an approver.');
        case 'not_pending':
          throw notPending(request);
        case 'recorded':
          await audit(
            `approval_request.${decision}`,
            id,
            changedFields({ state: request.state }, { state: judgement.state }),
          );
      }
    });
    return this.get(caller, id);
  }

  /** @throws GatewayError `notFound`; `permissionDenied` for others; `conflict` where it is not pending. */
  async cancel(caller: Caller, id: string): Promise<ApprovalRequestRecord> {
    await this.locked(caller, id, async (request, { tx, at, audit }) => {
      if (!isRequester(caller, request) && !caller.permissions.has('approval:write')) {
        throw new GatewayError(
          'permissionDenied',
          'Only the requester can cancel it, and members with approval:write.',
        );
      }
      if (request.state !== 'pending') throw notPending(request);
      await this.store.cancel(tx, request, caller.userId, at.getTime());
      await audit('approval_request.cancel', id, changedFields({ state: 'pending' }, { state: 'cancelled' }));
    });
    return this.get(caller, id);
  }

  /**
   * @returns the answer that the executed call would have had.
   * @throws GatewayError `notFound`; `permissionDenied` for others; `conflict` where there is no secret to claim.
   */
  claimSecret(caller: Caller, id: string): Promise<JsonValue> {
    return this.locked(caller, id, async (request, { tx, audit }) => {
      if (!isRequester(caller, request)) {
        throw new GatewayError('permissionDenied', 'Only the requester can claim the secret.');
      }
      const answer = await this.store.takeAnswer(tx, request, this.sealer);
      if (answer === null) throw new GatewayError('conflict', nothingToClaim[request.secretState]);
      await audit('approval_request.claim_secret', id);
      return answer;
    });
  }

  private locked<T>(
    caller: Caller,
    id: string,
    work: (request: ApprovalRequestRecord, mutation: Mutation) => Promise<T>,
  ): Promise<T> {
    return this.mutations.run(caller, async (mutation) =>
      work(
        known(caller, await this.store.lockApprovalRequest(mutation.tx, caller.organizationId, id)),
        mutation,
      ),
    );
  }
}

const nothingToClaim = {
  none: 'The request has no secret to claim.',
  available: 'The request has no secret to claim.',
  claimed: 'The secret has been claimed. It is shown only once.',
  expired: 'The secret was not claimed in time, and is wiped. Rotate it, or make a new one.',
};

const seesAll = ({ permissions }: Caller): boolean => permissions.has('approval:read');

const requesterOf = ({ actor, userId }: Caller): ApprovalRequestFilter['requester'] =>
  userId === null ? { keyId: actor.id ?? '' } : { userId };

/** The same key; or the same user, by any session or app. */
const isRequester = ({ actor, userId }: Caller, { requester }: ApprovalRequestRecord): boolean =>
  requester.type === 'api_key'
    ? actor.type === 'api_key' && actor.id === requester.id
    : userId !== null && userId === requester.userId;

function known(caller: Caller, request: ApprovalRequestRecord | null): ApprovalRequestRecord {
  if (request === null || !(seesAll(caller) || isRequester(caller, request))) throw unknownResource();
  return request;
}

const notPending = ({ state }: ApprovalRequestRecord): GatewayError =>
  new GatewayError(
    'conflict',
    state === 'pending' ? 'The request has expired.' : `The request is ${state}: it is not pending any more.`,
  );
