import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { isApiKeySecret, isSecretOfHash, rolePermissions } from '@svc/access';
import { GatewayError } from '@svc/kernel';
import { clientAddressOf } from '@svc/http';
import { ORGANIZATION_PARAM } from '../organization-param';
import { letThrough } from './caller-guard';
import { OperatorGuesses } from './operator-guesses';

/** The operator's token. Later starts have only its SHA-256. */
export class OperatorToken {
  private sha256: Buffer | undefined;

  constructor(private readonly readSha256: () => Promise<Buffer>) {}

  async matches(text: string): Promise<boolean> {
    this.sha256 ??= await this.readSha256();
    return isSecretOfHash(text, this.sha256);
  }
}

/** Guards `/platform/v1`, which is for the operator alone (docs/reference/operator-api.md, Authentication). */
@Injectable()
export class OperatorGuard implements CanActivate {
  constructor(
    private readonly token: OperatorToken,
    private readonly guesses: OperatorGuesses,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp().getRequest<FastifyRequest>();
    void context.switchToHttp().getResponse<FastifyReply>().header('cache-control', 'no-store');
    const shown = /^bearer +(.+)$/i.exec(http.headers.authorization ?? '')?.[1] ?? '';
    // Who shows another credential, or none, does not guess.
    const isGuess = shown !== '' && !isApiKeySecret(shown) && !isJwt(shown);
    if (isGuess) this.guesses.requireRoom(clientAddressOf(http));
    if (!(await this.token.matches(shown))) {
      if (isGuess) this.guesses.count(clientAddressOf(http));
      throw new GatewayError('invalidApiKey', 'The operator’s token is missing or not valid.');
    }
    letThrough(http, {
      organizationId: (http.params as Record<string, string | undefined>)[ORGANIZATION_PARAM] ?? '',
      actor: { type: 'operator', id: null },
      userId: null,
      projectId: null,
      permissions: rolePermissions.owner,
      scopes: null,
      requestId: http.id,
    });
    return true;
  }
}

/** The form of an access token, whose first part is a JSON object. No operator's token looks like it. */
const isJwt = (text: string): boolean => /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/.test(text);
