import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { Page } from '../../frame/page';
import { ReadPage } from '../../frame/read-page';
import { type ApprovalRequest } from './approval';
import { ClaimSecret } from './claim-secret';
import { DecisionButtons } from './decide';
import { RequestChange } from './request-change';
import { RequestDecisions } from './request-decisions';
import { RequestFacts } from './request-facts';
import { approvalRoute, approvalsRoute } from './route';
import { StateBadge } from './state-badge';
import { text } from './text';
import { titleOf } from './title';

/** How often a request that was approved is read, until it is made. */
const EXECUTION_MS = 2_000;

const parent = <Link to={approvalsRoute.to}>{text.title}</Link>;

export function ApprovalPage(): ReactElement {
  const { approvalRequestId } = approvalRoute.useParams();
  const params = { path: { approval_request_id: approvalRequestId } };
  const request = useRead('/approval-requests/{approval_request_id}', { params });
  const isApproved = request.data?.state === 'approved';
  useRead(
    '/approval-requests/{approval_request_id}',
    { params },
    { enabled: isApproved, everyMs: isApproved && EXECUTION_MS },
  );
  return (
    <ReadPage of={request} words={text.request} parent={parent}>
      {(data) => <OneRequest request={data} />}
    </ReadPage>
  );
}

function OneRequest({ request }: { readonly request: ApprovalRequest }): ReactElement {
  return (
    <Page
      title={titleOf(request)}
      parent={parent}
      subtitle={<StateBadge of={request} />}
      actions={<DecisionButtons request={request} />}
    >
      <ClaimSecret request={request} />
      <RequestChange request={request} />
      <RequestFacts request={request} />
      <RequestDecisions request={request} />
    </Page>
  );
}
