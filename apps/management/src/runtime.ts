import { type Provider } from '@nestjs/common';
import { Mutations } from '@svc/approvals/store';
import { FILE_MAX_BYTES_DEFAULT, SLICE_SECONDS_DEFAULT } from '@svc/fine-tuning';
import { type Catalog } from '@svc/catalog';
import { type Clock } from '@svc/kernel';
import { DEFAULT_PRICES, type OrganizationPrices } from '@svc/ledger';
import { type PaymentProvider } from '@svc/payments';
import { type Database } from '@svc/database';
import { EndUserPeppers, OrganizationPriceStore } from '@svc/ledger/store';
import { type PaymentSettlement } from '@svc/payments/work';
import { type Mailer } from '@svc/http';
import { createSealer, derivedKeys, type MasterKey, type Sealer, systemIds } from '@svc/runtime';
import { type Logger, type Registry } from '@svc/runtime/observability';
import { type ObjectStore } from '@svc/storage';
import { type FastifyInstance } from 'fastify';

/** The parts that routes of payments need where payments are on. */
export interface OpenPayments {
  readonly provider: PaymentProvider;
  readonly settlement: PaymentSettlement;
}

/** The parts of the process that payments need. */
interface PaymentsRuntime extends OpenPayments {
  readonly server: FastifyInstance;
  readonly metrics: Registry;
}

/** The parts that the process provides to the management API. */
export interface ManagementRuntime {
  readonly database: Database;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Public, without a slash at its end: mailed and shown links begin with it. */
  readonly baseUrl: string;
  /** Encrypts stored secrets (docs/reference/authentication-and-permissions.md#secrets). */
  readonly masterKey: MasterKey;
  /** The catalog as last loaded. */
  readonly catalog: () => Catalog;
  /** Where the files of exports are kept. */
  readonly store: ObjectStore;
  /** The most bytes of one training file: `SVC_FILE_MAX_BYTES`. */
  readonly fileMaxBytes?: number | undefined;
  /** The time that is held ahead of a dedicated endpoint: `SVC_ENDPOINT_SLICE_SECONDS`. */
  readonly endpointSliceSeconds?: number | undefined;
  /** The default prices of calls: `SVC_PRICE_BPS` and `SVC_OWN_CREDENTIAL_BPS`. */
  readonly prices?: OrganizationPrices | undefined;
  /** Without one, no mail is sent. */
  readonly mailer?: Mailer | undefined;
  /** Lets webhook URLs be `http`, or on a private host: `SVC_WEBHOOK_ALLOW_PRIVATE`. */
  readonly allowPrivateWebhooks?: boolean | undefined;
  /** How users reach the operator: `SVC_OPERATOR_CONTACT`. */
  readonly operatorContact?: string | undefined;
  /** True where `/status` is served: `SVC_STATUS_PAGE`. */
  readonly statusPage?: boolean | undefined;
  /** Absent where payments are off: `SVC_PAYMENTS`. */
  readonly payments?: PaymentsRuntime | undefined;
}

// Tokens for `@Inject(…)`, each with the type of its value.
/** `Clock` */
export const CLOCK = Symbol('clock');
/** `Logger` */
export const LOGGER = Symbol('logger');
/** `string` */
export const BASE_URL = Symbol('base URL');
/** `Sealer` */
export const SEALER = Symbol('sealer');
/** `EndUserPeppers` */
export const END_USERS = Symbol('end users');
/** `OrganizationPriceStore` */
export const PRICES = Symbol('prices');
/** `ObjectStore` */
export const OBJECT_STORE = Symbol('object store');
/** `number` */
export const FILE_MAX_BYTES = Symbol('most bytes of a training file');
/** `number` */
export const ENDPOINT_SLICE_SECONDS = Symbol('seconds of a slice of an endpoint');
/** `readonly [Buffer, ...Buffer[]]`: they sign download links, the first the new ones */
export const LINK_KEYS = Symbol('link keys');
/** `string | null` */
export const OPERATOR_CONTACT = Symbol('contact of the operator');
/** `() => Catalog` */
export const CATALOG = Symbol('catalog');
/** `Mailer | null` */
export const MAILER = Symbol('mailer');
/** `OpenPayments | null` */
export const PAYMENTS = Symbol('payments');
/** `WebhookUrlPolicy` */
export const WEBHOOK_URL_POLICY = Symbol('webhook URL policy');

export const runtimeProviders = ({
  database,
  logger,
  clock,
  baseUrl,
  masterKey,
  store,
  catalog,
  mailer,
  payments,
  operatorContact,
  allowPrivateWebhooks = false,
  fileMaxBytes = FILE_MAX_BYTES_DEFAULT,
  endpointSliceSeconds = SLICE_SECONDS_DEFAULT,
  prices = DEFAULT_PRICES,
}: ManagementRuntime): Provider[] => [
  { provide: CLOCK, useValue: clock },
  { provide: LOGGER, useValue: logger },
  { provide: BASE_URL, useValue: baseUrl },
  { provide: SEALER, useFactory: () => createSealer(masterKey) },
  { provide: END_USERS, useFactory: () => new EndUserPeppers(database, createSealer(masterKey)) },
  { provide: PRICES, useFactory: () => new OrganizationPriceStore(database, prices) },
  { provide: OBJECT_STORE, useValue: store },
  { provide: FILE_MAX_BYTES, useValue: fileMaxBytes },
  { provide: ENDPOINT_SLICE_SECONDS, useValue: endpointSliceSeconds },
  { provide: LINK_KEYS, useFactory: () => derivedKeys(masterKey, 'svc download link 1') },
  { provide: OPERATOR_CONTACT, useValue: operatorContact ?? null },
  { provide: CATALOG, useValue: catalog },
  { provide: MAILER, useValue: mailer ?? null },
  { provide: PAYMENTS, useValue: payments ?? null },
  {
    provide: WEBHOOK_URL_POLICY,
    useValue: { allowPrivate: allowPrivateWebhooks, ownHosts: [new URL(baseUrl).host] },
  },
  {
    provide: Mutations,
    inject: [SEALER],
    useFactory: (sealer: Sealer) => new Mutations(database, { sealer, newId: systemIds, clock }),
  },
];
