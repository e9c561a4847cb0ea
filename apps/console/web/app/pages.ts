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

/**
 * Every page, in the order of the navigation. A page's `route.ts` declares its address, its name and the permission it
 * needs; only pages that work are listed.
 */
export const pages = [
  shows(overviewRoute, () => import('../pages/overview/overview-page'), 'OverviewPage'),
  shows(startRoute, () => import('../pages/start/start-page'), 'StartPage'),
  shows(requestsRoute, () => import('../pages/requests/requests-page'), 'RequestsPage'),
  shows(requestRoute, () => import('../pages/requests/request-page'), 'RequestPage'),
  shows(refusalsRoute, () => import('../pages/refusals/refusals-page'), 'RefusalsPage'),
  shows(playgroundRoute, () => import('../pages/playground/playground-page'), 'PlaygroundPage'),
  shows(modelsRoute, () => import('../pages/models/models-page'), 'ModelsPage'),
  shows(modelRoute, () => import('../pages/models/model-page'), 'ModelPage'),
  shows(fineTuningRoute, () => import('../pages/fine-tuning/fine-tuning-page'), 'FineTuningPage'),
  shows(fineTuningJobRoute, () => import('../pages/fine-tuning/job-page'), 'JobPage'),
  shows(fineTuningEndpointRoute, () => import('../pages/fine-tuning/endpoint-page'), 'EndpointPage'),
  shows(exportsRoute, () => import('../pages/exports/exports-page'), 'ExportsPage'),
  shows(incidentsRoute, () => import('../pages/incidents/incidents-page'), 'IncidentsPage'),
  shows(incidentRoute, () => import('../pages/incidents/incident-page'), 'IncidentPage'),
  shows(routingRoute, () => import('../pages/routing/routing-page'), 'RoutingPage'),
  shows(policyVersionRoute, () => import('../pages/routing/version-page'), 'VersionPage'),
  shows(keysRoute, () => import('../pages/keys/keys-page'), 'KeysPage'),
  shows(keyRoute, () => import('../pages/keys/key-page'), 'KeyPage'),
  shows(projectsRoute, () => import('../pages/projects/projects-page'), 'ProjectsPage'),
  shows(projectRoute, () => import('../pages/projects/project-page'), 'ProjectPage'),
  shows(budgetsRoute, () => import('../pages/budgets/budgets-page'), 'BudgetsPage'),
  shows(budgetRoute, () => import('../pages/budgets/budget-page'), 'BudgetPage'),
  shows(credentialsRoute, () => import('../pages/provider-credentials/credentials-page'), 'CredentialsPage'),
  shows(alertsRoute, () => import('../pages/alerts/alerts-page'), 'AlertsPage'),
  shows(alertRuleRoute, () => import('../pages/alerts/rule-page'), 'RulePage'),
  shows(alertRoute, () => import('../pages/alerts/alert-page'), 'AlertPage'),
  shows(walletRoute, () => import('../pages/wallet/wallet-page'), 'WalletPage'),
  shows(webhooksRoute, () => import('../pages/webhooks/webhooks-page'), 'WebhooksPage'),
  shows(endpointRoute, () => import('../pages/webhooks/endpoint-page'), 'EndpointPage'),
  shows(deliveriesRoute, () => import('../pages/webhooks/deliveries-page'), 'DeliveriesPage'),
  shows(deliveryRoute, () => import('../pages/webhooks/delivery-page'), 'DeliveryPage'),
  shows(pastedDeliveryRoute, () => import('../pages/webhooks/delivery-page'), 'PastedDeliveryPage'),
  shows(integrationsRoute, () => import('../pages/integrations/integrations-page'), 'IntegrationsPage'),
  shows(integrationRoute, () => import('../pages/integrations/integration-page'), 'IntegrationPage'),
  shows(integrationDeliveriesRoute, () => import('../pages/integrations/deliveries-page'), 'DeliveriesPage'),
  shows(integrationDeliveryRoute, () => import('../pages/integrations/delivery-page'), 'DeliveryPage'),
  shows(oauthAppsRoute, () => import('../pages/oauth-apps/oauth-apps-page'), 'OauthAppsPage'),
  shows(oauthAppRoute, () => import('../pages/oauth-apps/oauth-app-page'), 'OauthAppPage'),
  shows(membersRoute, () => import('../pages/members/members-page'), 'MembersPage'),
  shows(approvalsRoute, () => import('../pages/approvals/approvals-page'), 'ApprovalsPage'),
  shows(approvalRoute, () => import('../pages/approvals/approval-page'), 'ApprovalPage'),
  shows(auditRoute, () => import('../pages/audit/audit-page'), 'AuditPage'),
  shows(settingsRoute, () => import('../pages/settings/settings-page'), 'SettingsPage'),
] as const;
