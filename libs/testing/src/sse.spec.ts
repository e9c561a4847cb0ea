import { readSse, type SseFrame } from './sse';

async function framesOf(...chunks: readonly (string | Uint8Array)[]): Promise<SseFrame[]> {
  return readSse({ body: ReadableStream.from(chunks.map((chunk) => Buffer.from(chunk))) });
}

describe('readSse', () => {
  it('reads events, data of several lines and comments', async () => {
    expect(await framesOf(': alive\n\nevent: ping\ndata: {"a":\ndata: 1}\n\ndata:[DONE]\n\n')).toEqual([
      { event: null, data: null, json: undefined, comments: ['alive'] },
      { event: 'ping', data: '{"a":\n1}', json: { a: 1 }, comments: [] },
      { event: null, data: '[DONE]', json: undefined, comments: [] },
    ]);
  });

  it('reads the same however the bytes are chunked', async () => {
    const bytes = Buffer.from('data: "é😀"\r\n\r\nevent: x\r\ndata: 2\r\n\r\n');
    const whole = await framesOf(bytes);
    expect(whole.map(({ json }) => json)).toEqual(['é😀', 2]);
    expect(await framesOf(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole);
  });

  it('drops an incomplete block at the end of the stream', async () => {
    expect(await framesOf('data: 1\n\ndata: 2\n')).toHaveLength(1);
  });
});
