/** What the token route may refuse with (interface.md, OAuth token-endpoint errors). */
export type TokenErrorCode =
  'invalid_request' | 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type' | 'invalid_scope';

/** What the authorize route may send back to an app (RFC 6749 section 4.1.2.1). */
export type AuthorizationErrorCode =
  'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'access_denied';
