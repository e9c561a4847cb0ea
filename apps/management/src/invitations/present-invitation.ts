import { type z } from 'zod';
import { type SentInvitation } from '@svc/persistence';
import { presentTime, presentTimeOrNull } from '@svc/platform/api';
import { type invitation } from './invitation-schema';

export const presentInvitation = (record: SentInvitation): z.input<typeof invitation> => ({
  id: record.id,
  organization_id: record.organizationId,
  email: record.email,
  role: record.role,
  state: record.state,
  invited_by: record.invitedBy,
  expires_at: presentTime(record.expiresAt),
  accepted_at: presentTimeOrNull(record.acceptedAt),
  created_at: presentTime(record.createdAt),
});
