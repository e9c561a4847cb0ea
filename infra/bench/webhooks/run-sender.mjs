// Runs a program that sends webhooks, on the core of candidates, and a receiver of them on the others.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startCandidate, stopProcess } from '../machine/processes.mjs';

const program = (name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * @param name of the program, and of the database that it is given with the receiver's port, before its other arguments
 * @param onLine is given each line of JSON that it prints
 * @param onDelay is given the delay of each webhook that came to /timed, in milliseconds
 * @throws Error with its last words when it ended without success.
 */
export async function runSender(world, name, args, { onLine, onDelay = () => undefined }) {
  const receiver = fork(program('receiver.mjs'), { execPath: world.node, execArgv: [] });
  const [port] = await once(receiver, 'message');
  receiver.on('message', onDelay);
  const databaseUrl = await world.installation.newDatabase(name);
  const sender = startCandidate(world.node, [program(`${name}.mjs`), databaseUrl, port, ...args].map(String));
  const ended = once(sender, 'exit');
  try {
    for await (const line of createInterface({ input: sender.stdout })) onLine(JSON.parse(line));
    const [code] = await ended;
    if (code !== 0) throw new Error(`${name}: ${sender.lastWords()}`);
  } finally {
    await stopProcess(sender);
    receiver.disconnect();
  }
}
