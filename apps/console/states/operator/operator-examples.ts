import { documentedExample } from '../documented-examples';

export const ORGANIZATION = 'org_06dpm2q4x8k3c0v9r7t5w1hzny';
export const INCIDENT = 'inc_06dpm2q4x8k3c0v9r7t5w1hzny';
export const PLATFORM = '/platform/v1';
export const application = 'operator';

export type Row = Record<string, unknown>;

/** The first row that the documents have of a list. */
export const rowOf = (path: string): Row => {
  const { data } = documentedExample('GET', PLATFORM + path)?.body as { data: [Row] };
  return data[0];
};
export const oneOf = (path: string): Row => documentedExample('GET', PLATFORM + path)?.body as Row;
export const listOf = (data: readonly object[]) => ({
  body: { object: 'list', data, has_more: false, next_cursor: null },
});
export const inReview = () => ({ ...rowOf('/payments'), state: 'review', review_reason: 'amount' });
export const waiting = () => ({
  ...rowOf('/parked-messages'),
  state: 'waiting',
  can_requeue: true,
  resolved_at: null,
});
