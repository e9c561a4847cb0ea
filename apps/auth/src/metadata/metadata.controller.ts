import { Controller, Get, Header, Inject, UseFilters } from '@nestjs/common';
import { scopes } from '@svc/access';
import { SigningKeyStore } from '@svc/access/store';
import { jwks } from '@svc/access/access-tokens';
import { BASE_URL } from '../runtime';
import { AnswerOauthErrors } from '../token/answer-oauth-errors';

const AUTHENTICATION_METHODS = ['client_secret_basic', 'client_secret_post', 'none'];
/** A key is published long before it signs, so a client that reloads this often never sees an unknown key. */
const CACHED = 'public, max-age=300';

/** Metadata by which clients configure themselves (RFC 8414; RFC 7517). */
@Controller('.well-known')
@UseFilters(AnswerOauthErrors)
export class MetadataController {
  constructor(
    private readonly keys: SigningKeyStore,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  @Get('oauth-authorization-server')
  @Header('cache-control', CACHED)
  describe(): object {
    const { baseUrl } = this;
    return {
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/auth/oauth/authorize`,
      token_endpoint: `${baseUrl}/api/v1/oauth/token`,
      revocation_endpoint: `${baseUrl}/api/v1/oauth/revoke`,
      userinfo_endpoint: `${baseUrl}/api/v1/oauth/userinfo`,
      jwks_uri: `${baseUrl}/.well-known/jwks.json`,
      scopes_supported: scopes,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: AUTHENTICATION_METHODS,
      revocation_endpoint_auth_methods_supported: AUTHENTICATION_METHODS,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: false,
    };
  }

  @Get('jwks.json')
  @Header('cache-control', CACHED)
  async keySet(): Promise<object> {
    return jwks(await this.keys.published());
  }
}
