/** The context that a private key for signatures is sealed with. The start knows it too: by such a key it tries the master key. */
export const signingKeyContext = (kid: string): string => `signing_keys/${kid}`;
