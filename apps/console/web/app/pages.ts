import { lazyRouteComponent, type AnyRoute, type RouteComponent } from '@tanstack/react-router';
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
import { refusalsRoute } from '../pages/refusals/route';
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
 * The route with its page, whose code is loaded when it is first opened. A page reads its address by its route, so the route
 * cannot import the page.
 */
function shows<R extends AnyRoute, Name extends string>(
  route: R,
  load: () => Promise<Readonly<Record<Name, RouteComponent>>>,
  name: Name,
): R {
  return route.update({ component: lazyRouteComponent(load, name) });
}

// The pages of one file (`vite.config.ts`) have one import, so that the first file names each file once.
const alerts = () => import('./page-files/alerts');
const fineTuning = () => import('./page-files/fine-tuning');
const keys = () => import('./page-files/keys');
const members = () => import('./page-files/members');
const models = () => import('./page-files/models');
const requests = () => import('./page-files/requests');
const routing = () => import('./page-files/routing');
const wallet = () => import('./page-files/wallet');
const webhooks = () => import('./page-files/webhooks');

/**
 * Every page, in the order of the navigation. A page's `route.ts` declares its address, its name and the permission it
 * needs; only pages that work are listed.
 */
export const pages = [
  shows(overviewRoute, () => import('../pages/overview/overview-page'), 'OverviewPage'),
  shows(startRoute, models, 'StartPage'),
  shows(requestsRoute, requests, 'RequestsPage'),
  shows(requestRoute, requests, 'RequestPage'),
  shows(refusalsRoute, requests, 'RefusalsPage'),
  shows(playgroundRoute, models, 'PlaygroundPage'),
  shows(modelsRoute, models, 'ModelsPage'),
  shows(modelRoute, models, 'ModelPage'),
  shows(fineTuningRoute, fineTuning, 'FineTuningPage'),
  shows(fineTuningJobRoute, fineTuning, 'JobPage'),
  shows(fineTuningEndpointRoute, fineTuning, 'EndpointPage'),
  shows(exportsRoute, wallet, 'ExportsPage'),
  shows(incidentsRoute, alerts, 'IncidentsPage'),
  shows(incidentRoute, alerts, 'IncidentPage'),
  shows(routingRoute, routing, 'RoutingPage'),
  shows(policyVersionRoute, routing, 'VersionPage'),
  shows(keysRoute, keys, 'KeysPage'),
  shows(keyRoute, keys, 'KeyPage'),
  shows(projectsRoute, keys, 'ProjectsPage'),
  shows(projectRoute, keys, 'ProjectPage'),
  shows(budgetsRoute, wallet, 'BudgetsPage'),
  shows(budgetRoute, wallet, 'BudgetPage'),
  shows(credentialsRoute, keys, 'CredentialsPage'),
  shows(alertsRoute, alerts, 'AlertsPage'),
  shows(alertRuleRoute, alerts, 'RulePage'),
  shows(alertRoute, alerts, 'AlertPage'),
  shows(walletRoute, wallet, 'WalletPage'),
  shows(webhooksRoute, webhooks, 'WebhooksPage'),
  shows(endpointRoute, webhooks, 'EndpointPage'),
  shows(deliveriesRoute, webhooks, 'DeliveriesPage'),
  shows(deliveryRoute, webhooks, 'DeliveryPage'),
  shows(pastedDeliveryRoute, webhooks, 'PastedDeliveryPage'),
  shows(integrationsRoute, webhooks, 'IntegrationsPage'),
  shows(integrationRoute, webhooks, 'IntegrationPage'),
  shows(integrationDeliveriesRoute, webhooks, 'IntegrationDeliveriesPage'),
  shows(integrationDeliveryRoute, webhooks, 'IntegrationDeliveryPage'),
  shows(oauthAppsRoute, webhooks, 'OauthAppsPage'),
  shows(oauthAppRoute, webhooks, 'OauthAppPage'),
  shows(membersRoute, members, 'MembersPage'),
  shows(approvalsRoute, members, 'ApprovalsPage'),
  shows(approvalRoute, members, 'ApprovalPage'),
  shows(auditRoute, members, 'AuditPage'),
  shows(settingsRoute, members, 'SettingsPage'),
] as const;
