export { AccessTokenSigner, type SignAccessToken } from './access-token-signer';
export { AccessTokenVerifier } from './access-token-verifier';
export { jwks, newSigningKey } from './signing-key';
