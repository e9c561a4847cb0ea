import { type Permission, type Scope } from '@svc/identity';
import { type Actor } from '../caller';

/** Who shows a credential, and what it allows in each organization: before a call says which one it is about. */
export interface CallerIdentity {
  readonly actor: Actor;
  readonly userId: string | null;
  readonly projectId: string | null;
  readonly scopes: ReadonlySet<Scope> | null;
  readonly organizations: ReadonlyMap<string, ReadonlySet<Permission>>;
  /** Whether a text is the session's CSRF token; null where no browser adds the credential by itself. */
  readonly provesOrigin: ((csrfToken: string) => boolean) | null;
}

// What passport calls a user is our caller.
declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- passport's types are extended this way
  namespace Express {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type
    interface User extends CallerIdentity {}
  }
}
