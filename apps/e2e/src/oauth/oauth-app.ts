import { type Json } from '@svc/testing';
import { type AnySvc } from '../harness/svc-process';

/** Nothing listens there: specs read the redirect. */
export const CALLBACK = 'http://localhost:49152/callback';

export interface RegisteredApp {
  readonly id: string;
  readonly clientId: string;
  /** Null for a public app. */
  readonly clientSecret: string | null;
}

export const SCOPES = ['openid', 'email', 'usage:read', 'projects:write'] as const;

/** Registers an app with an API key of the organization's owner. */
export async function registerApp(
  svc: AnySvc,
  appType: 'public' | 'confidential',
  name = 'Cost charts',
): Promise<RegisteredApp> {
  const { status, body } = await callApi(svc.baseUrl, 'POST', '/api/v1/oauth-apps', svc.apiKey, {
    name,
    app_type: appType,
    redirect_uris: [CALLBACK],
    scopes: SCOPES,
    homepage: 'https://charts.example',
  });
  if (status !== 201) throw new Error(`The app was not registered: ${JSON.stringify(body)}`);
  return { id: body.app.id, clientId: body.app.client_id, clientSecret: body.client_secret };
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: Json;
}

/** A management call by API key or access token. */
export async function callApi(
  baseUrl: string,
  method: string,
  path: string,
  bearer: string,
  body?: object,
): Promise<ApiAnswer> {
  const answer = await fetch(baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as Json) };
}
