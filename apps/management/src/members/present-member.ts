import { type z } from 'zod';
import { type MemberRecord } from '@svc/persistence';
import { presentTime } from '@svc/platform/api';
import { type member } from './member-schema';

export const presentMember = (record: MemberRecord): z.input<typeof member> => ({
  id: record.id,
  organization_id: record.organizationId,
  user_id: record.userId,
  email: record.email,
  role: record.role,
  state: record.state,
  created_at: presentTime(record.createdAt),
  updated_at: presentTime(record.updatedAt),
});
