import { fillIn } from './sql-template';

const template = { path: 'lanes/open.sql', text: 'CREATE FUNCTION {{open}}() ON {{lanes}}, {{lanes}};' };

describe('a template of SQL', () => {
  it('is filled in, and named after its function', () => {
    expect(fillIn(template, { open: 'open_lane', lanes: 'webhook_lanes' })).toEqual({
      path: 'lanes/open_lane.sql',
      text: 'CREATE FUNCTION open_lane() ON webhook_lanes, webhook_lanes;',
    });
  });

  it('is refused without a value for each placeholder', () => {
    expect(() => fillIn(template, { open: 'open_lane' })).toThrow(
      'lanes/open.sql has no value for {{lanes}}',
    );
  });
});
