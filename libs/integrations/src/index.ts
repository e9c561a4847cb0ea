export { judgeAnswer, RETRY_AFTER_MAX_SECONDS, retryAfterSeconds } from './answers/judge-answer';
export {
  integrationKinds,
  isMessageKind,
  messageKinds,
  type IntegrationKind,
  type MessageKind,
} from './configuration/integration-kinds';
export {
  readConfiguration,
  type Configuration,
  type ConfigurationSecret,
  type GivenConfiguration,
} from './configuration/read-configuration';
export { DEFAULT_EVENT_TYPES, isSentTo } from './messages/subscription';
export { type IntegrationNotice } from './messages/notice';
export { renderMessage } from './rendering/render-message';
