import { type AuthorizationRequest } from '@svc/access';
import { messagePage } from '../pages/message-page';
import { type Page } from '../pages/page';

type Reason = Extract<AuthorizationRequest, { kind: 'refuse-page' }>['reason'];

const messages: Readonly<Record<Reason, string>> = {
  unknownClient:
    'The link that brought you here names no app that is known here, or one that has been revoked. ' +
    'Nothing was shared. Go back to the app, or tell whoever runs it.',
  unknownRedirectUri:
    'The link that brought you here would send you to an address that the app has not registered. ' +
    'Nothing was shared. Tell whoever runs the app.',
};

/** For requests that must never redirect (docs/reference/oauth.md#authorization). */
export const refusedPage = (reason: Reason, requestId: string): Page =>
  messagePage('This app cannot be allowed', messages[reason], requestId);

/** For an app or a membership that ended while the page was open. */
export const endedPage = (requestId: string): Page =>
  messagePage(
    'This app cannot be allowed',
    'The app has been revoked meanwhile, or you are no longer a member of the organization. Nothing was shared.',
    requestId,
  );
