import { type ModelEndpoint } from '@svc/catalog';
import { takesAnthropicHeaders } from '@svc/policy';
import { renderAnthropicHeaders, type ParsedCall } from '@svc/protocol';
import { type CallTrace } from '../call/call-trace';
import { type Header } from '../providers/provider-dialect';

const NO_HEADERS: readonly Header[] = [];

/** The headers of this call only: its trace, and Anthropic's headers where the endpoint takes them. */
export function headersForEndpoint(
  { operation, anthropic }: ParsedCall,
  endpoint: ModelEndpoint,
  trace: CallTrace | null,
): readonly Header[] {
  const own = takesAnthropicHeaders(endpoint, operation) ? renderAnthropicHeaders(anthropic) : NO_HEADERS;
  return trace === null ? own : [...trace.headersOfAttempt(), ...own];
}
