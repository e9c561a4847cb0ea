import { type components } from '../../api/generated/management';

export type Project = components['schemas']['Project'];
export type Budget = components['schemas']['Budget'];
