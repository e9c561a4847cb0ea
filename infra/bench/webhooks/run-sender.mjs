// Runs a program that sends webhooks, on the core of candidates, and a receiver of them on the others.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startCandidate, stopProcess } from '../machine/processes.mjs';

const program = (name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * @param name of the program and of its database; the database's URL and the receiver's port are its first arguments
 * @param onLine called with each line of JSON that it prints
 * @param onDelay called with the delay of each webhook at /timed, in milliseconds
 * @throws Error with its last output when it failed.
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
    if (code !== 0) throw new Error(`${name}: ${sender.lastOutput()}`);
  } finally {
    await stopProcess(sender);
    receiver.disconnect();
  }
}
