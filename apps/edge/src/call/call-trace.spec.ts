import { traceOf } from './call-trace';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${TRACE_ID}-00f067aa0ba902b7-01`;
const spanIds = () => {
  let made = 0;
  return () => String(++made).padStart(16, '0');
};

describe('the trace of a call', () => {
  it('has a span of the call, and one for each attempt', () => {
    const trace = traceOf({ traceparent, tracestate: 'a=1,b=2' }, spanIds());
    expect(trace).toMatchObject({
      traceId: TRACE_ID,
      parentSpanId: '00f067aa0ba902b7',
      spanId: '0000000000000001',
    });
    const headersWith = (spanId: string) => [
      ['traceparent', `00-${TRACE_ID}-${spanId}-01`],
      ['tracestate', 'a=1,b=2'],
    ];
    expect(trace?.headersOfAttempt()).toEqual(headersWith('0000000000000002'));
    expect(trace?.headersOfAttempt()).toEqual(headersWith('0000000000000003'));
  });

  it('has no tracestate when the caller sent none', () => {
    const names = traceOf({ traceparent }, spanIds())
      ?.headersOfAttempt()
      .map(([name]) => name);
    expect(names).toEqual(['traceparent']);
  });

  it('is null without a valid traceparent, whatever the tracestate', () => {
    for (const invalid of [undefined, 'none', [traceparent, traceparent]]) {
      expect(traceOf({ traceparent: invalid, tracestate: 'a=1' }, spanIds())).toBeNull();
    }
  });
});
