export { FakeClock } from './fake-clock';
export { sequentialIds } from './sequential-ids';
export { eventually } from './eventually';
export { readSse, sseFrames, type SseFrame, type StreamedResponse } from './sse';
export { ScriptedUpstream, type ReceivedCall, type ScriptedAnswer } from './scripted-upstream';
export { collect } from './collect';
