import { titleOf } from './title';

const asked = (action: string, changes: object, body: unknown = null) =>
  titleOf({ action, changes, body } as Parameters<typeof titleOf>[0]);

describe('the title of an approval request', () => {
  it('says which way one amount goes', () => {
    const changes = { amount_nanos: { from: 5_000_000_000, to: 10_000_000_000 } };
    expect(asked('budget.update', changes)).toBe('Raise amount of budget from $5.00 to $10.00');
  });

  it('names what is made', () => {
    expect(asked('api_key.create', { name: { to: 'Billing' } }, { name: 'Billing' })).toBe(
      'Create key Billing',
    );
    expect(asked('invitation.create', {}, { email: 'ana@example.com' })).toBe(
      'Create invitation of ana@example.com',
    );
  });

  it('says what is done where nothing or much changes', () => {
    expect(asked('webhook_endpoint.delete', {})).toBe('Delete webhook');
    expect(asked('alert_rule.update', { name: { from: 'A', to: 'B' }, metric: { from: 'x', to: 'y' } })).toBe(
      'Change alert rule',
    );
  });

  it('shows a hostile name as plain text', () => {
    expect(asked('project.create', {}, { name: 'a\u202eb' })).toBe('Create project a⟨U+202E⟩b');
  });
});
