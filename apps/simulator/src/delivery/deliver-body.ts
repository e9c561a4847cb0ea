import { type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { type Directive } from '../directive/directive';
import { cut, disconnection } from './client-connection';

/** Sends a body in one piece, or half of it when the directive stalls, cuts or ends it early. */
export async function deliverBody(
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  body: string,
  faults: Pick<Directive, 'stall_after' | 'cut_after' | 'end_after'> = {},
): Promise<void> {
  const bytes = Buffer.from(body);
  const half = bytes.subarray(0, bytes.length >> 1);
  if (faults.end_after !== undefined) {
    response.writeHead(status, headers);
    response.write(half);
    response.end();
    return;
  }
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  if (faults.cut_after !== undefined) {
    response.write(half);
    await cut(response);
  } else if (faults.stall_after !== undefined) {
    response.write(half);
    await disconnection(response);
  } else {
    response.end(bytes);
  }
}
