export { type AnswerAdditions } from './answer/answer-additions';
export { type PlainAnswer, readPlainAnswer, renderPlainAnswer } from './answer/plain-answer';
export { countBody, readTokenCount } from './call/count-body';
export { type CallRoute, type Operation } from './call/operation';
export { parseCall, type ParsedCall } from './call/parse-call';
export { promptText, type PromptText } from './call/prompt-text';
export { upstreamBody, type UpstreamTarget } from './call/upstream-body';
export { type MessagesErrorEnvelope, renderError } from './errors/route-errors';
export { upstreamErrorMessage } from './errors/upstream-error';
export { type JsonMember, type JsonObjectSpan, topLevelMembers } from './json/top-level-members';
export { type MemberEdits, spliceMembers } from './json/splice';
export {
  type ListedModel,
  modelEntry,
  type ModelEntry,
  modelListing,
  type ModelListing,
} from './models/model-listing';
export { callFingerprint } from './replay/call-fingerprint';
export { StreamRecorder } from './replay/stream-recorder';
export { ChatStreamRelay } from './stream/chat-stream-relay';
export { MessageStreamRelay } from './stream/message-stream-relay';
export { relayForCall } from './stream/relay-for-call';
export { keepAliveComment, streamErrorFrame } from './stream/service-frames';
export { type StreamFailure, type StreamRelay, type StreamState } from './stream/stream-relay';
export { translatePlainAnswer } from './translation/answer/translate-answer';
export {
  translateCall,
  type TranslatedCall,
  untranslatable,
  type WholeCall,
} from './translation/call/translate-call';
export { type TranslationTarget } from './translation/call/translation-target';
export { type Loss } from './translation/loss';
export { translatedRelayForCall } from './translation/stream/translated-relay';
export { usageOfChatCompletion } from './usage/chat-completion-usage';
export { laterMessageUsage, usageOfMessage } from './usage/message-usage';
export { type TokenUsage } from './usage/token-usage';
