export { processVariables } from './config/process-variables';
export { baseUrlVariable, serviceVariables } from './config/service-variables';
export { SHORT_BODY_TIME, stopWatchingBody, watchBody, type BodyTime } from './server/body-time';
export {
  clientAddressOf,
  clientAddressReader,
  type ReadClientAddress,
  type RequestOrigin,
} from './server/client-address';
export { requireNoContentEncoding } from './server/content-encoding';
export { allowCrossOrigin } from './server/cross-origin';
export { errorAnswer } from './server/error-answer';
export { serveDirectly } from './server/front-door';
export { createHttpServer } from './server/http-server';
export { knownPathsOf } from './server/known-paths';
export { limitBodies } from './server/limit-bodies';
export { MountedAdapter } from './server/mounted-adapter';
export { networkOf } from './server/network';
export { pathOf } from './server/path-of';
export { headersForUnreadBody, letFinishSending, mayFinishSending } from './server/unread-body';
export { MailError, openConfiguredMailer, openMailer, type Mail, type Mailer } from './mail/mailer';
export { mountHealth, type Dependency } from './observability/health';
export { nestLogger } from './observability/nest-logger';
export { html, htmlText, type Html } from './pages/html';
export { brand, look } from './pages/look';
export { css, stylesheet } from './pages/stylesheet';
export { runService } from './service/run-service';
export { startListening } from './service/start-listening';
