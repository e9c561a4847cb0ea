import { type AuditEntry } from './entry';
import { sentenceOf } from './sentence';

const entry = (
  action: string,
  changes: Record<string, { from?: unknown; to?: unknown }>,
  label: string | null = 'Billing',
): AuditEntry =>
  ({
    actor: { type: 'user', id: 'usr_06dpm2q4x8k3c0v9r7t5w1hzny', label: 'ada@example.com' },
    action,
    target: { type: action.split('.')[0], id: 'key_06dpm2q4x8k3c0v9r7t5w1hzny', label },
    changes,
  }) as unknown as AuditEntry;

describe('what an audit entry says in words', () => {
  it.each([
    [
      entry('api_key.update', { rate_limit_rpm: { from: 600, to: 1200 } }),
      'ada@example.com raised requests per minute of key Billing from 600 to 1,200',
    ],
    [
      entry('budget.update', { amount_nanos: { from: 2_000_000_000n, to: 1_000_000_000 } }),
      /^ada@example.com lowered amount of budget Billing from \$2\.000000000 .* to \$1\.000000000/,
    ],
    [entry('project.update', { name: { from: 'A', to: 'B' } }), 'ada@example.com renamed project A to B'],
    [
      entry('project.update', { state: { from: 'active', to: 'archived' } }),
      'ada@example.com changed state of project Billing from active to archived',
    ],
    [entry('api_key.revoke', {}), 'ada@example.com revoked key Billing'],
    [entry('api_key.revoke', {}, null), 'ada@example.com revoked key key_06dp…w1hzny'],
    [
      entry('provider_credential.rotate', { secret: {} }),
      /replaced the secret of provider credential Billing$/,
    ],
    [entry('new_thing.new_verb', {}), 'ada@example.com new verb new thing Billing'],
  ])('is one sentence (%#)', (of, words) => {
    expect(sentenceOf(of)).toMatch(words);
  });

  it('makes hidden characters of a name visible', () => {
    expect(sentenceOf(entry('api_key.revoke', {}, 'a\u202eb'))).toBe(
      'ada@example.com revoked key a⟨U+202E⟩b',
    );
  });

  it('names the service and the operator, who have no name', () => {
    const system = { ...entry('integration.disable', {}), actor: { type: 'system', id: null, label: null } };
    expect(sentenceOf(system as AuditEntry)).toBe('The service disabled integration Billing');
  });
});
