// Loaded before a service: says on standard error which hosts it connects to.
import { Socket } from 'node:net';

const { connect } = Socket.prototype;
const seen = new Set();

Socket.prototype.connect = function (...args) {
  const [given] = args.flat();
  const host =
    typeof given === 'object' && given !== null && !given.path ? (given.host ?? 'localhost') : null;
  if (host !== null && !seen.has(host)) process.stderr.write(`CONNECTS ${host}\n`);
  seen.add(host);
  return connect.apply(this, args);
};
