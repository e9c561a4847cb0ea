export const text = {
  title: 'Operator',
  purpose: 'Console for the operator of this installation.',
  token: 'Operator’s token',
  tokenHint: 'The value of SVC_PLATFORM_TOKEN. It is kept in memory only. Reloading signs you out.',
  noToken: 'Enter the token.',
  noTokenLike: 'This is not a token. Check for spaces.',
  wrong: 'This is not the operator’s token of this installation.',
  signIn: 'Sign in',
  signOut: 'Sign out',
  failed: 'Signing in failed.',
  signedOut: 'You are signed out.',
  ended: {
    refused: 'The token is no longer valid',
    idle: 'You were signed out',
  },
  endedWhy: {
    refused: 'The token has changed. Enter the new one to continue. What you typed is kept.',
    idle: 'You were inactive for 30 minutes. Enter the token to continue. What you typed is kept.',
  },
} as const;
