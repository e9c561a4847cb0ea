import { Controller, HttpCode, Post, Req, UseFilters } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { clientAddressOf } from '@svc/http';
import { AnswerOauthErrors } from '../token/answer-oauth-errors';
import { ClientAuthenticator, ClientRefused } from '../token/client-authenticator';
import { TokenRevocation } from './token-revocation';

type Fields = Readonly<Record<string, unknown>>;

/**
 * `POST /api/v1/oauth/revoke`. Always 200 with a JSON body, which clients require (docs/reference/oauth.md#revocation).
 * A wrong secret gets it too, and revokes nothing.
 */
@Controller('api/v1/oauth/revoke')
@UseFilters(AnswerOauthErrors)
export class RevokeController {
  constructor(
    private readonly clients: ClientAuthenticator,
    private readonly revocation: TokenRevocation,
  ) {}

  @Post()
  @HttpCode(200)
  async revoke(@Req() call: FastifyRequest): Promise<object> {
    const body = (call.body ?? {}) as Fields;
    const { token: text } = body;
    if (typeof text !== 'string') return {};
    const client = await this.clientOf(call, body);
    if (client.kind === 'refused') return {};
    await this.revocation.revoke(text, { appId: client.appId, requestId: call.id });
    return {};
  }

  private async clientOf(
    call: FastifyRequest,
    body: Fields,
  ): Promise<{ readonly kind: 'known'; readonly appId: string | null } | { readonly kind: 'refused' }> {
    const { authorization } = call.headers;
    const { client_id: id, client_secret: secret } = body;
    if (!authorization && !id && !secret) return { kind: 'known', appId: null };
    try {
      const shown = { authorization, body, address: clientAddressOf(call), requestId: call.id };
      return { kind: 'known', appId: (await this.clients.authenticate(shown)).id };
    } catch (error) {
      if (error instanceof ClientRefused) return { kind: 'refused' };
      throw error;
    }
  }
}
