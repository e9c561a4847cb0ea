// `node start-and-call.mjs <program>`: starts the service, makes one call of the simulator's model, and stops it. The last
// line is JSON: the status of the answer, the exit code, and the hosts that the service connected to.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const recorder = join(import.meta.dirname, 'record-addresses.mjs');
const service = spawn(process.execPath, ['--import', recorder, process.argv[2]], {
  stdio: ['ignore', 'pipe', 'pipe'],
});
const output = { stdout: '', stderr: '' };
const ready = Promise.withResolvers();
for (const name of ['stdout', 'stderr'])
  service[name].setEncoding('utf8').on('data', (text) => {
    output[name] += text;
    const [, line] = /^SVC_READY (\{.*\})$/m.exec(output.stdout) ?? [];
    if (line !== undefined) ready.resolve(JSON.parse(line));
  });
const ended = once(service, 'exit');
const { base_url: url, api_key: key } = await Promise.race([
  ready.promise,
  ended.then(() => Promise.reject(new Error(output.stdout + output.stderr))),
]);
const { status } = await fetch(`${url}/v1/chat/completions`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'simulator/echo', messages: [{ role: 'user', content: 'Hi' }] }),
});
service.kill('SIGTERM');
const [code] = await ended;
const hosts = [...output.stderr.matchAll(/^CONNECTS (.+)$/gm)].map(([, host]) => host);
process.stdout.write(`${JSON.stringify({ status, code, hosts })}\n`);
