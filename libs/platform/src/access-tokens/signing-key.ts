import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';

/** The one algorithm that we sign with and take. */
export const SIGNING_ALGORITHM = 'EdDSA';

/** An Ed25519 public key (RFC 8037 section 2). */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
}

/** What verifies: the half of a signing key that everybody may see. */
export interface PublishedKey {
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  readonly publicJwk: PublicJwk;
}

/** Never leaves the process but sealed. */
export interface SigningKey extends PublishedKey {
  readonly algorithm: typeof SIGNING_ALGORITHM;
  readonly privateJwk: PublicJwk & { readonly d: string };
}

/** Where the signing key comes from. */
export interface SigningKeySource {
  /** The key that signs now. */
  active(): Promise<SigningKey>;
}

/** Where verifying keys come from. */
export interface PublishedKeySource {
  /** The next, the active, and each retired key whose tokens may still live. */
  published(): Promise<readonly PublishedKey[]>;
}

export async function newSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { crv: 'Ed25519', extractable: true });
  const { x = '', d = '' } = await exportJWK(privateKey);
  const publicJwk: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x };
  const kid = await calculateJwkThumbprint(publicJwk);
  return { kid, algorithm: SIGNING_ALGORITHM, publicJwk, privateJwk: { ...publicJwk, d } };
}

/** What `/.well-known/jwks.json` answers (RFC 7517 section 5). Names each member, so that no private one can slip in. */
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
