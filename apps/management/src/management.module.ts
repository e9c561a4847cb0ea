import { Module, type DynamicModule } from '@nestjs/common';
import { type Catalog } from '@svc/inference';
import { type Clock } from '@svc/kernel';
import {
  ApiKeyStore,
  AuditLog,
  BudgetStore,
  GrantStore,
  InvitationStore,
  MemberStore,
  Mutations,
  OrganizationStore,
  PolicyStore,
  ProjectStore,
  ProviderCredentialStore,
  RequestHistory,
  UsageStore,
  UserStore,
  WalletReading,
  WalletStore,
  WebhookDeliveryStore,
  WebhookEndpointStore,
  type Database,
} from '@svc/persistence';
import { createSealer, systemIds, type Logger, type Mailer, type MasterKey } from '@svc/platform';
import { AuditLogController } from './audit-log/audit-log.controller';
import { BudgetsController } from './budgets/budgets.controller';
import { Budgets } from './budgets/budgets';
import { CatalogModelsController } from './catalog/catalog-models.controller';
import { CatalogModels } from './catalog/catalog-models';
import { CLOCK } from './clock';
import { InvitationIssuer } from './invitations/invitation-issuer';
import { InvitationMail } from './invitations/invitation-mail';
import { InvitationsController } from './invitations/invitations.controller';
import { Invitations } from './invitations/invitations';
import { KeysController } from './keys/keys.controller';
import { ApiKeys } from './keys/keys';
import { MembersController } from './members/members.controller';
import { Members } from './members/members';
import { OrganizationsController } from './organizations/organizations.controller';
import { Organizations } from './organizations/organizations';
import { OwnerAppointment } from './platform-organizations/owner-appointment';
import { PlatformOrganizationsController } from './platform-organizations/platform-organizations.controller';
import { PlatformOrganizations } from './platform-organizations/platform-organizations';
import { Policies } from './policy/policies';
import { PolicyController } from './policy/policy.controller';
import { ProjectsController } from './projects/projects.controller';
import { Projects } from './projects/projects';
import { ProviderCredentialsController } from './provider-credentials/provider-credentials.controller';
import { ProviderCredentials } from './provider-credentials/provider-credentials';
import { RequestsController } from './requests/requests.controller';
import { Requests } from './requests/requests';
import { UsageController } from './usage/usage.controller';
import { Usage } from './usage/usage';
import { CreditGrantsController } from './wallet/credit-grants.controller';
import { TransactionsController } from './wallet/transactions.controller';
import { WalletController } from './wallet/wallet.controller';
import { EndpointDeliveriesController } from './webhook-deliveries/endpoint-deliveries.controller';
import { WebhookDeliveriesController } from './webhook-deliveries/webhook-deliveries.controller';
import { WebhookDeliveries } from './webhook-deliveries/webhook-deliveries';
import { WebhookEndpointsController } from './webhook-endpoints/webhook-endpoints.controller';
import { WebhookEndpoints } from './webhook-endpoints/webhook-endpoints';
import { WebhookEventsController } from './webhook-events/webhook-events.controller';

export interface ManagementRuntime {
  readonly database: Database;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Public, without a slash at its end: links that people are sent begin with it. */
  readonly baseUrl: string;
  /** Seals what is stored encrypted (contract.md section 1). */
  readonly masterKey: MasterKey;
  /** As the catalog file says right now. */
  readonly catalog: () => Catalog;
  /** Without one no mail is sent. */
  readonly mailer?: Mailer | undefined;
  /** Lets webhook URLs be `http`, or on a private host: `SVC_WEBHOOK_ALLOW_PRIVATE`. */
  readonly allowPrivateWebhooks?: boolean | undefined;
}

/** The management API: one folder a resource. */
@Module({})
export class ManagementModule {
  static register(runtime: ManagementRuntime): DynamicModule {
    const { database, logger, clock, baseUrl, masterKey, catalog, mailer } = runtime;
    const { allowPrivateWebhooks = false } = runtime;
    const store = <T>(Store: new (database: Database) => T) => ({
      provide: Store,
      useFactory: () => new Store(database),
    });
    return {
      module: ManagementModule,
      controllers: [
        OrganizationsController,
        MembersController,
        InvitationsController,
        PlatformOrganizationsController,
        ProjectsController,
        KeysController,
        BudgetsController,
        PolicyController,
        ProviderCredentialsController,
        CatalogModelsController,
        RequestsController,
        UsageController,
        WalletController,
        CreditGrantsController,
        TransactionsController,
        WebhookEndpointsController,
        WebhookDeliveriesController,
        EndpointDeliveriesController,
        WebhookEventsController,
        AuditLogController,
      ],
      providers: [
        { provide: CLOCK, useValue: clock },
        { provide: Mutations, useFactory: () => new Mutations(database, systemIds, clock) },
        store(OrganizationStore),
        Organizations,
        store(MemberStore),
        store(GrantStore),
        Members,
        store(InvitationStore),
        {
          provide: InvitationIssuer,
          inject: [InvitationStore],
          useFactory: (invitations: InvitationStore) => new InvitationIssuer(invitations, baseUrl),
        },
        { provide: InvitationMail, useFactory: () => new InvitationMail(mailer, logger) },
        Invitations,
        store(UserStore),
        store(WalletStore),
        OwnerAppointment,
        PlatformOrganizations,
        store(ProjectStore),
        Projects,
        store(ApiKeyStore),
        ApiKeys,
        store(BudgetStore),
        Budgets,
        store(RequestHistory),
        Requests,
        store(UsageStore),
        Usage,
        store(WalletReading),
        store(AuditLog),
        store(PolicyStore),
        Policies,
        store(ProviderCredentialStore),
        {
          provide: ProviderCredentials,
          inject: [ProviderCredentialStore, Mutations],
          useFactory: (credentials: ProviderCredentialStore, mutations: Mutations) =>
            new ProviderCredentials({
              store: credentials,
              mutations,
              sealer: createSealer(masterKey),
              catalog,
            }),
        },
        store(WebhookEndpointStore),
        store(WebhookDeliveryStore),
        {
          provide: WebhookEndpoints,
          inject: [WebhookEndpointStore, WebhookDeliveryStore, OrganizationStore, Mutations],
          useFactory: (
            endpoints: WebhookEndpointStore,
            deliveries: WebhookDeliveryStore,
            organizations: OrganizationStore,
            mutations: Mutations,
          ) =>
            new WebhookEndpoints({
              store: endpoints,
              deliveries,
              organizations,
              mutations,
              sealer: createSealer(masterKey),
              urlPolicy: { allowPrivate: allowPrivateWebhooks, ownHosts: [new URL(baseUrl).host] },
            }),
        },
        WebhookDeliveries,
        {
          provide: CatalogModels,
          inject: [PolicyStore],
          useFactory: (policies: PolicyStore) => new CatalogModels(policies, catalog),
        },
      ],
    };
  }
}
