import fc from 'fast-check';
import { eventsOf } from './event-stream';

const streamOf = (chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

async function read(chunks: readonly Uint8Array[]): Promise<string[]> {
  const events = [];
  for await (const data of eventsOf(streamOf(chunks))) events.push(data);
  return events;
}

function cutAt(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const bounds = [
    0,
    ...places.map((place) => place % bytes.length).sort((one, other) => one - other),
    bytes.length,
  ];
  return bounds.slice(1).map((end, place) => bytes.slice(bounds[place], end));
}

describe('an event stream', () => {
  it.each(['\n', '\r\n', '\r'])(
    'has its events whole, wherever it is cut, with lines that end in %j',
    async (end) => {
      const lines = [
        'event: a',
        'data: {"text":"Grüße 👋"}',
        '',
        ': keep-alive',
        '',
        'data:one',
        'data: two',
        '',
        '',
      ];
      const bytes = new TextEncoder().encode(lines.join(end));
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), async (places) => {
          expect(await read(cutAt(bytes, places))).toEqual(['{"text":"Grüße 👋"}', 'one\ntwo']);
        }),
      );
    },
  );

  it('gives no event that was not ended', async () => {
    expect(await read([new TextEncoder().encode('data: whole\n\ndata: cut')])).toEqual(['whole']);
  });

  it('is cancelled by who leaves it', async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: again\n\n')),
      cancel: () => {
        isCancelled = true;
      },
    });
    for await (const data of eventsOf(body)) if (data === 'again') break;
    expect(isCancelled).toBe(true);
  });
});
