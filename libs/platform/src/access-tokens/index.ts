export { AccessTokenSigner, type SignAccessToken } from './access-token-signer';
export { AccessTokenVerifier } from './access-token-verifier';
export {
  jwks,
  newSigningKey,
  SIGNING_ALGORITHM,
  type PublicJwk,
  type PublishedKey,
  type PublishedKeySource,
  type SigningKey,
  type SigningKeySource,
} from './signing-key';
