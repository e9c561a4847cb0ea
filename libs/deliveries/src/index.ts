export { judgeAnswer } from './rules/answers/judge-answer';
export {
  integrationKinds,
  isMessageKind,
  messageKinds,
  type IntegrationKind,
} from './rules/configuration/integration-kinds';
export {
  readConfiguration,
  type Configuration,
  type ConfigurationSecret,
  type GivenConfiguration,
} from './rules/configuration/read-configuration';
export { type IntegrationNotice } from './rules/messages/notice';
export { DEFAULT_EVENT_TYPES, isSentTo } from './rules/messages/subscription';
export { renderMessage } from './rules/rendering/render-message';
