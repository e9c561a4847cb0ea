import fc from 'fast-check';
import { fromByteText } from '../json/byte-text';
import { readSseFrame } from './sse-frame';
import { SseSplitter } from './sse-splitter';

function split(stream: string, cuts: readonly number[] = []): { frames: string[]; pending: string } {
  const splitter = new SseSplitter();
  const bytes = fromByteText(stream);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const frames = places.flatMap((from, index) =>
    splitter.push(bytes.subarray(from, places[index + 1] ?? from)),
  );
  return { frames, pending: splitter.pending };
}

describe('SseSplitter', () => {
  it.each([
    ['line feeds', 'data: 1\n\ndata: 2\n\n', ['data: 1\n\n', 'data: 2\n\n']],
    [
      'carriage returns with line feeds',
      'data: 1\r\n\r\ndata: 2\r\n\r\n',
      ['data: 1\r\n\r\n', 'data: 2\r\n\r\n'],
    ],
    ['carriage returns', 'data: 1\r\rdata: 2\r\rd', ['data: 1\r\r', 'data: 2\r\r']],
    [
      'a mixture',
      'data: 1\n\r\ndata: 2\r\n\ndata: 3\r\r\nd',
      ['data: 1\n\r\n', 'data: 2\r\n\n', 'data: 3\r\r\n'],
    ],
    ['a byte order mark', '\u00ef\u00bb\u00bfdata: 1\n\n', ['data: 1\n\n']],
  ])('cuts at empty lines of %s', (_, stream, frames) => {
    expect(split(stream).frames).toEqual(frames);
  });

  it('keeps an incomplete frame', () => {
    expect(split('data: 1\n\ndata: 2\n').pending).toBe('data: 2\n');
  });

  it.each([
    ['a line without its end', 'data: 2', 'data: 2\n\n'],
    ['a line without an empty one after it', 'data: 2\n', 'data: 2\n\n'],
    ['half an empty line', 'data: 2\r\n\r', 'data: 2\n\n'],
    ['a byte order mark', '\u00ef\u00bb\u00bfdata: 2', 'data: 2\n\n'],
    ['nothing', '', null],
    ['white space', '\r\n', null],
  ])('ends in a whole frame after %s', (_, stream, frame) => {
    const splitter = new SseSplitter();
    splitter.push(fromByteText(stream));
    expect(splitter.end()).toBe(frame);
  });

  it('returns the same frames however the bytes are cut into chunks', () => {
    const piece = fc.constantFrom(
      '\n',
      '\r',
      '\r\n',
      '\n\n',
      '\r\n\r\n',
      'data: x',
      ':',
      '\u00ef',
      'event: a',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat()), (pieces, cuts) => {
        const stream = pieces.join('');
        expect(split(stream, cuts)).toEqual(split(stream));
        const everyByte = Array.from({ length: stream.length }, (_, at) => at);
        expect(split(stream, everyByte)).toEqual(split(stream));
      }),
      { numRuns: 1000 },
    );
  });

  it('neither loses nor adds a byte', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('\n', '\r', 'a', ': b')), fc.array(fc.nat()), (pieces, cuts) => {
        const { frames, pending } = split(pieces.join(''), cuts);
        expect(frames.join('') + pending).toBe(pieces.join(''));
      }),
    );
  });
});

describe('readSseFrame', () => {
  it.each([
    ['data: {"a":1}\n\n', '', '{"a":1}'],
    ['data:{"a":1}\r\n\r\n', '', '{"a":1}'],
    ['event: ping\ndata: {}\n\n', 'ping', '{}'],
    ['data: {}\nevent: ping\n\n', 'ping', '{}'],
    ['event:ping\r\ndata: {}\r\n\r\n', 'ping', '{}'],
    ['id: 1\nretry: 5\ndata: [\ndata: 1]\n\n', '', '[\n1]'],
    ['data\n\n', '', null],
    [': comment\n\n', '', null],
    ['\n\n', '', null],
  ])('reads %j', (frame, event, data) => {
    expect(readSseFrame(frame)).toEqual({ event, data });
  });
});
