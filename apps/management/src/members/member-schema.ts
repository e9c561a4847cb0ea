import { z } from 'zod';
import { roles } from '@svc/identity';
import { id, timestamp } from '@svc/platform/api';

const EMAIL_MAX = 254;

/** Lower case, so that one mailbox is one user. */
export const email = () => z.email().max(EMAIL_MAX).toLowerCase().meta({ example: 'ada@example.com' });

export const role = z.enum(roles).meta({
  id: 'Role',
  description: 'What the member may do. It holds from the next call on.',
  example: 'developer',
});

const state = z
  .enum(['active', 'removed'])
  .meta({ description: 'A removed member stays readable, and is active again by a new invitation.' });

export const member = z
  .object({
    id: id('member'),
    organization_id: id('organization'),
    user_id: id('user'),
    email: email(),
    role,
    state,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Member' });

export const memberFilter = { role: role.optional(), state: state.optional() };

export const memberChange = z.strictObject({ role }).partial().meta({ id: 'MemberChange' });
