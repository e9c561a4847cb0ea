import { z } from 'zod';
import { anyOf } from './any-of';
import { id } from './fields';

describe('a filter of several values', () => {
  const state = anyOf(z.enum(['on', 'off']));

  it('takes one value, or several with commas between them', () => {
    expect(state.parse('on')).toEqual(['on']);
    expect(state.parse('off,on')).toEqual(['off', 'on']);
  });

  it.each(['', 'on,', ',on', 'on,over', 'on, off'])('refuses %j as a whole', (text) => {
    const { error } = z.object({ state }).safeParse({ state: text });
    expect(error?.issues.map(({ path }) => path)).toEqual([['state']]);
  });

  it('takes at most 50 values', () => {
    const of = (count: number) => Array.from({ length: count }, () => 'on').join(',');
    expect(state.parse(of(50))).toHaveLength(50);
    expect(() => state.parse(of(51))).toThrow('must have at most 50 values');
  });

  it('has the example of its value in the document', () => {
    expect(z.toJSONSchema(anyOf(id('project')), { io: 'input' })).toMatchObject({
      type: 'string',
      example: 'proj_06dpm2q4x8k3c0v9r7t5w1hzny',
    });
  });
});
