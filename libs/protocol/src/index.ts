export { type AnswerAdditions } from './answer/answer-additions';
export { type PlainAnswer, readPlainAnswer, renderPlainAnswer } from './answer/plain-answer';
export { type AccountReference } from './call/account-references';
export {
  ANTHROPIC_BETA,
  type AnthropicHeaders,
  anthropicHeadersIn,
  betaNames,
  lostAnthropicHeaders,
  NO_ANTHROPIC_HEADERS,
  renderAnthropicHeaders,
} from './call/anthropic-headers';
export { countBody, readTokenCount } from './call/count-body';
export { type CallLabels, usageTagIn } from './call/call-labels';
export { conversationIn } from './call/conversation';
export { outputLimitParam } from './call/call-fields';
export {
  type CallRoute,
  generatesText,
  type GenerativeOperation,
  type Operation,
  OPERATIONS,
} from './call/operation';
export { type TakeMemory } from './translation/call/long-texts';
export { LONG_STRING_BYTES } from './json/outline';
export { weightOf } from './json/weight';
export { parseOutline } from './call/parse-body';
export { type CallContext, parseCall, type ParsedCall, parseOutlinedCall } from './call/parse-call';
export { type KeptData } from './call/kept-data';
export { type PricedFeature } from './call/priced-features';
export { sampleCall } from './call/sample-call';
export { promptText } from './call/prompt-text';
export { refusedPaths, type TakenValues, valuesForCallers } from './call/taken-values';
export { toolNameForm } from './call/tool-names';
export { type UnpaidOptions } from './call/unpaid-options';
export { upstreamBody, upstreamEdits } from './call/upstream-body';
export { type JsonRecord } from './json/byte-text';
export { renderError } from './errors/route-errors';
export { upstreamErrorMessage, upstreamErrorNames } from './errors/upstream-error';
export { type JsonMember, type JsonObjectSpan, topLevelMembers } from './json/top-level-members';
export { type MemberEdits, spliceMembers } from './json/splice';
export { modelEntry, type ModelEntry, modelListing } from './models/model-listing';
export { generatedText } from './output/answer-output';
export { type GeneratedPiece, isReasoning } from './output/generated-text';
export { type KeptOutput } from './output/kept-output';
export { callFingerprint } from './replay/call-fingerprint';
export { StreamRecorder } from './replay/stream-recorder';
export { ChatStreamRelay } from './stream/chat-stream-relay';
export { MessageStreamRelay } from './stream/message-stream-relay';
export { failureOfPlainAnswer } from './stream/plain-failure';
export { relayForCall } from './stream/relay-for-call';
export { keepAliveComment, streamErrorFrame } from './stream/service-frames';
export { type StreamFailure, type StreamRelay } from './stream/stream-relay';
export { relayWithCallersNames, withCallersNames } from './translation/restored-names';
export { translatePlainAnswer } from './translation/answer/translate-answer';
export {
  rewriteCall,
  rewriteLongCall,
  translateCall,
  translateLongCall,
  untranslatable,
} from './translation/call/translate-call';
export { type TranslationTarget } from './translation/call/translation-target';
export { type ChatForm } from './translation/chat-form';
export { type Loss, refusedMessage } from './translation/loss';
export { translatedRelayForCall } from './translation/stream/translated-relay';
export { usageReport } from './usage/usage-report';
export { usageOfChatCompletion } from './usage/chat-completion-usage';
export { laterMessageUsage, usageOfMessage } from './usage/message-usage';
export { plainUsage, promptTokensOf, type TokenUsage } from './usage/token-usage';
