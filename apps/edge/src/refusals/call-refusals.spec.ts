import { GatewayError } from '@svc/kernel';
import { PolicyRefusal } from '@svc/policy';
import { createMetrics } from '@svc/runtime/observability';
import { CallRefusals } from './call-refusals';

const caller = { organizationId: 'org_1', projectId: null, apiKeyId: 'key_1' };

it('counts what a policy refused by the level and the field that decided it, however it is told', async () => {
  const metrics = createMetrics('edge');
  const noted: unknown[] = [];
  const refusals = new CallRefusals({ note: (...refusal) => void noted.push(refusal) }, metrics);
  const denials = [{ level: 'key', field: 'denied_models' }] as const;
  for (const reason of ['notFound', 'noEligibleRoute'] as const)
    refusals.note(caller, 'acme/small', new PolicyRefusal(reason, 'Refused.', denials, { param: 'model' }));
  refusals.note(caller, 'acme/small', new GatewayError('rateLimit', 'No.', { retryAfterMs: 1_000 }));
  const { values } = (await metrics.getSingleMetric('svc_policy_refusals_total')?.get()) ?? { values: [] };
  expect(values.map(({ labels: { level, field }, value }) => [level, field, value])).toEqual([
    ['key', 'denied_models', 2],
  ]);
  expect(noted).toHaveLength(3);
});
