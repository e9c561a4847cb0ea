// Receives webhooks, in its own process, as real receivers do. Sends its port by IPC, and for each webhook at /timed the
// milliseconds since its event was created.
import { createServer } from 'node:http';

const server = createServer((incoming, answer) => {
  const arrivedAtMs = Date.now();
  if (incoming.url !== '/timed') {
    incoming.resume().on('end', () => answer.writeHead(204).end());
    return;
  }
  let text = '';
  incoming
    .setEncoding('utf8')
    .on('data', (chunk) => (text += chunk))
    .on('end', () => {
      answer.writeHead(204).end();
      process.send(arrivedAtMs - Date.parse(JSON.parse(text).created_at));
    });
});
server.listen(0, '0.0.0.0', 4096, () => process.send(server.address().port));
process.once('disconnect', () => process.exit());
