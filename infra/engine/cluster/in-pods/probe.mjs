// Connects to each address and port that it is given, and prints those that accept.
import { connect } from 'node:net';

const TIMEOUT_MS = 5_000;
const targets = process.argv.slice(1).map((target) => target.split(':'));
const accepted = await Promise.all(
  targets.map(
    ([host, port]) =>
      new Promise((resolve) => {
        const socket = connect({ host, port: Number(port), timeout: TIMEOUT_MS });
        const end = (isAccepted) => {
          socket.destroy();
          resolve(isAccepted);
        };
        socket
          .once('connect', () => end(true))
          .once('error', () => end(false))
          .once('timeout', () => end(false));
      }),
  ),
);
process.stdout.write(
  `${targets
    .filter((_, index) => accepted[index])
    .map((target) => target.join(':'))
    .join(' ')}\n`,
);
process.exit();
