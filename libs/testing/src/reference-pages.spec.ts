import { referencePage, routesListedIn, tableRows } from './reference-pages';

const PAGE = `# Things

| Thing | Of           |
| ----- | ------------ |
| \`a\`   | one \\| two |

## Of an organization

### Others

| Route | Opened by | OAuth scope |
| --- | --- | --- |
| \`GET /api/v1/webhook-endpoints/{endpoint_id}\` | \`webhook:write\` | none |

## More

| Thing | Of |
| ----- | -- |
| \`b\`   | me |
`;

describe('the tables of a page', () => {
  it('are read as cells without header rows', () => {
    expect(tableRows('| A | B |\n| --- | --- |\n| a | b |\n| c | d |\n\n| E |\n| - |\n| e |\n')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e'],
    ]);
    expect(tableRows(PAGE)[0]).toEqual(['`a`', 'one \\| two']);
  });

  it('below a heading end at the next heading of its level', () => {
    expect(tableRows(PAGE, '## More')).toEqual([['`b`', 'me']]);
    expect(tableRows(PAGE, '## Of an organization')).toHaveLength(1);
    expect(() => tableRows(PAGE, '## Elsewhere')).toThrow('"## Elsewhere"');
  });

  it('of an organization’s routes include the second path', () => {
    const [, path, , twin] = routesListedIn(PAGE);
    expect(path).toEqual({
      method: 'GET',
      path: '/api/v1/webhook-endpoints/{endpoint_id}',
      openedBy: 'webhook:write',
      scope: null,
    });
    expect(twin).toEqual({
      ...path,
      path: '/api/v1/organizations/{organization_id}/webhooks/{endpoint_id}',
    });
  });

  it('exist in the pages of the reference', () => {
    expect(routesListedIn(referencePage('routes.md')).length).toBeGreaterThan(100);
  });
});
