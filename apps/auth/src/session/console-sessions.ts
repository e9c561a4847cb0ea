import { randomBytes } from 'node:crypto';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { SESSION_COOKIE } from '@svc/api';
import { formatSecret, isSecret, lifetimesMs, SECRET_ENTROPY_BYTES, secretHash } from '@svc/access';
import { type Clock } from '@svc/kernel';
import { type SessionRecord, type SessionStore, type UserRecord } from '@svc/access/store';
import { clientAddressOf } from '@svc/http';
import { type Cookies } from './cookies';

/** The caller's live session, with the secret that its CSRF token is derived from. */
export interface LiveSession extends SessionRecord {
  readonly secret: string;
}

/** Enough to recognize any browser. */
const USER_AGENT_MAX = 300;
const ADDRESS_MAX = 64;

/**
 * Console sessions and their cookie (docs/reference/sessions-and-members.md#the-session). The database stores only the
 * SHA-256 of a secret.
 */
export class ConsoleSessions {
  constructor(
    private readonly store: SessionStore,
    private readonly cookies: Cookies,
    private readonly clock: Clock,
  ) {}

  async read(call: FastifyRequest): Promise<LiveSession | null> {
    const secret = this.secretOf(call);
    if (secret === null) return null;
    const session = await this.store.findSession(secretHash(secret), this.clock.now());
    return session && { ...session, secret };
  }

  /**
   * Always begins a new session and ends the browser's old one, against session fixation: a secret that was planted
   * before the login is useless.
   * @returns null where the user's password has been changed since `user` was read.
   */
  async begin(
    call: FastifyRequest,
    reply: FastifyReply,
    { id: userId, passwordHash }: Pick<UserRecord, 'id' | 'passwordHash'>,
  ): Promise<LiveSession | null> {
    const nowMs = this.clock.now();
    const before = this.secretOf(call);
    if (before !== null) await this.store.revokeSession(secretHash(before), nowMs);
    const secret = formatSecret('session', randomBytes(SECRET_ENTROPY_BYTES));
    const sha256 = secretHash(secret);
    const isBegun = await this.store.createSession({
      sha256,
      userId,
      passwordHash,
      userAgent: call.headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? null,
      address: clientAddressOf(call).slice(0, ADDRESS_MAX),
      nowMs,
      expiresAtMs: nowMs + lifetimesMs.session,
    });
    if (!isBegun) return null;
    this.cookies.set(reply, SESSION_COOKIE, secret, lifetimesMs.session / 1000);
    const session = await this.store.findSession(sha256, nowMs);
    if (session === null) throw new Error('A session that was just made is not there');
    return { ...session, secret };
  }

  async end(reply: FastifyReply, session: LiveSession): Promise<void> {
    await this.store.revokeSession(secretHash(session.secret), this.clock.now());
    this.cookies.clear(reply, SESSION_COOKIE);
  }

  private secretOf(call: FastifyRequest): string | null {
    const secret = this.cookies.read(call, SESSION_COOKIE);
    return secret !== null && isSecret('session', secret) ? secret : null;
  }
}
