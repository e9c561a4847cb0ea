import { type Catalog, type Provider } from '@svc/catalog';
import { type OrganizationFacts, policyOf, readStoredPolicy } from '@svc/policy';
import { type LimitedOrganization } from '../store/affected-search';

/** The worker's facts about the models. */
export interface CatalogFacts {
  /** The catalog as last loaded. */
  readonly catalog: () => Catalog;
  /** True where this process has the platform's credential. Edges may have more of them. */
  readonly hasPlatformCredential: (provider: Provider) => boolean;
}

/** @param environment where the variables are that the catalog names. */
export const catalogFacts = (
  catalog: () => Catalog,
  environment: Readonly<Record<string, string | undefined>>,
): CatalogFacts => ({
  catalog,
  hasPlatformCredential: ({ credentialEnv }) =>
    credentialEnv?.some(({ env }) => Boolean(environment[env])) === true,
});

/**
 * The policy and providers of an organization. The worker need not have the platform's credentials, so it takes every provider for one
 * that the platform has a credential of: the policy alone tells what is left.
 * @throws GatewayError `internal` for a policy that cannot be read.
 */
export const factsOf = ({ document, ownProviders }: LimitedOrganization): OrganizationFacts => ({
  policy: policyOf(readStoredPolicy(document)),
  hasPlatformCredential: () => true,
  hasOwnCredential: ({ name }) => ownProviders.includes(name),
});
