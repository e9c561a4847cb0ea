import { type Documented, type DocumentedOperation } from './documented';
import { referencePage } from './reference-page';

const HOSTILE = '</code><script>alert(1)</script>"\'&';

const documentOf = (
  paths: Record<string, Record<string, Partial<DocumentedOperation>>>,
  schemas: NonNullable<Documented['components']>['schemas'] = {},
): Documented => ({
  info: { title: 'Svc', version: '1.0.0', description: 'One.\n\nTwo with `code`.' },
  servers: [{ url: 'https://svc.example' }],
  tags: [{ name: 'Things', description: 'For this spec.' }],
  paths: Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [
          method,
          { operationId: `${method}Thing`, tags: ['Things'], summary: 'Does.', responses: {}, ...operation },
        ]),
      ),
    ]),
  ),
  components: { schemas },
});

/** The page's text, without the markup. */
const textOf = (page: string): string =>
  page
    .replace(/<style>[^]*?<\/style>/, '')
    .replaceAll(/<\/p>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');

const json = (schema: object) => ({ content: { 'application/json': { schema } } });

describe('the reference page', () => {
  it('shows a route that two paths serve once, with both of them', () => {
    const page = referencePage(
      documentOf({
        '/api/v1/things': { get: { operationId: 'listThings' } },
        '/api/v1/organizations/{organization_id}/things': {
          get: { operationId: 'listThingsInOrganization' },
        },
      }),
    );
    expect(page.match(/<article/g)).toHaveLength(1);
    expect(textOf(page)).toContain('GET /api/v1/things GET /api/v1/organizations/{organization_id}/things');
  });

  it('says of every field what it is, how it is bounded, and whether it must be there', () => {
    const schema = {
      type: 'object',
      required: ['name', 'limits'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 200, description: 'What it is called.' },
        scope_id: { type: 'string', pattern: '^proj_[0-9a-hjkmnp-tv-z]{26}$' },
        state: { type: 'string', enum: ['active', 'archived'] },
        limits: { anyOf: [{ $ref: '#/components/schemas/Limits' }, { type: 'null' }] },
        tries: { type: 'array', items: { $ref: '#/components/schemas/Limits' } },
        when: { type: 'string', format: 'date-time', default: null },
      },
    };
    const Limits = {
      type: 'object',
      properties: { rpm: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } },
    } as const;
    const page = referencePage(
      documentOf({ '/api/v1/things': { post: { requestBody: json(schema) } } }, { Limits }),
    );
    const text = textOf(page);
    for (const said of [
      'name string required What it is called. 1–200 characters',
      'scope_id id proj_…',
      'state string active archived',
      'limits object or null required',
      'limits.rpm integer at least 1',
      'tries array of object',
      'tries[].rpm integer at least 1',
      'when timestamp default null',
    ])
      expect(text).toContain(said);
  });

  it('has the permission and the scope of a route, or that it has none', () => {
    const security = [{ apiKey: ['wallet:read'] }, { session: ['wallet:read'] }];
    const shown = (operation: Partial<DocumentedOperation>) =>
      textOf(referencePage(documentOf({ '/api/v1/things': { get: { security, ...operation } } })));
    expect(shown({ 'x-permission': 'wallet:read', 'x-oauth-scope': null })).toContain(
      'Permission wallet:read OAuth scope closed to access tokens',
    );
    expect(shown({ 'x-permission': null, 'x-oauth-scope': 'openid' })).toContain(
      'Permission none OAuth scope openid',
    );
    expect(shown({ security: [] })).toContain('Open to everybody.');
    expect(shown({ security: [{ operator: [] }] })).toContain('For the operator alone.');
  });

  it('has a call for a shell with no more than must be sent, whatever quotes are in it', () => {
    const schema = {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', example: `Ada's $HOME` }, note: { type: 'string' } },
    };
    const page = referencePage(
      documentOf({
        '/api/v1/things/{thing_id}': { patch: { security: [{ apiKey: [] }], requestBody: json(schema) } },
      }),
    );
    expect(textOf(page)).toContain(
      String.raw`curl -sS -X PATCH \ "https://svc.example/api/v1/things/$THING_ID" \ -H "Authorization: Bearer $SVC_API_KEY" \ -H 'Content-Type: application/json' \ -d '{"name":"Ada'\''s $HOME"}'`,
    );
  });

  it('sends a form where a route takes no JSON', () => {
    const schema = { type: 'object', properties: { grant_type: { const: 'refresh_token' } } } as const;
    const content = { 'application/x-www-form-urlencoded': { schema } };
    const page = referencePage(documentOf({ '/token': { post: { requestBody: { content } } } }));
    expect(textOf(page)).toContain(`--data-urlencode 'grant_type=refresh_token'`);
  });

  it('explains each error once, and links to it from where it can happen', () => {
    const error = (code: string) => ({
      value: { error: { code, type: 'invalid_request', retriable: false } },
    });
    const answer = {
      description: '`invalid_request`: malformed; say what; `conflict`: the state forbids it',
      content: {
        'application/json': { examples: { one: error('invalid_request'), two: error('conflict') } },
      },
    };
    const page = referencePage(
      documentOf({
        '/a': { get: { operationId: 'a', responses: { '409': answer } } },
        '/b': { get: { operationId: 'b', responses: { '409': answer } } },
      }),
    );
    expect(page.match(/href="#error-409-conflict"/g)).toHaveLength(2);
    expect(page.match(/id="error-409-conflict"/g)).toHaveLength(1);
    expect(textOf(page)).toContain('409 invalid_request malformed; say what type invalid_request');
    expect(textOf(page)).toContain('409 conflict the state forbids it type invalid_request');
  });

  it('shows whatever is in the document as text', () => {
    const page = referencePage({
      ...documentOf({
        [`/${HOSTILE}`]: {
          get: { summary: HOSTILE, description: HOSTILE, requestBody: json({ example: HOSTILE }) },
        },
      }),
      tags: [{ name: 'Things', description: HOSTILE }],
    });
    expect(page).not.toContain('<script');
    expect(textOf(page)).toContain(HOSTILE);
  });
});
