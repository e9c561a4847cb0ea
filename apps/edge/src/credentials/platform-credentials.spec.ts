import { envCredential, type Provider } from '@svc/catalog';
import { PlatformCredentials } from './platform-credentials';

const provider: Provider = {
  name: 'acme',
  protocol: 'openai',
  baseUrl: 'http://acme',
  credentialEnv: [envCredential('A'), { env: 'B', weight: 0, rateLimitRpm: 500, rateLimitTpm: null }],
};
const open: Provider = { ...provider, name: 'open', credentialEnv: null };

let environment: Record<string, string | undefined>;
let replaced: string[];
let credentials: PlatformCredentials;
beforeEach(() => {
  environment = { A: 'secret of A', B: 'secret of B' };
  replaced = [];
  credentials = new PlatformCredentials(environment, ({ key }) => void replaced.push(key));
});
const secrets = () => credentials.of(provider)?.members.map(({ secret }) => secret);

describe('the platform’s credentials of a provider', () => {
  it('are those that are set, in the order of the catalog, with their weights and rates', () => {
    expect(credentials.of(provider)?.members).toMatchObject([
      { id: null, secret: 'secret of A', weight: 100, rateLimit: null },
      { id: null, secret: 'secret of B', weight: 0, rateLimit: { rpm: 500, tpm: null } },
    ]);
    delete environment['A'];
    expect(secrets()).toEqual(['secret of B']);
    environment['B'] = '';
    expect(credentials.of(provider)).toBeNull();
    environment['A'] = 'another';
    expect(secrets()).toEqual(['another']);
  });

  it('are none of a provider that takes none', () => {
    expect(credentials.of(open)).toBeNull();
  });

  it('are the same pool until a secret is replaced, which is told', () => {
    const pool = credentials.of(provider);
    expect(credentials.of(provider)).toBe(pool);
    expect(replaced).toEqual([]);
    environment['B'] = 'a new secret';
    expect(secrets()).toEqual(['secret of A', 'a new secret']);
    expect(replaced).toEqual(['env:acme/B']);
    credentials.of({ ...provider });
    expect(replaced).toHaveLength(1);
  });
});
