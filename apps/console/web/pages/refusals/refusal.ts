import { type components } from '../../api/generated/management';

export type Refusal = components['schemas']['RefusalRow'];

/** Fields that the calls of a row have in common. */
export const GROUPED_BY = 'code,model,project,api_key';

/** Tells the rows of one answer apart. */
export const refusalKey = ({ code, model, project_id: project, api_key_id: key }: Refusal): string =>
  JSON.stringify([code, model, project, key]);
