import { decideAutomaticIncidents } from '../rules/automatic-incidents';
import { judgeCircuits } from '../rules/judge-circuits';
import { type IncidentWatch } from './incident-watch';
import { type CatalogFacts } from './catalog-facts';

/** Opens, changes and ends automatic incidents as the circuits of the edges say. */
export async function watchCircuits(
  watch: IncidentWatch,
  { catalog, hasPlatformCredential }: CatalogFacts,
  afterMs: number,
): Promise<{ readonly more: boolean }> {
  await watch.review(({ circuits, incidents, now }) => {
    const open = judgeCircuits(catalog(), circuits, hasPlatformCredential);
    return decideAutomaticIncidents({ open, incidents, now, afterMs });
  });
  return { more: false };
}
