export { ApiModule, type ApiRuntime } from './api.module';
export { type Actor, type Caller } from './caller';
export {
  type AccessFacts,
  type AccessTokenReader,
  type CallerDirectory,
  type KeyFacts,
  type Membership,
  type SessionFacts,
} from './callers/caller-directory';
export { answerHeaders } from './document/answer-headers';
export { emptyAnswer, jsonAnswer, textAnswer } from './document/described-answers';
export { type DocumentedRoutes } from './document/documented-routes';
export { errorAnswers, messagesForm } from './document/error-answers';
export { healthRoutes } from './document/health-routes';
export { SESSION_COOKIE } from './callers/credential';
export {
  id,
  line,
  name,
  nanosAmount,
  pointInTime,
  presentTime,
  presentTimeOrNull,
  timestamp,
} from './fields';
export { type Page, type Slice } from './page';
export { unknownResource } from './read-call';
export { OperatorResource, Resource } from './resource';
export { type Call } from './route';
export { validated } from './validation';
export { ifMatch, requireVersion, type IfMatch } from './version-tag';
export { Act, ActWith, Change, Create, Get, List, Remove, Replace } from './verbs';
