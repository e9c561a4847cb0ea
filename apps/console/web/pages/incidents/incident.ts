import { type components } from '../../api/generated/management';

export type Incident = components['schemas']['Incident'];
