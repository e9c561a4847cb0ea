import { type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { type Directive } from '../directive/directive';
import { cut, disconnection, pause, writeWithBackPressure } from './client-connection';

/**
 * Sends frames as fast as the client reads them. Faults count the frames sent before them; a fault that is due at the
 * end replaces the clean end.
 */
export async function deliverStream(
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
  frames: Iterable<string>,
  failedFrame: (sentFrames: number) => string,
  directive: Directive,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...headers,
  });
  response.flushHeaders();
  let sent = 0;
  for (const frame of frames) {
    if (await fails(response, sent, failedFrame, directive)) return;
    if (sent > 0 && directive.chunk_delay_ms !== undefined) await pause(response, directive.chunk_delay_ms);
    if (response.closed) return;
    await writeWithBackPressure(response, frame);
    sent++;
  }
  if (!(await fails(response, sent, failedFrame, directive))) response.end();
}

async function fails(
  response: ServerResponse,
  sent: number,
  failedFrame: (sentFrames: number) => string,
  { stall_after, cut_after, end_after, error_after }: Directive,
): Promise<boolean> {
  if (stall_after === sent) {
    await disconnection(response);
  } else if (cut_after === sent) {
    await cut(response);
  } else if (end_after === sent) {
    response.end();
  } else if (error_after === sent) {
    response.end(failedFrame(sent));
  } else {
    return false;
  }
  return true;
}
