import { z } from 'zod';
import { id, presenter, timestamp } from '@svc/api';
import { type SentInvitation } from '@svc/access/store';
import { email, role } from '../members/member-schema';

const state = z.enum(['pending', 'accepted', 'revoked', 'expired']);

export const invitation = z
  .object({
    id: id('invitation'),
    organization_id: id('organization'),
    email: email(),
    role,
    state,
    invited_by: z.string().nullable().meta({
      description: 'Id of the user or API key; null for the operator.',
      example: 'usr_06dpm2q4x8k3c0v9r7t5w1hzny',
    }),
    expires_at: timestamp(),
    accepted_at: timestamp().nullable(),
    created_at: timestamp(),
  })
  .meta({ id: 'Invitation' });

export const invitationFilter = { state: state.optional() };

export const newInvitation = z.strictObject({ email: email(), role }).meta({ id: 'NewInvitation' });

/** The page where an invitee becomes a member: `{base_url}/auth/invitations/{secret}`. */
export const acceptUrl = () =>
  z.url().meta({
    description:
      'Whoever has this link can accept the invitation. It is shown only once. A mail has a link of its own, which proves ' +
      'the address.',
    example: 'https://svc.example/auth/invitations/svc_inv_Zk3vQ8aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX2y',
  });

export const createdInvitation = z
  .object({
    invitation,
    accept_url: acceptUrl(),
    mailed: z.boolean().meta({
      description: 'Whether the mail server accepted a link. If not, send `accept_url` yourself.',
    }),
  })
  .meta({ id: 'CreatedInvitation' });

export const presentInvitation = presenter<typeof invitation, SentInvitation>(invitation, {});

interface SentByMail {
  readonly invitation: SentInvitation;
  readonly acceptUrl: string;
  readonly mailed: boolean;
}

export const presentCreatedInvitation = ({
  invitation: record,
  acceptUrl,
  mailed,
}: SentByMail): z.input<typeof createdInvitation> => ({
  invitation: presentInvitation(record),
  accept_url: acceptUrl,
  mailed,
});
