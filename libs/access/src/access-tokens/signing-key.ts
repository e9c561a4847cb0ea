import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';

/** The only algorithm for signing and verifying. */
export const SIGNING_ALGORITHM = 'EdDSA';

/** An Ed25519 public key (RFC 8037 section 2). */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
}

/** The public part of a signing key, which verifies. */
export interface PublishedKey {
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  readonly publicJwk: PublicJwk;
}

/** Leaves the process only encrypted. */
export interface SigningKey extends PublishedKey {
  readonly algorithm: typeof SIGNING_ALGORITHM;
  readonly privateJwk: PublicJwk & { readonly d: string };
}

/** The source of the signing key. */
export interface SigningKeySource {
  /** The key that signs now. */
  active(): Promise<SigningKey>;
}

/** The source of the keys for verification. */
export interface PublishedKeySource {
  /** The next, the active, and each retired key whose tokens may not have expired. */
  published(): Promise<readonly PublishedKey[]>;
}

export async function newSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { crv: 'Ed25519', extractable: true });
  const { x = '', d = '' } = await exportJWK(privateKey);
  const publicJwk: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x };
  const kid = await calculateJwkThumbprint(publicJwk);
  return { kid, algorithm: SIGNING_ALGORITHM, publicJwk, privateJwk: { ...publicJwk, d } };
}

/**
 * The body of `/.well-known/jwks.json` (RFC 7517 section 5). It lists each member, so that no private one can be
 * included by mistake.
 */
export const jwks = (keys: readonly PublishedKey[]) => ({
  keys: keys.map(({ kid, publicJwk: { kty, crv, x } }) => ({
    kid,
    kty,
    crv,
    x,
    alg: SIGNING_ALGORITHM,
    use: 'sig',
  })),
});
