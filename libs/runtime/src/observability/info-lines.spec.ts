import { infoLines } from './info-lines';
import { linesOf } from './testing/lines-of';

const FACTS = {
  request_id: 'req_1',
  model: 'a "quoted" model,\n\u0001 ü \u2028 \ud83d\ude00',
  attempts: 2,
  ttft_ms: null,
  stream: false,
  error_code: undefined,
  cost: NaN,
  ids: ['a', null],
};

describe('lines of one message', () => {
  it.each([
    ['facts of every kind', FACTS],
    ['no facts', {}],
  ])('are those of the logger, with %s', (_, facts) => {
    const [own, byLogger] = linesOf('info', (logger) => {
      infoLines(logger, 'a "call"')(facts);
      logger.info(facts, 'a "call"');
    });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
    expect(own).toEqual({ ...byLogger, time });
    expect(Object.keys(own ?? {})).toEqual(Object.keys(byLogger ?? {}));
  });

  it('have the fields of a child logger', () => {
    const [line] = linesOf('info', (logger) => {
      infoLines(logger.child({ part: 'entry' }), 'call')({ attempts: 1 });
    });
    expect(line).toMatchObject({ service: 'edge', part: 'entry', attempts: 1, msg: 'call' });
  });

  it('are not written where the level leaves them out', () => {
    expect(linesOf('warn', (logger) => infoLines(logger, 'call')(FACTS))).toEqual([]);
  });
});
