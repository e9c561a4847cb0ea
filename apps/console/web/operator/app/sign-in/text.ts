export const text = {
  title: 'Operator',
  purpose: 'The operator’s console of this installation. Sign in with its token.',
  token: 'Operator’s token',
  tokenHint:
    'The service knows it as SVC_PLATFORM_TOKEN. It is kept in the memory of this page alone: loading it anew asks again.',
  noToken: 'Enter the token.',
  noTokenLike: 'This is no token: it has spaces, or letters that no token has.',
  wrong: 'This is not the operator’s token of this installation.',
  signIn: 'Sign in',
  signOut: 'Sign out',
  failed: 'Signing in failed.',
  signedOut: 'You are signed out.',
  ended: {
    refused: 'The token is not valid any more',
    idle: 'You were signed out',
  },
  endedWhy: {
    refused:
      'The service has another token by now. Enter it to go on where you were. What you typed is still there.',
    idle: 'Nothing was done here for 30 minutes. Enter the token to go on where you were. What you typed is still there.',
  },
} as const;
