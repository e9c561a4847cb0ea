// Takes whatever it is sent, and prints it: a receiver of webhooks.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

createServer(async (incoming, answer) => {
  console.log(await text(incoming));
  answer.end();
}).listen(8080);
process.once('SIGTERM', () => process.exit());
