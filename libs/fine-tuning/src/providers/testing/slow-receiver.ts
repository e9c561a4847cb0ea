import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Provider } from '@svc/catalog';

/** A provider that takes files, and reads nothing of them until it is told to. */
export class SlowReceiver {
  readonly uploads: IncomingMessage[] = [];
  private readonly server: Server = createServer((incoming, response) => {
    this.uploads.push(incoming);
    incoming.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"file-1"}');
    });
  });

  static async start(): Promise<SlowReceiver> {
    const receiver = new SlowReceiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get provider(): Provider {
    const { port } = this.server.address() as AddressInfo;
    const baseUrl = `http://127.0.0.1:${String(port)}/v1`;
    return { name: 'slow', protocol: 'openai', baseUrl, credentialEnv: null };
  }

  readAll(): void {
    for (const upload of this.uploads) upload.resume();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
