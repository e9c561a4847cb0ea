import { type z } from 'zod';
import { ORGANIZATION_RATE_LIMIT } from '@svc/inference';
import { subtractNanos } from '@svc/kernel';
import { type OrganizationRecord } from '@svc/persistence';
import { presentTime } from '@svc/platform/api';
import { presentWallet } from '../wallet/present-wallet';
import { type AppointedOwner } from './owner-appointment';
import { type owner, type platformOrganization } from './platform-organization-schema';

export const presentPlatformOrganization = ({
  rateLimitRpm,
  rateLimitTpm,
  balance,
  held,
  ...record
}: OrganizationRecord): z.input<typeof platformOrganization> => ({
  id: record.id,
  name: record.name,
  state: record.state,
  rate_limit_rpm: rateLimitRpm,
  rate_limit_tpm: rateLimitTpm,
  effective_rate_limit: {
    rpm: rateLimitRpm ?? ORGANIZATION_RATE_LIMIT.rpm,
    tpm: rateLimitTpm ?? ORGANIZATION_RATE_LIMIT.tpm,
  },
  wallet: presentWallet({ balance, held, available: subtractNanos(balance, held) }),
  created_at: presentTime(record.createdAt),
  updated_at: presentTime(record.updatedAt),
});

export const presentOwner = ({ member, issued }: AppointedOwner): z.input<typeof owner> => ({
  member_id: member.id,
  user_id: member.userId,
  email: member.email,
  accept_url: issued?.acceptUrl ?? null,
});
