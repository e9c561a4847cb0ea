import { type ServerResponse } from 'node:http';

/** Resolves after `ms`, or when the client disconnects. */
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

/** Resolves when the client disconnects. */
export async function disconnection(response: ServerResponse): Promise<void> {
  if (response.closed) return;
  await new Promise<void>((resolve) => response.once('close', resolve));
}

/** Writes, and resolves when the socket has room again or the client disconnects. */
export async function writeWithBackPressure(response: ServerResponse, chunk: string | Buffer): Promise<void> {
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

/** Breaks the connection once all written bytes were sent. */
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
