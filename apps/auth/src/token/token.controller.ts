import { Controller, HttpCode, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { clientAddressOf } from '@svc/http';
import { AnswerOauthErrors } from './answer-oauth-errors';
import { ClientAuthenticator } from './client-authenticator';
import { fieldsOf, readTokenParameters } from './token-parameters';
import { TokenRequests } from './token-requests';

/** `POST /api/v1/oauth/token` (docs/reference/oauth.md#tokens). */
@Controller('api/v1/oauth/token')
@UseFilters(AnswerOauthErrors)
export class TokenController {
  constructor(
    private readonly clients: ClientAuthenticator,
    private readonly tokenRequests: TokenRequests,
  ) {}

  @Post()
  @HttpCode(200)
  async answer(
    @Req() call: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const body = fieldsOf(call.body);
    const parameters = readTokenParameters(body);
    const { authorization } = call.headers;
    const client = await this.clients.authenticate({
      authorization,
      body,
      address: clientAddressOf(call),
      requestId: call.id,
    });
    const answer = await this.tokenRequests.answer(client, parameters, call.id);
    if (answer.kind === 'refused') throw answer.error;
    void reply.header('pragma', 'no-cache');
    return answer.body;
  }
}
