import { type Clock, GatewayError, type NewSpanId } from '@svc/kernel';
import { type Logger } from '@svc/runtime/observability';
import { anthropicHeadersIn } from '@svc/protocol';
import { traceOf, type CallTrace } from '../../call/call-trace';
import { type InputTokenCount } from '../../counting/input-tokens';
import { tooManyCounts } from '../../counting/prompt-counter';
import { FairSlots } from '../../fairness/fair-slots';
import { type CallParser } from '../../parsing/call-parser';
import { type Authenticator } from '../../pipeline/authenticate';
import { type ProjectResolver } from '../../pipeline/resolve-project';
import { type PolicyCaller } from '../../policy/policies';
import { type CallRefusals } from '../../refusals/call-refusals';
import { answerError } from './answer-error';
import { type ArrivedCall, type EntryRoute } from './entry';

interface TokenCountsOptions {
  readonly authenticator: Authenticator;
  readonly projects: ProjectResolver;
  readonly parser: CallParser;
  readonly inputTokens: InputTokenCount;
  readonly refusals: Pick<CallRefusals, 'note'>;
  readonly clock: Clock;
  readonly newSpanId: NewSpanId;
  readonly logger: Logger;
}

type Facts = Record<string, unknown>;
type ArrivedCount = ArrivedCall & { readonly trace: CallTrace | null };

/** Counts in flight. Counting is free, so only this bounds it; no organization can take all slots. */
const COUNTS_MAX = 128;

/**
 * `POST /v1/messages/count_tokens`, which Anthropic's SDK calls, also with `{base_url}/v1` as its base URL
 * (docs/reference/inference-and-compatibility.md). It costs nothing: no bucket, no hold, no record.
 */
export function tokenCounts(options: TokenCountsOptions): [string, EntryRoute][] {
  const slots = new FairSlots(COUNTS_MAX);
  const route: EntryRoute = {
    operation: 'messages',
    serve: (arrived) => serve(arrived, slots, options),
    refused: () => undefined,
  };
  return ['/v1/messages/count_tokens', '/v1/v1/messages/count_tokens'].map((path) => [path, route]);
}

async function serve(arrived: ArrivedCall, slots: FairSlots, options: TokenCountsOptions): Promise<void> {
  const { reply, headers } = arrived;
  const { clock, newSpanId, logger } = options;
  const receivedAtMs = clock.now();
  const trace = traceOf(headers, newSpanId);
  const facts: Facts = {
    trace_id: trace?.traceId,
    span_id: trace?.spanId,
    parent_span_id: trace?.parentSpanId,
  };
  try {
    const inputTokenCount = await count({ ...arrived, trace }, slots, facts, options);
    reply.sendJson([Buffer.from(JSON.stringify({ input_tokens: inputTokenCount }))]);
  } catch (thrown) {
    // The caller disconnected: there is nobody to answer, and nothing failed.
    if (reply.disconnected.aborted) return;
    const error = GatewayError.from(thrown);
    facts['error_code'] = error.code;
    answerError(reply, error, logger);
  } finally {
    const duration_ms = clock.now() - receivedAtMs;
    logger.info({ request_id: reply.requestId, route: 'count_tokens', ...facts, duration_ms }, 'token count');
  }
}

/**
 * @throws GatewayError in the order of an inference call: 401, 403, 404 for the project, 503 (in place of a call's 429,
 * which is about buckets), 400, 404 for the model.
 */
async function count(
  arrived: ArrivedCount,
  slots: FairSlots,
  facts: Facts,
  options: TokenCountsOptions,
): Promise<number> {
  const caller = await options.authenticator.authenticate(arrived.headers, arrived.origin);
  const { organizationId, apiKeyId } = caller;
  Object.assign(facts, { organization_id: organizationId, api_key_id: apiKeyId });
  let { projectId } = caller;
  try {
    projectId = await options.projects.resolve(caller, arrived.headers);
    return await countFor({ organizationId, projectId, apiKeyId }, arrived, slots, facts, options);
  } catch (thrown) {
    const model = typeof facts['model'] === 'string' ? facts['model'] : null;
    options.refusals.note({ organizationId, projectId, apiKeyId }, model, GatewayError.from(thrown));
    throw thrown;
  }
}

async function countFor(
  caller: PolicyCaller,
  { headers, body, reply, trace }: ArrivedCount,
  slots: FairSlots,
  facts: Facts,
  { parser, inputTokens }: TokenCountsOptions,
): Promise<number> {
  const { organizationId } = caller;
  const anthropic = anthropicHeadersIn(headers);
  if (!slots.hasSlotFor(organizationId)) throw tooManyCounts();
  const counted = await slots.run(organizationId, async () => {
    const bytes = await body.read(organizationId);
    const call = await parser.parse('count_tokens', bytes, organizationId, anthropic);
    facts['model'] = call.model;
    return inputTokens.of(call, { ...caller, disconnected: reply.disconnected, trace });
  });
  Object.assign(facts, { input_tokens: counted.inputTokens, counted_by: counted.countedBy });
  return counted.inputTokens;
}
