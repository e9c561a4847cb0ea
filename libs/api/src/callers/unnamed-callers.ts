import { type FastifyInstance } from 'fastify';
import { pathOf } from '@svc/http';
import { credentialIn } from '../credential';
import { unknownCaller } from './authentication';

const GUARDED = ['/api/', '/platform/', '/v1/'];
/** Where the body says who calls (RFC 6749 section 2.3.1, RFC 7009 section 2.1). */
const NAMED_IN_BODY = new Set(['/api/v1/oauth/token', '/api/v1/oauth/revoke']);

/** Refuses a call without any credential before its body is read. Whose credential it is the guards find out. */
export function refuseUnnamedCallers(server: FastifyInstance): void {
  server.addHook('preParsing', (request, _reply, _payload, done) => {
    if (isRefused(pathOf(request.raw), request.method) && credentialIn(request.headers) === null)
      throw unknownCaller();
    done();
  });
}

/** The answer to a GET can be public, and it has no body. */
const isRefused = (path: string, method: string): boolean =>
  method !== 'GET' &&
  method !== 'HEAD' &&
  GUARDED.some((root) => path.startsWith(root)) &&
  !NAMED_IN_BODY.has(path);
