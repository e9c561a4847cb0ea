import { Act, ActWith, Get, List, Resource, type Call } from '@svc/api';
import { ApprovalPolicyStore, ApprovalRequestStore } from '@svc/approvals/store';
import { type z } from 'zod';
import { type Collection } from '../collection';
import {
  approvalRequest,
  approvalRequestFilters,
  claimedSecret,
  decisionBody,
  presentApprovalRequest,
} from './approval-request-schema';
import { ApprovalRequests } from './approval-requests';

const ids = { approval_request_id: 'approvalRequest' } as const;
const decides = {
  permission: 'approval:decide',
  scope: null,
  callers: ['session'],
  errors: ['conflict'],
  ids,
  body: decisionBody,
  answer: approvalRequest,
} as const;

@Resource({
  path: 'approval-requests',
  one: 'ApprovalRequest',
  many: 'ApprovalRequests',
  tag: 'Approvals',
  description: 'Policies that make changes wait until other people have approved them.',
})
class ApprovalRequestsController {
  constructor(private readonly requests: ApprovalRequests) {}

  @List('', {
    summary: 'The changes that wait, or waited, for approval, newest first.',
    description: 'With the permission `approval:read` all of the organization, otherwise one’s own.',
    permission: null,
    scope: null,
    cursor: 'approvalRequest',
    query: approvalRequestFilters,
    item: approvalRequest,
  })
  async list({ caller, page, query }: Call<{ query: typeof approvalRequestFilters }>) {
    const { requested_by: requestedBy, awaiting, ...filter } = query;
    const { items, hasMore } = await this.requests.list(
      caller,
      page,
      { ...filter, requestedBy },
      awaiting === 'me',
    );
    return { items: items.map(presentApprovalRequest), hasMore };
  }

  @Get(':approval_request_id', {
    summary: 'One change that waits, or waited, for approval.',
    description: 'With the permission `approval:read`, or one’s own.',
    permission: null,
    scope: null,
    ids,
    answer: approvalRequest,
  })
  async get({ caller, ids }: Call<{ ids: 'approval_request_id' }>) {
    return presentApprovalRequest(await this.requests.get(caller, ids.approval_request_id));
  }

  @ActWith(':approval_request_id/approve', {
    ...decides,
    summary: 'Approves a change.',
    description:
      'By a session only, of somebody whom a policy of the request lists, and never by the requester. Once each policy ' +
      'has its approvals, the change is made within seconds. The same decision again changes nothing.',
  })
  async approve({ caller, ids, body }: Call<{ ids: 'approval_request_id'; body: typeof decisionBody }>) {
    return this.decided(caller, ids.approval_request_id, 'approve', body);
  }

  @ActWith(':approval_request_id/reject', {
    ...decides,
    summary: 'Rejects a change.',
    description: 'By the same people as an approval. One rejection is enough, and final.',
  })
  async reject({ caller, ids, body }: Call<{ ids: 'approval_request_id'; body: typeof decisionBody }>) {
    return this.decided(caller, ids.approval_request_id, 'reject', body);
  }

  @Act(':approval_request_id/cancel', {
    summary: 'Cancels a change that waits.',
    description: 'By the requester, or with the permission `approval:write`.',
    permission: null,
    scope: null,
    errors: ['conflict'],
    ids,
    answer: approvalRequest,
  })
  async cancel({ caller, ids }: Call<{ ids: 'approval_request_id' }>) {
    return presentApprovalRequest(await this.requests.cancel(caller, ids.approval_request_id));
  }

  @Act(':approval_request_id/claim-secret', {
    summary: 'Shows the secret that an executed change made.',
    description:
      'Once, within 72 hours, and to the requester only: the same user, or the same key. The answer is the one that the ' +
      'call itself would have had.',
    permission: null,
    scope: null,
    errors: ['conflict'],
    operation: 'claimApprovedSecret',
    ids,
    answer: claimedSecret,
  })
  async claimSecret({ caller, ids }: Call<{ ids: 'approval_request_id' }>) {
    const answer: unknown = await this.requests.claimSecret(caller, ids.approval_request_id);
    return answer as z.input<typeof claimedSecret>;
  }

  private async decided(
    caller: Call['caller'],
    id: string,
    decision: 'approve' | 'reject',
    { comment }: z.output<typeof decisionBody>,
  ) {
    return presentApprovalRequest(await this.requests.decide(caller, id, decision, comment ?? null));
  }
}

export const approvalRequests: Collection = {
  controllers: [ApprovalRequestsController],
  services: [ApprovalRequests],
  stores: [ApprovalRequestStore, ApprovalPolicyStore],
};
