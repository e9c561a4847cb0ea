export { FakeClock } from './fake-clock';
export { sequentialIds } from './sequential-ids';
export { unmadeId } from './unmade-id';
export { eventually } from './eventually';
export { readSse, sseFrames, type SseFrame, type StreamedResponse } from './sse';
export { ScriptedUpstream, type ReceivedCall, type ScriptedAnswer } from './scripted-upstream';
export { collect } from './collect';
export { casesListedIn, casesTriedIn, type NumberedCase } from './numbered-cases';
export { AnswerValidator, type ReceivedAnswer } from './openapi/answer-validator';
export { lintOpenApi } from './openapi/lint-openapi';
export {
  namesIn,
  OpenApiDocument,
  type OpenApiOperation,
  type Parameter,
  type Schema,
} from './openapi/openapi-document';
