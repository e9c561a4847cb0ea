import { z } from 'zod';
import { isCommonPassword } from '@svc/access';
import { type OrganizationRecord } from '@svc/access/store';
import { id, line, name, nanosAmount, presenter, timestamp } from '@svc/api';
import { PRICE_BPS_MAX, pricesInForce, type OrganizationPrices } from '@svc/ledger';
import { walletBalance } from '@svc/ledger/store';
import { acceptUrl } from '../invitations/invitation-schema';
import { email } from '../members/member-schema';
import { ceilings, ceilingsOf, organizationState } from '../organizations/organization-schema';
import { presentWallet, wallet } from '../wallet/wallet-schema';
import { type ToldOwner } from './platform-organizations';

const PASSWORD_MIN = 8;
const PASSWORD_MAX = 512;
const REASON_MAX = 500;
const SEARCH_MAX = 200;
const IDEMPOTENCY_KEY_MAX = 255;
const CEILING_MAX = 2_147_483_647;
const JOBS_MAX = 1_000;

const ceiling = () =>
  z.int().min(1).max(CEILING_MAX).nullable().meta({
    description: 'Ceiling per minute; null for the platform’s default.',
    example: 12_000,
  });

const jobsMax = () =>
  z.int().min(0).max(JOBS_MAX).nullable().meta({
    description: 'How many fine-tuning jobs can be open at a time; null for the platform’s default.',
    example: 10,
  });
const endpointsMax = () =>
  z.int().min(0).max(JOBS_MAX).nullable().meta({
    description: 'How many fine-tuning endpoints can run at a time; null for the platform’s default.',
    example: 10,
  });

const bps = (example: number) => z.int().min(0).max(PRICE_BPS_MAX).meta({ example });
const priceBps = () =>
  bps(11_550).nullable().meta({
    description:
      'What calls on the platform’s credentials cost, in basis points of the catalog’s prices; null for the platform’s default.',
    example: 11_550,
  });
const ownCredentialBps = () =>
  bps(500)
    .nullable()
    .meta({
      description:
        'What calls on the organization’s own credentials cost, likewise, beside what it pays its provider; null for the ' +
        'platform’s default.',
      example: 500,
    });

const effective = z
  .object({ price_bps: bps(11_550), own_credential_bps: bps(500) })
  .meta({ description: 'The prices in force.' });

export const platformOrganization = z
  .object({
    id: id('organization'),
    name: name().meta({ example: 'Acme' }),
    state: organizationState,
    rate_limit_rpm: ceiling(),
    rate_limit_tpm: ceiling(),
    effective_rate_limit: ceilings(),
    fine_tuning_jobs_max: jobsMax(),
    fine_tuning_endpoints_max: endpointsMax(),
    price_bps: priceBps(),
    own_credential_bps: ownCredentialBps(),
    effective,
    wallet,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'PlatformOrganization' });

export const owner = z
  .object({
    state: z.enum(['active', 'invited']).meta({
      description: 'An invited owner has no rights until they have accepted the invitation.',
    }),
    member_id: id('member').nullable().meta({ description: 'Null for an invited owner.' }),
    user_id: id('user').nullable().meta({ description: 'Null for an invited owner.' }),
    email: email(),
    accept_url: acceptUrl()
      .nullable()
      .meta({
        description:
          'Where an invited owner accepts within 7 days. Shown only once. Null for an active owner, and where only the ' +
          'mailed link can be used: somebody has an account with this address, and has not shown that it is theirs.',
      }),
    mailed: z.boolean().meta({ description: 'Whether the mail server accepted an invitation.' }),
  })
  .meta({ id: 'Owner' });

export const platformOrganizationFilters = {
  q: line(SEARCH_MAX).optional().meta({
    description: 'Part of the name, A to Z in any case; or a whole id, or the whole address of an owner.',
    example: 'acme',
  }),
  state: organizationState.optional(),
};

const ownerPassword = z
  .string()
  .min(PASSWORD_MIN)
  .max(PASSWORD_MAX)
  .refine((password) => !isCommonPassword(password), 'must not be one that many people choose')
  .meta({
    description: 'For a new user. A user who has a password keeps it.',
    example: 'correct horse battery staple',
  });

export const newOwner = z
  .strictObject({ owner_email: email(), owner_password: ownerPassword.optional() })
  .meta({ id: 'NewOwner' });

export const newPlatformOrganization = z
  .strictObject({ name: name().meta({ example: 'Acme' }), ...newOwner.shape })
  .meta({ id: 'NewPlatformOrganization' });

export const createdPlatformOrganization = platformOrganization
  .extend({ owner })
  .meta({ id: 'CreatedPlatformOrganization' });

const whatChanges = z.strictObject({
  rate_limit_rpm: ceiling(),
  rate_limit_tpm: ceiling(),
  fine_tuning_jobs_max: jobsMax(),
  fine_tuning_endpoints_max: endpointsMax(),
  price_bps: priceBps(),
  own_credential_bps: ownCredentialBps(),
  state: organizationState,
});

export const platformOrganizationChange = whatChanges.partial().meta({ id: 'PlatformOrganizationChange' });

/** The fields of an organization that the operator sets, as audit entries show them. */
export const auditedOrganization = presenter<typeof whatChanges, OrganizationRecord>(whatChanges, {});

export const newCreditGrant = z
  .strictObject({
    amount_nanos: nanosAmount().min(1),
    reason: line(REASON_MAX).meta({ example: 'Invoice 2026-114' }),
  })
  .meta({ id: 'NewCreditGrant' });

export const grantHeaders = {
  'Idempotency-Key': z.string().min(1).max(IDEMPOTENCY_KEY_MAX).optional().meta({
    description: 'A retry with the same key and body answers with the same grant, and grants nothing more.',
    example: 'invoice-2026-114',
  }),
};

interface ShownOrganization extends OrganizationRecord {
  /** The platform's prices. */
  readonly defaults: OrganizationPrices;
}

const presentPrices = presenter<typeof effective, OrganizationPrices>(effective, {});

export const presentPlatformOrganization = presenter<typeof platformOrganization, ShownOrganization>(
  platformOrganization,
  {
    effective_rate_limit: ceilingsOf,
    effective: ({ defaults, ...own }) => presentPrices(pricesInForce(own, defaults)),
    wallet: ({ balance, held, owed }) => presentWallet(walletBalance(balance, held, owed)),
  },
);

export const presentOwner = ({
  member,
  email: address,
  acceptUrl: url,
  mailed,
}: ToldOwner): z.input<typeof owner> => ({
  state: member === null ? 'invited' : 'active',
  member_id: member?.id ?? null,
  user_id: member?.userId ?? null,
  email: address,
  accept_url: url,
  mailed,
});
