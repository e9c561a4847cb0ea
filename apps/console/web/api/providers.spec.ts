import { providersOf } from './providers';

const model = (...providers: readonly string[]) => ({
  endpoints: providers.map((provider) => ({ provider })),
});

it('names each provider once, by name', () => {
  expect(providersOf([model('zeta', 'acme'), model('acme')])).toEqual(['acme', 'zeta']);
});
