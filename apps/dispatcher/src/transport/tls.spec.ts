import { type AddressInfo } from 'node:net';
import { createServer, type Server, type TlsOptions } from 'node:tls';
import {
  certificateAuthority,
  expiredCertificate,
  namedCertificate,
  otherCertificate,
  privateKey,
} from '../testing/certificates';
import { RawReceiver } from '../testing/raw-receiver';
import { WebhookTransport, type WebhookTransportOptions } from './webhook-transport';

let servers: { close(done: () => void): unknown }[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => new Promise<void>((done) => void server.close(done))));
  servers = [];
});

const serve = async (options: TlsOptions): Promise<Server> => {
  const server = createServer({ key: privateKey, cert: namedCertificate, ...options }, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
  });
  server.on('tlsClientError', () => undefined);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};
const guard = { policy: { allowPrivate: true }, resolve: () => Promise.resolve(['127.0.0.1']) };
const trusting = { ...guard, certificateAuthorities: [certificateAuthority] };
const post = (
  port: number,
  host = 'hooks.example.com',
  options: Partial<WebhookTransportOptions> = trusting,
) =>
  new WebhookTransport({ ...guard, ...options }).post({
    url: `https://${host}:${String(port)}/`,
    headers: {},
    body: Buffer.from('{}'),
  });
const postTo = async (options: TlsOptions, host?: string) =>
  post(((await serve(options)).address() as AddressInfo).port, host);

describe('11: a secure endpoint', () => {
  it('is called when its certificate is trusted and names it', async () => {
    const asked: string[] = [];
    const SNICallback: TlsOptions['SNICallback'] = (name, done) => {
      asked.push(name);
      done(null);
    };
    expect(await postTo({ SNICallback })).toMatchObject({ statusCode: 200, error: null });
    expect(asked).toEqual(['hooks.example.com']);
  });

  it.each<[string, TlsOptions]>([
    ['has expired', { cert: expiredCertificate }],
    ['names another host', { cert: otherCertificate }],
  ])('is not told when its certificate %s', async (_, options) => {
    expect(await postTo(options)).toMatchObject({
      statusCode: null,
      error: 'tls_failed',
      responseExcerpt: null,
    });
  });

  it('is not called when no trusted authority signed its certificate', async () => {
    const { port } = (await serve({})).address() as AddressInfo;
    expect(await post(port, undefined, guard)).toMatchObject({ statusCode: null, error: 'tls_failed' });
  });

  it('is not called by its address when the certificate names a host', async () => {
    expect(await postTo({}, '127.0.0.1')).toMatchObject({ statusCode: null, error: 'tls_failed' });
  });

  it.each<[string, TlsOptions]>([
    ['speaks TLS 1.0 only', { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }],
    [
      'has no certificate for the name asked for',
      { SNICallback: (_, done) => void done(new Error('unknown')) },
    ],
    [
      'demands a client certificate, TLS 1.2',
      { requestCert: true, ca: [otherCertificate], maxVersion: 'TLSv1.2' },
    ],
    ['demands a client certificate, TLS 1.3', { requestCert: true, ca: [otherCertificate] }],
  ])('is not told when it %s', async (_, options) => {
    const answer = await postTo(options);
    expect(answer).toMatchObject({ statusCode: null, responseExcerpt: null });
    expect(['tls_failed', 'connection_closed']).toContain(answer.error);
  });

  it('has the same 10 s to finish the handshake', async () => {
    const receiver = await RawReceiver.start((socket) => void socket.resume(), true);
    servers.push({ close: (done) => void receiver.close().then(done) });
    const answer = await post(receiver.port, undefined, { ...trusting, timeoutMs: 600 });
    expect(answer).toMatchObject({ statusCode: null, error: 'timeout' });
    expect(answer.durationMs).toBeGreaterThanOrEqual(590);
  });

  it('fails when it does not speak TLS at all', async () => {
    const receiver = await RawReceiver.start((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    servers.push({ close: (done) => void receiver.close().then(done) });
    expect(await post(receiver.port)).toMatchObject({ statusCode: null, error: 'tls_failed' });
  });
});
