import { once } from 'node:events';
import { request } from 'node:http';

/** `host` is that of the Ingress, where the URL names its controller: `fetch` would not send it. */
const [url, key, body, host] = process.argv.slice(1);
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...(host && { host }) };
const call = request(url, { method: 'POST', headers }).end(body);
const [answer] = await once(call, 'response');
process.stdout.write(`${answer.statusCode} ${Buffer.concat(await answer.toArray())}\n`);
process.exit(answer.statusCode < 300 ? 0 : 1);
