export { errorCatalogue, type ErrorDefinition, type ErrorName } from './errors/catalogue';
export { GatewayError, type LineFault } from './errors/gateway-error';
export { errorEnvelope, errorHeaders, type ErrorEnvelope } from './errors/envelope';
export { type Actor } from './actor';
export { type Clock } from './clock';
export {
  isJsonInteger,
  jsonInteger,
  parseExactJson,
  parseJsonWithSource,
  type JsonInteger,
} from './exact-json';
export { canonicalJson, type JsonValue } from './canonical-json';
export { CONSOLE, withConsoleLinks } from './console-links';
export {
  formatId,
  isId,
  ID_ENTROPY_BYTES,
  idPrefixes,
  timeOfId,
  type Id,
  type IdKind,
  type NewId,
} from './ids';
export {
  addNanos,
  maxNanos,
  minNanos,
  nanos,
  nanosToJson,
  subtractNanos,
  ZERO_NANOS,
  type Nanos,
} from './money';
export { type Page, type Slice } from './paging/page';
export {
  formatTraceparent,
  readTraceContext,
  type NewSpanId,
  type TraceContext,
} from './trace-context/trace-context';
