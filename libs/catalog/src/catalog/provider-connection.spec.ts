import { CatalogError } from './catalog-source';
import { type CatalogEnvironment } from './fill-variables';
import { parseCatalog } from './parse-catalog';

const SECRET = 'd41d8cd98f00b204';

const connectionOf = (fields: object, env: CatalogEnvironment = {}) => {
  const provider = { name: 'own', protocol: 'openai', base_url: 'https://own.example/v1', ...fields };
  const text = JSON.stringify({ providers: [provider], models: [], endpoints: [] });
  return parseCatalog(text, { file: 'own.yaml', env }).providers.get('own')?.connection;
};

const problemOf = (fields: object, env?: CatalogEnvironment): string => {
  try {
    connectionOf(fields, env);
  } catch (error) {
    if (error instanceof CatalogError) return error.message;
    throw error;
  }
  return '';
};

describe('a provider’s connection', () => {
  it('has the defaults of its protocol without settings in the file', () => {
    expect(connectionOf({})).toBeUndefined();
    expect(connectionOf({ headers: {}, query: {} })).toBeUndefined();
  });

  it('has a header for its credential, headers and a query, filled from the environment', () => {
    expect(
      connectionOf(
        {
          credential_header: 'API-Key',
          credential_scheme: 'none',
          headers: { 'X-Team': 'search', 'x-gateway-key': 'Key ${GATEWAY_KEY}' },
          query: { 'api-version': '2024-10-21', 'a b': 'c&d' },
        },
        { GATEWAY_KEY: SECRET },
      ),
    ).toEqual({
      credentialHeader: 'api-key',
      credentialScheme: 'none',
      headers: [
        ['x-team', 'search'],
        ['x-gateway-key', `Key ${SECRET}`],
      ],
      query: 'api-version=2024-10-21&a+b=c%26d',
      secrets: [SECRET],
    });
  });

  it.each([
    [{ headers: { Host: 'a' } }, 'providers[0].headers.Host: is a header that the gateway sets itself'],
    [{ headers: { 'content-length': '1' } }, 'headers.content-length: is a header that the gateway sets'],
    [{ headers: { connection: 'x' } }, 'headers.connection: is a header that the gateway sets itself'],
    [{ headers: { authorization: 'x' } }, 'headers.authorization: carries a credential'],
    [{ headers: { 'api-key': 'x' }, credential_header: 'Api-Key' }, 'headers.api-key: is the credential’s'],
    [{ headers: { 'x y': '1' } }, 'headers.x y: must be the name of a header'],
    [{ headers: { a: '1', A: '2' } }, 'headers.A: is listed twice'],
    [{ headers: { a: '1\r\nb: 2' } }, 'headers.a: must be visible ASCII on one line'],
    [{ headers: { a: 1 } }, 'headers.a: must be a text'],
    [{ headers: [] }, 'headers: must be a mapping'],
    [{ query: { a: 'x\ny' } }, 'query.a: must be on one line'],
    [{ credential_header: 'transfer-encoding' }, 'credential_header: is a header that the gateway sets'],
    [{ credential_header: 'a:b' }, 'credential_header: must be the name of a header'],
    [{ credential_scheme: 'Basic' }, 'credential_scheme: must be Bearer or none'],
    [{ headers: { a: '${GONE}' } }, 'headers.a: needs the variable GONE, which is not set'],
  ])('%j stops the start with the field', (fields, problem) => {
    expect(problemOf(fields)).toContain(problem);
  });

  it('never shows a value of the environment in a problem', () => {
    const problem = problemOf({ headers: { a: '${KEY}' } }, { KEY: `${SECRET}\n` });
    expect(problem).toContain('headers.a: must be visible ASCII on one line');
    expect(problem).not.toContain(SECRET);
  });
});
