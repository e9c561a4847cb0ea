import * as openid from 'openid-client';
import { badgateway } from './badgateway-flow';
import { secretOf, type ClientFlow } from './client-flow';
import { mcpSdk } from './mcp-flow';
import { oauth4webapi, openidClient } from './openid-flows';
import { passportOauth2 } from './passport-flow';
import { simpleOauth2 } from './simple-oauth2-flow';

/** The common OAuth client libraries for Node.js, with each way of authentication. */
export const clientFlows: readonly ClientFlow[] = [
  openidClient('client_secret_basic', 'confidential', (app) => openid.ClientSecretBasic(secretOf(app))),
  openidClient('client_secret_post', 'confidential', (app) => openid.ClientSecretPost(secretOf(app))),
  openidClient('none', 'public', () => openid.None()),
  oauth4webapi,
  simpleOauth2('form', 'header'),
  simpleOauth2('form', 'body'),
  simpleOauth2('json', 'header'),
  simpleOauth2('json', 'body'),
  passportOauth2,
  badgateway('confidential', 'client_secret_basic'),
  badgateway('confidential', 'client_secret_basic_interop'),
  badgateway('confidential', 'client_secret_post'),
  badgateway('public', 'client_secret_post'),
  mcpSdk('confidential'),
  mcpSdk('public'),
];
