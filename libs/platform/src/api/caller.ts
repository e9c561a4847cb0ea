import { type Permission, type Scope } from '@svc/identity';

/** Who a change is attributed to in the audit log. */
export interface Actor {
  readonly type: 'user' | 'api_key' | 'oauth_app' | 'operator' | 'system';
  readonly id: string | null;
}

/** Whoever calls the management API, whatever the credential (contract.md section 4). */
export interface Caller {
  /** The organization that the call is about. */
  readonly organizationId: string;
  readonly actor: Actor;
  /** The user behind a console session or an access token; null for an API key. */
  readonly userId: string | null;
  /** The one project that a project's key may see; null for all of them. */
  readonly projectId: string | null;
  /** What the credential allows AND, where a member calls, what the member's role allows right now. */
  readonly permissions: ReadonlySet<Permission>;
  /** Scopes of an access token; null for other credentials, which no scope narrows. */
  readonly scopes: ReadonlySet<Scope> | null;
  /** Of the HTTP request, for the audit log. */
  readonly requestId: string;
}
