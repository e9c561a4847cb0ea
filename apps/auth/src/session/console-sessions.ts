import { randomBytes } from 'node:crypto';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { formatSecret, isSecret, lifetimesMs, SECRET_ENTROPY_BYTES, secretHash } from '@svc/identity';
import { type Clock } from '@svc/kernel';
import { type SessionRecord, type SessionStore } from '@svc/persistence';
import { SESSION_COOKIE } from '@svc/platform/api';
import { type Cookies } from './cookies';

/** The live session of whoever calls, with the secret that its CSRF token is derived from. */
export interface LiveSession extends SessionRecord {
  readonly secret: string;
}

/** Console sessions and their cookie (contract.md section 4). The database has a secret's SHA-256 only. */
export class ConsoleSessions {
  constructor(
    private readonly store: SessionStore,
    private readonly cookies: Cookies,
    private readonly clock: Clock,
  ) {}

  async read(call: FastifyRequest): Promise<LiveSession | null> {
    const secret = this.secretOf(call);
    if (secret === null) return null;
    const session = await this.store.find(secretHash(secret), this.clock.now());
    return session && { ...session, secret };
  }

  /** Always a new session, and the browser's old one ends: a secret that was planted before the login is worth nothing. */
  async begin(call: FastifyRequest, reply: FastifyReply, userId: string): Promise<LiveSession> {
    const nowMs = this.clock.now();
    const before = this.secretOf(call);
    if (before !== null) await this.store.revoke(secretHash(before), nowMs);
    const secret = formatSecret('session', randomBytes(SECRET_ENTROPY_BYTES));
    const sha256 = secretHash(secret);
    await this.store.create({ sha256, userId, nowMs, expiresAtMs: nowMs + lifetimesMs.session });
    this.cookies.set(reply, SESSION_COOKIE, secret, lifetimesMs.session / 1000);
    const session = await this.store.find(sha256, nowMs);
    if (session === null) throw new Error('A session that was just made is not there');
    return { ...session, secret };
  }

  async end(reply: FastifyReply, session: LiveSession): Promise<void> {
    await this.store.revoke(secretHash(session.secret), this.clock.now());
    this.cookies.clear(reply, SESSION_COOKIE);
  }

  private secretOf(call: FastifyRequest): string | null {
    const secret = this.cookies.read(call, SESSION_COOKIE);
    return secret !== null && isSecret('session', secret) ? secret : null;
  }
}
