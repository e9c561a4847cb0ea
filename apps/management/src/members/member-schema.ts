import { z } from 'zod';
import { id, idList, presenter, timestamp } from '@svc/api';
import { roles } from '@svc/access';
import { type MemberRecord } from '@svc/access/store';

const EMAIL_MAX = 254;
/** Zod's own form, and of the domain's labels what can be a host (RFC 1123): 63 characters, no hyphen at an end. */
const EMAIL_FORM =
  /^(?=.{1,64}@)(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

/** Lower case, so that one mailbox is one user. */
export const email = () =>
  z.email({ pattern: EMAIL_FORM }).max(EMAIL_MAX).toLowerCase().meta({ example: 'ada@example.com' });

export const role = z.enum(roles).meta({
  id: 'Role',
  description: 'Decides what the member may do. A change applies from the next call on.',
  example: 'developer',
});

const state = z
  .enum(['active', 'removed'])
  .meta({ description: 'A removed member stays readable. A new invitation makes the member active again.' });

export const member = z
  .object({
    id: id('member'),
    organization_id: id('organization'),
    user_id: id('user'),
    email: email(),
    email_verified: z.boolean().meta({
      description:
        'Whether the user has opened a link that was mailed to the address and shown to nobody else.',
    }),
    role,
    state,
    last_seen_at: timestamp()
      .nullable()
      .meta({
        description:
          'When the user last used the console, in any organization, accurate to 5 minutes. Null if never, and for a removed ' +
          'member.',
      }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Member' });

export const memberFilter = {
  ids: idList('member').optional(),
  role: role.optional(),
  state: state.optional(),
};

export const memberChange = z.strictObject({ role }).partial().meta({ id: 'MemberChange' });

export const presentMember = presenter<typeof member, MemberRecord>(member, {});
