import { DEFAULT_POLICY, type Policy } from '@svc/policy';
import { reliesOn } from './relies-on';
import { twoProviders } from './testing/two-providers';

const relies = (policy: Partial<Policy>, scope: { providers?: string[]; models?: string[] }, own = false) =>
  reliesOn(
    twoProviders,
    {
      policy: { ...DEFAULT_POLICY, ...policy },
      hasPlatformCredential: () => true,
      hasOwnCredential: () => own,
    },
    { providers: [], models: [], ...scope },
  );

describe('an organization relies on a provider', () => {
  it('when its allow lists leave no other for a model', () => {
    expect(relies({ allowedProviders: new Set(['acme']) }, { providers: ['acme'] })).toBe(true);
    expect(relies({ allowedProviders: new Set(['beta']) }, { providers: ['acme'] })).toBe(false);
    expect(relies({ allowedModels: new Set(['m/both']) }, { providers: ['acme'] })).toBe(false);
    expect(relies({ allowedModels: new Set(['m/acme']) }, { providers: ['acme'] })).toBe(true);
    const both = { allowedModels: new Set(['m/both']) };
    expect(relies({ ...both, deniedProviders: new Set(['beta']) }, { providers: ['acme'] })).toBe(true);
  });

  it('not when it may use nothing, or has no credential that its policy takes', () => {
    expect(relies({ allowedModels: new Set() }, { providers: ['acme'] })).toBe(false);
    const own = { allowedProviders: new Set(['acme']), credentialMode: 'own_only' } as const;
    expect(relies(own, { providers: ['acme'] })).toBe(false);
    expect(relies(own, { providers: ['acme'] }, true)).toBe(true);
  });

  it('not without an allow list: its calls tell what it uses', () => {
    expect(relies({}, { providers: ['acme', 'beta'] })).toBe(false);
    expect(relies({ deniedProviders: new Set(['beta']) }, { providers: ['acme'] })).toBe(false);
  });
});

it('an organization relies on a model that its allow lists name', () => {
  expect(relies({ allowedModels: new Set(['m/both']) }, { models: ['m/both'] })).toBe(true);
  expect(relies({ allowedModels: new Set(['m/beta']) }, { models: ['m/both'] })).toBe(false);
});
