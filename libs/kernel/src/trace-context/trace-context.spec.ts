import fc from 'fast-check';
import { formatTraceparent, readTraceContext } from './trace-context';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN_ID = '00f067aa0ba902b7';
const VALID = `00-${TRACE_ID}-${SPAN_ID}-01`;

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const id = (length: number) => hex(length).filter((text) => /[^0]/.test(text));

describe('a traceparent', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(id(32), id(16), fc.boolean(), (traceId, spanId, isSampled) => {
        const written = formatTraceparent({ traceId, isSampled }, spanId);
        expect(readTraceContext(written)).toEqual({
          traceId,
          parentSpanId: spanId,
          isSampled,
          traceState: null,
        });
      }),
    );
  });

  it('keeps of its flags only the one that version 00 defines', () => {
    fc.assert(
      fc.property(hex(2), (flags) => {
        const read = readTraceContext(`00-${TRACE_ID}-${SPAN_ID}-${flags}`);
        expect(read?.isSampled).toBe(parseInt(flags, 16) % 2 === 1);
      }),
    );
  });

  it('of any text is read without an error, and what is read can be written and read again', () => {
    const nearly = fc
      .tuple(hex(2), hex(32), hex(16), hex(2), fc.constantFrom('', '-', '-more', '.'))
      .map(([version, traceId, spanId, flags, more]) => [version, traceId, spanId, flags].join('-') + more);
    fc.assert(
      fc.property(fc.oneof(fc.string(), nearly), (text) => {
        const read = readTraceContext(text);
        if (read === null) return;
        const again = readTraceContext(formatTraceparent(read, read.parentSpanId));
        expect(again).toEqual(read);
      }),
    );
  });

  it.each([
    ['of a later version', `01-${TRACE_ID}-${SPAN_ID}-01`],
    ['of a later version with more fields', `cc-${TRACE_ID}-${SPAN_ID}-01-what-comes`],
    ['of a later version with an empty field', `cc-${TRACE_ID}-${SPAN_ID}-01-`],
  ])('%s is read', (_, text) => {
    expect(readTraceContext(text)).toMatchObject({ traceId: TRACE_ID, parentSpanId: SPAN_ID });
  });

  it.each([
    ['that is empty', ''],
    ['of version ff', `ff-${TRACE_ID}-${SPAN_ID}-01`],
    ['with a version that is not hex', `0x-${TRACE_ID}-${SPAN_ID}-01`],
    ['with a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN_ID}-01`],
    ['with a span id of zeros', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
    ['in upper case', VALID.toUpperCase()],
    ['that is too short', VALID.slice(0, -1)],
    ['with more fields than version 00 has', `${VALID}-more`],
    ['with an empty field more', `${VALID}-`],
    ['of a later version with text after its flags', `01-${TRACE_ID}-${SPAN_ID}-01.more`],
    ['given twice', `${VALID}, ${VALID}`],
    ['followed by a line break', `${VALID}\n`],
  ])('%s is not read', (_, text) => {
    expect(readTraceContext(text, 'a=1')).toBeNull();
  });
});

describe('a tracestate', () => {
  const read = (tracestate: string) => readTraceContext(VALID, tracestate)?.traceState;

  it.each([
    'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE',
    'tenant@vendor=1, \tb_-*/=2 ,, c=!',
    Array.from({ length: 32 }, (_, at) => `k${String(at)}=v`).join(','),
    `k=${'v'.repeat(256)}`,
  ])('is kept as it came: %s', (tracestate) => {
    expect(read(tracestate)).toBe(tracestate);
  });

  it.each([
    ['is empty', ''],
    ['has empty members only', ' , '],
    ['has more than 32 members', Array.from({ length: 33 }, (_, at) => `k${String(at)}=v`).join(',')],
    ['is longer than 512 characters', `a=${'v'.repeat(250)},b=${'v'.repeat(250)},c=12345678`],
    ['has a key in upper case', 'Key=1'],
    ['has a member without a value', 'a'],
    ['has a member with an empty value', 'a='],
    ['has an equals sign in a value', 'a=b=c'],
    ['has a byte beyond ASCII', 'a=\u00e9'],
  ])('that %s is ignored, and the traceparent is not', (_, tracestate) => {
    expect(readTraceContext(VALID, tracestate)).toMatchObject({ traceId: TRACE_ID, traceState: null });
  });

  it('of any text is kept as it came, or ignored', () => {
    fc.assert(
      fc.property(fc.string(), (tracestate) => {
        expect([null, tracestate]).toContain(read(tracestate));
      }),
    );
  });
});
