import { changesOf } from './entry';

describe('the changed fields of an entry', () => {
  it('are without what a new thing leaves empty', () => {
    const changes = { name: { to: 'Billing' }, project_id: { to: null }, enabled: { to: false } };
    expect(changesOf({ changes })).toEqual([
      { field: 'name', from: null, to: 'Billing' },
      { field: 'enabled', from: null, to: false },
    ]);
  });

  it('have a secret without values, and what was taken away', () => {
    const changes = { signing_secret: {}, expires_at: { from: '2026-12-01T00:00:00Z', to: null } };
    expect(changesOf({ changes })).toEqual([
      { field: 'signing_secret', from: null, to: null },
      { field: 'expires_at', from: '2026-12-01T00:00:00Z', to: null },
    ]);
  });
});
