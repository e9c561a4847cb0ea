export { MANAGEMENT_RPM_DEFAULT } from './callers/caller-buckets';
export { ApiModule, type ApiRuntime } from './api.module';
export { anyOf } from './any-of';
export { type Caller } from './caller';
export { callerOf } from './callers/caller-guard';
export { OpenedByKey } from './callers/key-guard';
export { SESSION_COOKIE } from './credential';
export { documentOf } from './document/document-of';
export { healthRoutes } from './document/health-routes';
export {
  givenTime,
  id,
  idList,
  line,
  name,
  nanosAmount,
  nanosSum,
  NOT_ONE_LINE,
  nullByDefault,
  ONE_LINE,
  pointInTime,
  presentTime,
  presentTimeOrNull,
  timestamp,
} from './fields';
export { fileFields, fileListQuery, type trainingFile } from './file-routes/file-bodies';
export {
  fineTuningCheckpointQuery,
  fineTuningEventQuery,
  fineTuningJobQuery,
  newFineTuningJob,
  type fineTuningCheckpoint,
  type fineTuningEvent,
  type fineTuningJob,
} from './fine-tuning-routes/job-bodies';
export { fineTuningRoutes } from './fine-tuning-routes/job-routes';
export { gatedCallAs } from './gated-calls/gated-call-as';
export { inferenceRoutes } from './inference-routes/inference-routes';
export { unknownCursor } from './page';
export { known, unknownResource } from './read-call';
export { OperatorResource, Resource } from './resource';
export { presenter, recordFields } from './record-fields';
export { requireRoom } from './require-room';
export { type Call } from './route';
export { sessionRoutes } from './session-routes/session-routes';
export { ToErrorHandler } from './to-error-handler';
export { validated } from './validation';
export { Act, ActWith, Change, Create, Get, List, Remove, Replace } from './verbs';
export { ifMatch, requireVersion, type IfMatch } from './version-tag';
