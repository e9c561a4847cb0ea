import { z } from 'zod';
import { id, line, name, presenter, timestamp } from '@svc/api';
import { ORGANIZATION_RATE_LIMIT } from '@svc/limits';
import { type OrganizationRecord } from '@svc/access/store';

export const organizationState = z.enum(['active', 'suspended']).meta({
  description: 'API keys and access tokens of a suspended organization are refused.',
});

const USAGE_TAG_MAX_LENGTH = 64;

const usageTag = () =>
  line(USAGE_TAG_MAX_LENGTH).nullable().meta({
    description:
      'The label by whose value usage is summed: a name in the `metadata` of calls, or `user`. Null: by none.',
    example: 'team',
  });

/** Ceilings of the calls of all its keys together (docs/reference/operator-api.md#ceilings). */
export const ceilings = () =>
  z.object({ rpm: z.int(), tpm: z.int() }).meta({
    description: 'The ceilings in effect, per minute: of all keys together.',
    example: { rpm: 6_000, tpm: 10_000_000 },
  });

export const ceilingsOf = ({
  rateLimitRpm,
  rateLimitTpm,
}: Pick<OrganizationRecord, 'rateLimitRpm' | 'rateLimitTpm'>): z.input<ReturnType<typeof ceilings>> => ({
  rpm: rateLimitRpm ?? ORGANIZATION_RATE_LIMIT.rpm,
  tpm: rateLimitTpm ?? ORGANIZATION_RATE_LIMIT.tpm,
});

export const organization = z
  .object({
    id: id('organization'),
    name: name().meta({ example: 'Acme' }),
    state: organizationState,
    usage_tag: usageTag(),
    effective_rate_limit: ceilings(),
    operator_contact: z.string().nullable().meta({
      description:
        'How to reach the operator of this installation: a mail address or a URL; null where it is not set.',
      example: 'ops@example.com',
    }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Organization' });

const whatChanges = z.strictObject({ name: name().meta({ example: 'Acme' }), usage_tag: usageTag() });

export const organizationChange = whatChanges.partial().meta({ id: 'OrganizationChange' });

/** The fields of an organization that audit entries show. */
export const auditedOrganization = presenter<typeof whatChanges, OrganizationRecord>(whatChanges, {});

interface ShownOrganization extends OrganizationRecord {
  readonly operatorContact: string | null;
}

export const presentOrganization = presenter<typeof organization, ShownOrganization>(organization, {
  effective_rate_limit: ceilingsOf,
});
