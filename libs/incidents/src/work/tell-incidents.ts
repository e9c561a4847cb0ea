import { LeaseLostError } from '@svc/database';
import { type Logger } from '@svc/runtime/observability';
import { reliesOn } from '../rules/relies-on';
import { type LimitedOrganization } from '../store/affected-search';
import { type IncidentFanOut } from './incident-fan-out';
import { factsOf, type CatalogFacts } from './catalog-facts';

/** Tells one incident to organizations, as far as a lease goes. */
export async function tellIncidents(
  fanOut: IncidentFanOut,
  { catalog }: Pick<CatalogFacts, 'catalog'>,
  logger: Logger,
): Promise<{ readonly more: boolean }> {
  const lease = await fanOut.claim();
  if (lease === null) return { more: false };
  try {
    await fanOut.run(lease, (organization, scope) => {
      const facts = readableFacts(organization, logger);
      return facts !== null && reliesOn(catalog(), facts, scope);
    });
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error;
    logger.warn({ incident_id: lease.id }, 'another worker took the incident over');
  }
  return { more: true };
}

/** A policy that cannot be read must not keep an incident from everybody else. */
function readableFacts(organization: LimitedOrganization, logger: Logger) {
  try {
    return factsOf(organization);
  } catch (error) {
    logger.warn({ organization_id: organization.organizationId, err: error }, 'a policy could not be read');
    return null;
  }
}
