import { type ServerResponse } from 'node:http';

/** Resolves after the time or as soon as the client has left. */
export async function pause(response: ServerResponse, ms: number): Promise<void> {
  if (ms === 0 || response.closed) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    response.once('close', done);
    function done(): void {
      clearTimeout(timer);
      response.off('close', done);
      resolve();
    }
  });
}

/** Resolves when the client has left: what a silent provider waits for. */
export async function departure(response: ServerResponse): Promise<void> {
  if (response.closed) return;
  await new Promise<void>((resolve) => response.once('close', resolve));
}

/** Writes, and resolves when there is room for more or nobody left to read it. */
export async function writeWithRoom(response: ServerResponse, chunk: string | Buffer): Promise<void> {
  if (response.write(chunk) || response.closed) return;
  await new Promise<void>((resolve) => {
    response.once('drain', done);
    response.once('close', done);
    function done(): void {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    }
  });
}

/** Breaks the connection once all that was written has left for the client. */
export async function cut(response: ServerResponse): Promise<void> {
  const { socket } = response;
  if (socket === null) return;
  await new Promise<void>((resolve) => {
    socket.write('', () => {
      resolve();
    });
  });
  socket.destroy();
}
