import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Clock, GatewayError } from '@svc/kernel';
import { type Logger } from '@svc/platform';
import { FairPlaces } from '../counting/fair-places';
import { type InputTokenCount } from '../counting/input-tokens';
import { tooManyCounts } from '../counting/prompt-counter';
import { type CallParser } from '../parsing/call-parser';
import { type Authenticator } from '../pipeline/authenticate';
import { type ProjectResolver } from '../pipeline/resolve-project';
import { ClientReply } from './client-reply';
import { type InFlight } from './in-flight';
import { readBody } from './read-body';
import { withUnreadBodies } from './unread-bodies';

export interface CountTokensOptions {
  readonly authenticator: Authenticator;
  readonly projects: ProjectResolver;
  readonly parser: CallParser;
  readonly inputTokens: InputTokenCount;
  readonly inFlight: InFlight;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Counts under way at a time. What costs nothing is bounded by this alone: no organization can take it all. */
const COUNTS_MAX = 128;

/**
 * `POST /v1/messages/count_tokens`, which Anthropic's SDK calls, also under the address that it makes of
 * `{base_url}/v1` (contract.md section 10). It costs nothing: no bucket, no hold, no record.
 */
export function mountCountTokensRoute(server: FastifyInstance, options: CountTokensOptions): void {
  const places = new FairPlaces(COUNTS_MAX);
  withUnreadBodies(server, (scope) => {
    for (const path of ['/v1/messages/count_tokens', '/v1/v1/messages/count_tokens']) {
      scope.post(path, (request, reply) => {
        return count(request, reply, new ClientReply(reply), { ...options, places });
      });
    }
  });
}

/**
 * @throws GatewayError in the order of an inference call: 401, 403, 404 for the project, 503 where a call has its 429
 * (which tells of buckets), 400, 404 for the model.
 */
async function count(
  request: FastifyRequest,
  reply: FastifyReply,
  client: ClientReply,
  {
    authenticator,
    projects,
    places,
    parser,
    inputTokens,
    inFlight,
    clock,
    logger,
  }: CountTokensOptions & { readonly places: FairPlaces },
): Promise<FastifyReply> {
  inFlight.begin(client);
  const { left } = client;
  const receivedAtMs = clock.now();
  const facts: Record<string, unknown> = {};
  reply.header('request-id', request.id);
  try {
    const caller = await authenticator.authenticate(request.headers);
    const { organizationId, apiKeyId } = caller;
    Object.assign(facts, { organization_id: organizationId, api_key_id: apiKeyId });
    await projects.resolve(caller, request.headers);
    if (!places.hasRoomFor(organizationId)) throw tooManyCounts();
    const { inputTokens: inputTokenCount, countedBy } = await places.during(organizationId, async () => {
      const call = await parser.parse('count_tokens', await readBody(request.raw));
      facts['model'] = call.model;
      return inputTokens.of(call, organizationId, left);
    });
    Object.assign(facts, { input_tokens: inputTokenCount, counted_by: countedBy });
    return await reply.send({ input_tokens: inputTokenCount });
  } catch (thrown) {
    // Nobody is there to hear of it, and it is no failure of ours.
    if (left.aborted) return reply.hijack();
    facts['error_code'] = GatewayError.from(thrown).code;
    throw thrown;
  } finally {
    inFlight.end(client);
    const duration_ms = clock.now() - receivedAtMs;
    logger.info({ request_id: request.id, route: 'count_tokens', ...facts, duration_ms }, 'token count');
  }
}
