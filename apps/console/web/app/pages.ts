import { alertRoute, alertRuleRoute, alertsRoute } from '../pages/alerts/route';
import { approvalRoute, approvalsRoute } from '../pages/approvals/route';
import { auditRoute } from '../pages/audit/route';
import { budgetRoute, budgetsRoute } from '../pages/budgets/route';
import { exportsRoute } from '../pages/exports/route';
import { fineTuningEndpointRoute, fineTuningJobRoute, fineTuningRoute } from '../pages/fine-tuning/route';
import { incidentRoute, incidentsRoute } from '../pages/incidents/route';
import {
  integrationDeliveriesRoute,
  integrationDeliveryRoute,
  integrationRoute,
  integrationsRoute,
} from '../pages/integrations/route';
import { keyRoute, keysRoute } from '../pages/keys/route';
import { membersRoute } from '../pages/members/route';
import { modelRoute, modelsRoute } from '../pages/models/route';
import { oauthAppRoute, oauthAppsRoute } from '../pages/oauth-apps/route';
import { overviewRoute } from '../pages/overview/route';
import { playgroundRoute } from '../pages/playground/route';
import { projectRoute, projectsRoute } from '../pages/projects/route';
import { credentialsRoute } from '../pages/provider-credentials/route';
import { policyVersionRoute, routingRoute } from '../pages/routing/route';
import { requestRoute, requestsRoute } from '../pages/requests/route';
import { settingsRoute } from '../pages/settings/route';
import { startRoute } from '../pages/start/route';
import { walletRoute } from '../pages/wallet/route';
import {
  deliveriesRoute,
  deliveryRoute,
  endpointRoute,
  pastedDeliveryRoute,
  webhooksRoute,
} from '../pages/webhooks/route';

/**
 * Every page, in the order of the navigation. A page's `route.ts` declares its address, its name and the permission it
 * needs; only pages that work are listed.
 */
export const pages = [
  overviewRoute,
  startRoute,
  requestsRoute,
  requestRoute,
  playgroundRoute,
  modelsRoute,
  modelRoute,
  fineTuningRoute,
  fineTuningJobRoute,
  fineTuningEndpointRoute,
  exportsRoute,
  incidentsRoute,
  incidentRoute,
  routingRoute,
  policyVersionRoute,
  keysRoute,
  keyRoute,
  projectsRoute,
  projectRoute,
  budgetsRoute,
  budgetRoute,
  credentialsRoute,
  alertsRoute,
  alertRuleRoute,
  alertRoute,
  walletRoute,
  webhooksRoute,
  endpointRoute,
  deliveriesRoute,
  deliveryRoute,
  pastedDeliveryRoute,
  integrationsRoute,
  integrationRoute,
  integrationDeliveriesRoute,
  integrationDeliveryRoute,
  oauthAppsRoute,
  oauthAppRoute,
  membersRoute,
  approvalsRoute,
  approvalRoute,
  auditRoute,
  settingsRoute,
] as const;
