import { type Permission, type Scope } from '@svc/access';
import { type Actor } from '@svc/kernel';

/**
 * The holder of a credential, and what it allows in each organization: known before the call's organization is chosen.
 */
export interface CallerIdentity {
  readonly actor: Actor;
  readonly userId: string | null;
  readonly projectId: string | null;
  readonly scopes: ReadonlySet<Scope> | null;
  readonly organizations: ReadonlyMap<string, ReadonlySet<Permission>>;
  /** True where a text is the session's CSRF token; null where no browser adds the credential by itself. */
  readonly provesOrigin: ((csrfToken: string) => boolean) | null;
}
