import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** The one address of a service whose processes come and go, as a cluster has it: each connection goes to the next of them. */
export class ServiceAddress {
  private readonly processes: URL[] = [];
  private readonly server = createServer({ noDelay: true }, (caller) => {
    const next = this.processes.shift();
    if (next === undefined) {
      caller.destroy();
      return;
    }
    this.processes.push(next);
    const process = connect({ host: next.hostname, port: Number(next.port), noDelay: true });
    // Either may break: then both end, and the caller sees that.
    pipeline(caller, process, caller, () => undefined);
  });

  static async open(): Promise<ServiceAddress> {
    const address = new ServiceAddress();
    address.server.listen(0, '127.0.0.1');
    await once(address.server, 'listening');
    return address;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  add(url: string): void {
    this.processes.push(new URL(url));
  }

  /** It gets no new connections; those that it has go on. */
  remove(url: string): void {
    this.processes.splice(
      this.processes.findIndex(({ href }) => href === new URL(url).href),
      1,
    );
  }

  /** Resolves when the last connection has ended. */
  async close(): Promise<void> {
    this.server.close();
    await once(this.server, 'close');
  }
}
