export { followConfig } from './config/follow-config';
export { FollowedEnvironment } from './config/followed-environment';
export { processVariables } from './config/process-variables';
export { baseUrlVariable, serviceVariables } from './config/service-variables';
export { followFiles } from './files/follow-files';
export { ReloadedFiles } from './files/reloaded-files';
export { SHORT_BODY_TIME, stopWatchingBody, watchBody, type BodyTime } from './http/body-time';
export {
  clientAddressOf,
  clientAddressReader,
  type ReadClientAddress,
  type RequestOrigin,
} from './http/client-address';
export { requireNoContentEncoding } from './http/content-encoding';
export { allowCrossOrigin } from './http/cross-origin';
export { errorAnswer } from './http/error-answer';
export { serveDirectly } from './http/front-door';
export { createHttpServer } from './http/http-server';
export { knownPathsOf } from './http/known-paths';
export { limitBodies } from './http/limit-bodies';
export { MountedAdapter } from './http/mounted-adapter';
export { networkOf } from './http/network';
export { pathOf } from './http/path-of';
export { headersForUnreadBody, letFinishSending, mayFinishSending } from './http/unread-body';
export { MailError, openConfiguredMailer, openMailer, type Mail, type Mailer } from './mail/mailer';
export { mountHealth, type Dependency } from './observability/health';
export { nestLogger } from './observability/nest-logger';
export { html, htmlText, type Html } from './pages/html';
export { brand, look } from './pages/look';
export { css, stylesheet } from './pages/stylesheet';
export { logProcessEvents } from './service/log-process-events';
export { runService } from './service/run-service';
export { startListening } from './service/start-listening';
export { stopOnSignal } from './service/stop-on-signal';
