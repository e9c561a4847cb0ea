import { type Execution, type GatedCall } from '@svc/approvals';
import { type Permission, type Scope } from '@svc/access';
import { type Actor } from '@svc/kernel';

/**
 * The caller of the management API, with any credential
 * (docs/reference/authentication-and-permissions.md, Credentials).
 */
export interface Caller {
  /** The organization that the call is about. */
  readonly organizationId: string;
  readonly actor: Actor;
  /** The user behind a console session or an access token; null for an API key. */
  readonly userId: string | null;
  /** The one project that a project's key may see; null for all of them. */
  readonly projectId: string | null;
  /** Permissions of the credential AND, where a member calls, of the member's current role. */
  readonly permissions: ReadonlySet<Permission>;
  /** Scopes of an access token; null for other credentials, which no scope narrows. */
  readonly scopes: ReadonlySet<Scope> | null;
  /** The HTTP request's id, for the audit log. */
  readonly requestId: string;
  /** The call itself, for a route that an approval policy can gate. */
  readonly call?: GatedCall;
  /** Set while an approved call is made. */
  readonly execution?: Execution;
}
