import { createHash, randomBytes } from 'node:crypto';
import { type MemberBrowser } from './member-browser';
import { type Json } from '@svc/testing';
import { CALLBACK, SCOPES, type ApiAnswer, type RegisteredApp } from './oauth-app';

interface AppTokens {
  readonly access: string;
  readonly refresh: string;
}

/** An app's own server without a library: it can send what libraries never do. */
export class AppClient {
  constructor(
    private readonly app: RegisteredApp,
    private readonly issuer: string,
  ) {}

  /** A code of a member's consent, and its verifier. */
  async newCode(member: MemberBrowser): Promise<{ readonly code: string; readonly verifier: string }> {
    const verifier = randomBytes(32).toString('base64url');
    const query = {
      client_id: this.app.clientId,
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: SCOPES.join(' '),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    };
    const url = `${this.issuer}/auth/oauth/authorize?${new URLSearchParams(query).toString()}`;
    const back = await member.consent(url);
    return { code: back.searchParams.get('code') ?? '', verifier };
  }

  /** @param at the URL of the process to call. */
  exchange({ code, verifier }: { code: string; verifier: string }, at: string): Promise<ApiAnswer> {
    const fields = { code, code_verifier: verifier, redirect_uri: CALLBACK };
    return this.token({ grant_type: 'authorization_code', ...fields }, at);
  }

  refresh(refreshToken: string, at: string): Promise<ApiAnswer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken }, at);
  }

  private async token(fields: Readonly<Record<string, string>>, at: string): Promise<ApiAnswer> {
    const { clientId, clientSecret } = this.app;
    const client = { client_id: clientId, ...(clientSecret === null ? {} : { client_secret: clientSecret }) };
    const answer = await fetch(`${at}/api/v1/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...client, ...fields }),
    });
    return { status: answer.status, body: (await answer.json()) as Json };
  }
}

export function tokensIn({ status, body }: ApiAnswer): AppTokens {
  if (status !== 200) throw new Error(`No tokens: ${JSON.stringify(body)}`);
  return { access: body.access_token, refresh: body.refresh_token };
}
