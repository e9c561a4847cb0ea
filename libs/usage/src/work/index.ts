export { type RefusedCaller } from './refusal-counts';
export { RefusalRecorder } from './refusal-recorder';
