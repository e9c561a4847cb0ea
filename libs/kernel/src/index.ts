export { errorCatalogue, type ErrorDefinition, type ErrorName } from './errors/catalogue';
export { GatewayError, type LineFault } from './errors/gateway-error';
export { errorEnvelope, errorHeaders, type ErrorEnvelope } from './errors/envelope';
export { addressListOf, isAddressListed, meetAddressLists, type AddressList } from './addresses/address-list';
export { isFault, parseAddressRange } from './addresses/address-range';
export { clientAddress, isTrustedProxy, type TrustedProxies } from './addresses/client-address';
export { formatIpAddress, parseIpAddress } from './addresses/ip-address';
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
