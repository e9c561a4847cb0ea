import { useEffect, useMemo } from 'react';
import { ApiError } from '../../api/api-error';
import { type OrganizationApi } from '../../api/client';
import { type components } from '../../api/generated/management';
import { useApi } from '../../api/use-api';
import { useSession } from '../../session/session-store';

type MintedApiKey = components['schemas']['MintedApiKey'];

const LIFETIME_MS = 3_600_000;
/** A key that ends before a call could begin is not used. */
const SPARE_MS = 60_000;
/** Enough for a person with three models side by side. */
const CALLS_PER_MINUTE = 60;
const NAME_MAX = 100;

export interface PlaygroundKey {
  /**
   * The secret of a key of the project, made when there is none.
   * @throws ApiError, UnreachableError
   */
  readonly secretFor: (projectId: string | null) => Promise<string>;
  /** Makes another one next time: this one is no longer taken. */
  readonly forget: (secret: string) => Promise<void>;
}

/** The key that the page calls with. It lives in memory only, and is revoked when the page is left. */
export function usePlaygroundKey(): PlaygroundKey {
  const api = useApi();
  const { email } = useSession().user;
  const holder = useMemo(() => new KeyHolder(api, email), [api, email]);
  useEffect(() => {
    const leave = () => holder.leave();
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [holder]);
  return holder;
}

interface HeldKey {
  readonly projectId: string | null;
  readonly endsAtMs: number;
  readonly minted: Promise<MintedApiKey>;
}

class KeyHolder implements PlaygroundKey {
  private held: HeldKey | null = null;

  constructor(
    private readonly api: OrganizationApi,
    private readonly email: string,
  ) {}

  secretFor = async (projectId: string | null): Promise<string> => {
    if (this.held?.projectId !== projectId || this.held.endsAtMs < Date.now() + SPARE_MS)
      this.held = { projectId, endsAtMs: Date.now() + LIFETIME_MS, minted: this.mint(projectId) };
    const { held } = this;
    try {
      return (await held.minted).key;
    } catch (error) {
      if (this.held === held) this.held = null;
      throw error;
    }
  };

  forget = async (secret: string): Promise<void> => {
    const { held } = this;
    const known = await held?.minted.catch(() => null);
    // Calls side by side may all be refused with the same key.
    if (this.held === held && known?.key === secret) this.held = null;
  };

  leave(): void {
    const { held } = this;
    this.held = null;
    // A key that cannot be revoked ends by itself within the hour; the next key of the user revokes it before.
    void held?.minted.then(({ api_key: { id } }) => this.revoke(id)).catch(() => undefined);
  }

  /** The service revokes the user's earlier playground key in the same transaction. */
  private async mint(projectId: string | null): Promise<MintedApiKey> {
    const body = {
      name: `Playground · ${this.email}`.slice(0, NAME_MAX),
      project_id: projectId,
      scopes: ['inference:invoke' as const],
      purpose: 'playground' as const,
      rate_limit_rpm: CALLS_PER_MINUTE,
    };
    const expiresAt = new Date(Date.now() + LIFETIME_MS).toISOString();
    try {
      return await this.api.post('/keys', { body: { ...body, expires_at: expiresAt } });
    } catch (error) {
      // The browser's clock is ahead. Without a time the service takes the hour by its own clock.
      if (error instanceof ApiError && error.param === 'expires_at') return this.api.post('/keys', { body });
      throw error;
    }
  }

  private revoke(id: string): Promise<unknown> {
    return this.api.delete('/keys/{key_id}', { params: { path: { key_id: id } }, keepalive: true });
  }
}
