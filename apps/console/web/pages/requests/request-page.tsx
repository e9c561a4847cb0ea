import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRequest } from '../../calls/use-request';
import { Page } from '../../frame/page';
import { Result } from '../../ui/states/result';
import { RequestDetails } from './request-details';
import { requestRoute, requestsRoute } from './route';
import { text } from './text';

const parent = <Link to={requestsRoute.to}>{text.one.parent}</Link>;

export function RequestPage(): ReactElement {
  const { requestId } = requestRoute.useParams();
  const request = useRequest(requestId);
  return (
    <Page title={text.one.title} parent={parent}>
      <Result of={request} what={text.one.what} lines={12}>
        {(call) => <RequestDetails of={call} />}
      </Result>
    </Page>
  );
}
