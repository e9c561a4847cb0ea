import { Module, type DynamicModule } from '@nestjs/common';
import { alertRules } from './alert-rules/alert-rules.controller';
import { alerts } from './alerts/alerts.controller';
import { approvalPolicies } from './approval-policies/approval-policies.controller';
import { approvalRequests } from './approval-requests/approval-requests.controller';
import { auditLog } from './audit-log/audit-log.controller';
import { platformAuditLog } from './audit-log/platform-audit-log.controller';
import { budgets } from './budgets/budgets.controller';
import { catalogModels } from './catalog/catalog-models.controller';
import { providersOf, type Collection } from './collection';
import { dataExports } from './exports/exports.controller';
import { effectivePolicies } from './effective-policy/effective-policy.controller';
import { fineTuning } from './fine-tuning/fine-tuning-jobs.controller';
import { fineTuningEndpoints } from './fine-tuning-endpoints/endpoints.controller';
import { incidents } from './incidents/incidents.controller';
import { platformIncidents } from './incidents/platform-incidents.controller';
import { installation } from './installation/installation.controller';
import { invitations } from './invitations/invitations.controller';
import { apiKeys } from './keys/keys.controller';
import { integrations } from './integrations/integrations.controller';
import { keyPolicies } from './lower-policies/key-policy.controller';
import { projectPolicies } from './lower-policies/project-policy.controller';
import { members } from './members/members.controller';
import { organizations } from './organizations/organizations.controller';
import { parkedMessages } from './parked-messages/parked-messages.controller';
import { passwordResets } from './password-resets/password-resets.controller';
import { payments } from './payments/payments.controller';
import { serveStripeWebhook } from './payments/serve-stripe-webhook';
import { platformCredentials } from './platform-credentials/platform-credentials.controller';
import { platformOrganizations } from './platform-organizations/platform-organizations.controller';
import { policySimulations } from './policy-simulation/policy-simulation.controller';
import { policies } from './policy/policy.controller';
import { projects } from './projects/projects.controller';
import { providerCredentials } from './provider-credentials/provider-credentials.controller';
import { refusals } from './refusals/refusals.controller';
import { requests } from './requests/requests.controller';
import { rollouts } from './rollouts/rollouts.controller';
import { runtimeProviders, type ManagementRuntime } from './runtime';
import { publicStatus } from './status/status.controller';
import { trainingFiles } from './training-files/training-files.controller';
import { usage } from './usage/usage.controller';
import { wallets } from './wallet/wallet.controller';
import { webhookDeliveries } from './webhook-deliveries/webhook-deliveries.controller';
import { webhookEndpoints } from './webhook-endpoints/webhook-endpoints.controller';
import { webhookEvents } from './webhook-events/webhook-events.controller';
import { webhookFigures } from './webhook-figures/webhook-figures.controller';

/** In the order of the reference. */
export const collections: readonly Collection[] = [
  organizations,
  members,
  invitations,
  platformOrganizations,
  passwordResets,
  platformIncidents,
  parkedMessages,
  installation,
  platformCredentials,
  platformAuditLog,
  projects,
  apiKeys,
  budgets,
  policies,
  effectivePolicies,
  projectPolicies,
  keyPolicies,
  policySimulations,
  rollouts,
  providerCredentials,
  catalogModels,
  requests,
  usage,
  refusals,
  wallets,
  payments,
  webhookEndpoints,
  webhookDeliveries,
  webhookEvents,
  webhookFigures,
  incidents,
  alertRules,
  alerts,
  integrations,
  dataExports,
  trainingFiles,
  fineTuning,
  fineTuningEndpoints,
  approvalPolicies,
  approvalRequests,
  auditLog,
];

/** The management API: one folder a collection. */
@Module({})
export class ManagementModule {
  static register(runtime: ManagementRuntime): DynamicModule {
    const served = runtime.statusPage === true ? [...collections, publicStatus] : collections;
    if (runtime.payments !== undefined) {
      serveStripeWebhook({ ...runtime.payments, database: runtime.database });
    }
    return {
      module: ManagementModule,
      controllers: served.flatMap(({ controllers }) => controllers),
      providers: [...runtimeProviders(runtime), ...providersOf(served, runtime.database)],
    };
  }
}
