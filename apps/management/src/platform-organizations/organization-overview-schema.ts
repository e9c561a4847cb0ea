import { z } from 'zod';
import { type MemberRecord } from '@svc/access/store';
import { id, nanosSum, presenter } from '@svc/api';
import { jsonInteger } from '@svc/kernel';
import { member } from '../members/member-schema';
import { type OrganizationOverview } from './organization-overviews';

/** How many owners an overview lists. */
export const OWNERS_SHOWN = 20;

const count = (example: number) => z.int().nonnegative().meta({ example });

const { user_id, email, email_verified, last_seen_at, created_at } = member.shape;
const activeOwner = z.object({
  member_id: id('member'),
  user_id,
  email,
  email_verified,
  last_seen_at,
  created_at,
});

export const organizationOverview = z
  .object({
    organization_id: id('organization'),
    member_count: count(12).meta({ description: 'The active members, owners among them.' }),
    owner_count: count(1).meta({ description: 'The active owners.' }),
    owners: z.array(activeOwner).meta({
      description: `The active owners, those who joined last first, at most ${String(OWNERS_SHOWN)}.`,
    }),
    spend: z
      .object({
        last_7_days_nanos: nanosSum(),
        last_30_days_nanos: nanosSum().meta({ example: 6_400_000_000 }),
      })
      .meta({
        description:
          'The charges for calls and fine-tuning of the last UTC days, today included: the `customer_nanos` of usage.',
      }),
  })
  .meta({ id: 'OrganizationOverview' });

const presentActiveOwner = presenter<typeof activeOwner, MemberRecord>(activeOwner, {
  member_id: ({ id }) => id,
});

export const presentOrganizationOverview = ({
  organizationId,
  headcount,
  owners,
  spend,
}: OrganizationOverview): z.input<typeof organizationOverview> => ({
  organization_id: organizationId,
  member_count: headcount.members,
  owner_count: headcount.owners,
  owners: owners.map(presentActiveOwner),
  spend: {
    last_7_days_nanos: jsonInteger(spend.last7Days),
    last_30_days_nanos: jsonInteger(spend.last30Days),
  },
});
