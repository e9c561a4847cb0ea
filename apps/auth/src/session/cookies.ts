import fastifyCookie from '@fastify/cookie';
import { type FastifyReply, type FastifyRequest } from 'fastify';

/**
 * Cookies for this origin's pages: no script reads them, no other site's form sends them. Only the plug-in's two
 * functions are used: its hooks would run on every route of a process, inference included.
 */
export class Cookies {
  private readonly attributes;

  constructor(private readonly secure: boolean) {
    this.attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  }

  read({ headers }: FastifyRequest, name: string): string | null {
    return fastifyCookie.parse(headers.cookie ?? '')[name] ?? null;
  }

  /** @param maxAgeSeconds a cookie without it lasts until the browser is closed. */
  set(reply: FastifyReply, name: string, value: string, maxAgeSeconds?: number): void {
    const age = maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds };
    reply.header('set-cookie', fastifyCookie.serialize(name, value, { ...this.attributes, ...age }));
  }

  clear(reply: FastifyReply, name: string): void {
    this.set(reply, name, '', 0);
  }

  /** With this prefix, browsers accept the cookie from this origin only, not from a sibling domain. */
  ownName(name: string): string {
    return this.secure ? `__Host-${name}` : name;
  }
}
