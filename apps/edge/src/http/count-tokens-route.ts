import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Clock, GatewayError } from '@svc/kernel';
import { type Logger } from '@svc/platform';
import { type InputTokenCount } from '../counting/input-tokens';
import { type CallParser } from '../parsing/call-parser';
import { type Authenticator } from '../pipeline/authenticate';
import { type ProjectResolver } from '../pipeline/resolve-project';
import { ClientReply } from './client-reply';
import { type InFlight } from './in-flight';
import { readBody } from './read-body';

export interface CountTokensOptions {
  readonly authenticator: Authenticator;
  readonly projects: ProjectResolver;
  readonly parser: CallParser;
  readonly inputTokens: InputTokenCount;
  readonly inFlight: InFlight;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * `POST /v1/messages/count_tokens`, which Anthropic's SDK calls, also under the address that it makes of
 * `{base_url}/v1` (contract.md section 10). It costs nothing: no bucket, no hold, no record.
 */
export function mountCountTokensRoute(server: FastifyInstance, options: CountTokensOptions): void {
  void server.register((scope, _, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, parsed) => {
      parsed(null);
    });
    for (const path of ['/v1/messages/count_tokens', '/v1/v1/messages/count_tokens']) {
      scope.post(path, (request, reply) => {
        const client = new ClientReply(reply);
        return options.inFlight.track(client, count(request, reply, client, options));
      });
    }
    done();
  });
}

/** @throws GatewayError in the order of an inference call: 401, 403, 404 for the project, 400, 404 for the model. */
async function count(
  request: FastifyRequest,
  reply: FastifyReply,
  { left }: ClientReply,
  { authenticator, projects, parser, inputTokens, clock, logger }: CountTokensOptions,
): Promise<FastifyReply> {
  const receivedAtMs = clock.now();
  const facts: Record<string, unknown> = {};
  reply.header('request-id', request.id);
  try {
    const caller = await authenticator.authenticate(request.headers);
    const { organizationId, apiKeyId } = caller;
    Object.assign(facts, { organization_id: organizationId, api_key_id: apiKeyId });
    await projects.resolve(caller, request.headers);
    const call = await parser.parse('count_tokens', await readBody(request.raw));
    facts['model'] = call.model;
    const counted = await inputTokens.of(call, organizationId, left);
    Object.assign(facts, { input_tokens: counted.inputTokens, counted_by: counted.countedBy });
    return await reply.send({ input_tokens: counted.inputTokens });
  } catch (thrown) {
    // Nobody is there to hear of it, and it is no failure of ours.
    if (left.aborted) return reply.hijack();
    facts['error_code'] = GatewayError.from(thrown).code;
    throw thrown;
  } finally {
    const duration_ms = clock.now() - receivedAtMs;
    logger.info({ request_id: request.id, route: 'count_tokens', ...facts, duration_ms }, 'token count');
  }
}
