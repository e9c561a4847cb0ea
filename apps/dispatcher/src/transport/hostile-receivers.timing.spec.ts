import { eventually } from '@svc/testing';
import { dripping, type RawBehaviour, RawReceiver } from '../testing/raw-receiver';
import { systemAddresses } from './resolve-addresses';
import { WebhookTransport } from './webhook-transport';

let receivers: RawReceiver[] = [];
afterEach(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  receivers = [];
});

const start = async (behave: RawBehaviour, whenConnected = false): Promise<RawReceiver> => {
  const receiver = await RawReceiver.start(behave, whenConnected);
  receivers.push(receiver);
  return receiver;
};
const transport = new WebhookTransport({ policy: { allowPrivate: true }, resolve: systemAddresses });
const post = (url: string) => transport.post({ url, headers: {}, body: Buffer.from('{"é":1}') });
const gone = (receiver: RawReceiver) =>
  eventually(() => {
    expect(receiver.openSockets).toBe(0);
  });

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

describe('time', () => {
  it('1, 2, 7, 12: is 10 s from the first connect to the head of the answer, whatever arrives meanwhile', async () => {
    const silent = await start(() => undefined);
    const mute = await start((socket) => void socket.resume(), true);
    const dripped = await start(dripping('HTTP/1.1 200 OK\r\nX-Long: ', 'a', 300));
    const hinting = await start(dripping('', 'HTTP/1.1 103 Early Hints\r\n\r\n', 300));
    const late = await start((socket) => setTimeout(() => socket.end(OK), 10_600));
    const justInTime = await start((socket) => setTimeout(() => socket.end(OK), 9_300));
    const answers = await Promise.all(
      [silent, mute, dripped, hinting, late, justInTime].map(({ url }) => post(url)),
    );
    for (const answer of answers.slice(0, 5)) {
      expect(answer).toMatchObject({ statusCode: null, error: 'timeout', responseExcerpt: null });
      expect(answer.durationMs).toBeGreaterThanOrEqual(9_990);
      expect(answer.durationMs).toBeLessThan(11_000);
    }
    expect(answers[5]).toMatchObject({ statusCode: 200, error: null });
    await Promise.all([silent, mute, dripped, hinting].map(gone));
  });
});
