import { secretHash } from '@svc/access';
import { type Clock } from '@svc/kernel';
import { type UserSession, type UserSessionStore } from '@svc/access/store';
import { type LiveSession } from '../session/console-sessions';

export interface ShownSession extends UserSession {
  /** True where this call came with it. */
  readonly isCurrent: boolean;
}

/** The caller's live sessions (docs/reference/sessions-and-members.md#own-sessions). */
export class UserSessions {
  constructor(
    private readonly store: UserSessionStore,
    private readonly clock: Clock,
  ) {}

  /** The newest hundred, newest first. */
  async list(own: LiveSession): Promise<readonly ShownSession[]> {
    const owner = ownerOf(own);
    const sessions = await this.store.listSessions(owner, this.clock.now());
    return sessions.map((session) => ({ ...session, isCurrent: session.sha256.equals(owner.sha256) }));
  }

  /** @returns false where the user has no live session with this id. */
  end(own: LiveSession, id: string): Promise<boolean> {
    return this.store.endSession(ownerOf(own), id, this.clock.now());
  }

  endOthers(own: LiveSession): Promise<void> {
    return this.store.endOthers(ownerOf(own), this.clock.now());
  }
}

const ownerOf = ({ userId, secret }: LiveSession) => ({ userId, sha256: secretHash(secret) });
