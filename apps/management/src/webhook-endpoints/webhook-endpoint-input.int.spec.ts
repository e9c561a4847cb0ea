import { forbiddenUrls } from '../testing/forbidden-urls';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';

const ENDPOINTS = '/api/v1/webhook-endpoints';
const URL_OF_SPEC = 'https://hooks.example.com/svc';

describe('what is said of a webhook endpoint', () => {
  let management: ManagementUnderTest;

  beforeAll(async () => {
    management = await startManagement();
  });
  afterAll(() => management.close());

  const begin = async () => {
    const organization = await management.newOrganization();
    return { organization, key: await management.withKey(organization) };
  };
  const create = async (key: Client) => (await key.post(ENDPOINTS, { url: URL_OF_SPEC })).body;
  const eventsOf = async (organizationId: string) => {
    const events = await management.database.prisma.outboxEvent.findMany({ where: { organizationId } });
    return events.map(({ type }) => type);
  };

  describe('a URL', () => {
    it.each(forbiddenUrls)(
      '16, 18: is not allowed as %j, neither when the endpoint is made nor later',
      async (url) => {
        const { organization, key } = await begin();
        const { endpoint } = await create(key);
        for (const refused of [
          await key.post(ENDPOINTS, { url }),
          await key.patch(`${ENDPOINTS}/${endpoint.id}`, { url, description: 'Other' }),
        ]) {
          expect(refused).toMatchObject({
            status: 400,
            body: { error: { type: 'invalid_request', code: 'url_not_allowed', param: 'url' } },
          });
        }
        expect((await key.get(ENDPOINTS)).body.data).toEqual([endpoint]);
        expect(await eventsOf(organization.id)).toEqual(['webhook.endpoint_created']);
      },
    );

    it('19: may be http and private where the operator allows that, but never this service itself', async () => {
      const development = await startManagement({
        database: management.database,
        allowPrivateWebhooks: true,
        baseUrl: 'http://localhost:8080',
      });
      try {
        const key = await development.withKey(await development.newOrganization());
        expect((await key.post(ENDPOINTS, { url: 'http://127.0.0.1:9001/hook' })).status).toBe(201);
        const own = await key.post(ENDPOINTS, { url: 'http://localhost:8080/api/v1/projects' });
        expect(own.body.error).toMatchObject({ code: 'url_not_allowed', param: 'url' });
      } finally {
        await development.close();
      }
    });
  });

  it.each([
    ['*'],
    ['.*'],
    ['api_key.'],
    ['api_key'],
    ['API_KEY.created'],
    ['api_key.*.x'],
    ['fine_tuning.job.*'],
    [''],
  ])('33: refuse the event type %j by its place, at both times', async (type) => {
    const { key } = await begin();
    const { endpoint } = await create(key);
    const body = { event_types: ['fine_tuning.*', type] };
    for (const refused of [
      await key.post(ENDPOINTS, { url: URL_OF_SPEC, ...body }),
      await key.patch(`${ENDPOINTS}/${endpoint.id}`, body),
    ]) {
      expect(refused).toMatchObject({
        status: 400,
        body: { error: { type: 'invalid_request', code: 'unknown_event_type', param: 'event_types[1]' } },
      });
    }
  });

  it.each([
    [{}, 'url'],
    [{ url: 7 }, 'url'],
    [{ url: `${URL_OF_SPEC}\0` }, 'url'],
    [{ url: URL_OF_SPEC, event_types: null }, 'event_types'],
    [{ url: URL_OF_SPEC, event_types: 'api_key.created' }, 'event_types'],
    [{ url: URL_OF_SPEC, event_types: ['api_key.*', 7] }, 'event_types[1]'],
    [{ url: URL_OF_SPEC, event_types: ['api_key.*', 'api_key.*'] }, 'event_types[1]'],
    [{ url: URL_OF_SPEC, description: 'a\nb' }, 'description'],
    [{ url: URL_OF_SPEC, enabled: false }, 'enabled'],
    [{ url: URL_OF_SPEC, signing_secret: 'mine' }, 'signing_secret'],
  ])('33, 42: refuse %j, naming the field', async (body, param) => {
    const { key } = await begin();
    expect(await key.post(ENDPOINTS, body)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param } },
    });
  });

  it.each([
    [{ enabled: 'yes' }, 'enabled'],
    [{ url: null }, 'url'],
    [{ state: 'active' }, 'state'],
  ])('refuse the change %j, naming the field', async (body, param) => {
    const { key } = await begin();
    const { endpoint } = await create(key);
    expect(await key.patch(`${ENDPOINTS}/${endpoint.id}`, body)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param } },
    });
  });

  it('18, 42: is bounded in its length', async () => {
    const { key } = await begin();
    const tooLong = await key.post(ENDPOINTS, { url: `${URL_OF_SPEC}/${'a'.repeat(2_048)}` });
    expect(tooLong.body.error).toMatchObject({ code: 'url_not_allowed', param: 'url' });
    const told = await key.post(ENDPOINTS, { url: URL_OF_SPEC, description: 'a'.repeat(501) });
    expect(told.body.error).toMatchObject({ code: 'invalid_request', param: 'description' });
    const many = await key.post(ENDPOINTS, {
      url: URL_OF_SPEC,
      event_types: Array.from({ length: 50_000 }, (_, at) => String(at)),
    });
    expect(many.body.error).toMatchObject({ code: 'invalid_request', param: 'event_types' });
  });
});
