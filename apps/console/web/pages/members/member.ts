import { type components } from '../../api/generated/management';

export type Member = components['schemas']['Member'];
export type Invitation = components['schemas']['Invitation'];
export type CreatedInvitation = components['schemas']['CreatedInvitation'];
