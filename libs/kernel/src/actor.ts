/** Who a change is attributed to in the audit log. */
export interface Actor {
  readonly type: 'user' | 'api_key' | 'oauth_app' | 'operator' | 'system';
  readonly id: string | null;
}
