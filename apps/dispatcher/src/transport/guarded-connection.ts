import { once } from 'node:events';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as secure } from 'node:tls';
import { type AddressPolicy, isAllowedAddress } from '@svc/events';
import { AttemptFailure } from './attempt-failure';
import { type ResolveAddresses } from './resolve-addresses';

/** Which addresses connections may go to, and how they are opened. */
export interface ConnectionGuard {
  readonly policy: AddressPolicy;
  readonly resolve: ResolveAddresses;
  /** Opens the socket; default `node:net`. For tests of the check on the connected peer. */
  readonly connect?: typeof connect;
  /** Further certificate authorities, PEM. For tests: customers' certificates must be publicly trusted. */
  readonly certificateAuthorities?: readonly string[];
}

/** The time-out of name resolution: a slow name must not hold a slot longer than a slow answer. */
const RESOLUTION_MS = 5_000;
/** After this the next of several addresses is tried. Node's default of 250 ms is too short for a distant host. */
const ADDRESS_MS = 2_500;

/**
 * The addresses of a host. One forbidden address forbids all, so that nobody gets in by mixing it with a public one.
 * @throws AttemptFailure `dns_failed`, `blocked_address`
 */
export async function allowedAddresses(
  hostname: string,
  { policy, resolve }: ConnectionGuard,
): Promise<readonly string[]> {
  const host = unbracketed(hostname);
  const addresses = isIP(host) > 0 ? [host] : await inTime(resolve(host));
  if (addresses.length === 0) throw new AttemptFailure('dns_failed');
  if (!addresses.every((address) => isAllowedAddress(address, policy))) {
    throw new AttemptFailure('blocked_address');
  }
  return addresses;
}

/**
 * Connects to one of these addresses only: the name is not resolved again, no proxy is used, and the connected peer is
 * checked once more before a byte is sent.
 * @throws AttemptFailure, also for an abort: the reason is in the signal.
 */
export async function openConnection(
  url: URL,
  addresses: readonly string[],
  guard: ConnectionGuard,
  signal: AbortSignal,
): Promise<Socket> {
  const host = unbracketed(url.hostname);
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port) || (isSecure ? 443 : 80);
  const socket = (guard.connect ?? connect)({
    host,
    port,
    lookup: pinnedTo(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_MS,
    noDelay: true,
    signal,
  });
  socket.on('error', ignore);
  await once(socket, 'connect', { signal }).catch((error: unknown) => {
    throw new AttemptFailure('connection_failed', error);
  });
  if (!isAllowedAddress(socket.remoteAddress ?? '', guard.policy)) {
    socket.destroy();
    throw new AttemptFailure('blocked_address');
  }
  return isSecure ? encrypted(socket, host, guard, signal) : socket;
}

async function encrypted(
  socket: Socket,
  host: string,
  { certificateAuthorities: ca }: ConnectionGuard,
  signal: AbortSignal,
): Promise<Socket> {
  const encryptedSocket = secure({
    socket,
    host,
    // A certificate for an address is checked against `host`: SNI takes names only.
    ...(isIP(host) > 0 ? {} : { servername: host }),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    ...(ca === undefined ? {} : { ca: [...ca] }),
  });
  encryptedSocket.on('error', ignore);
  await once(encryptedSocket, 'secureConnect', { signal }).catch((error: unknown) => {
    socket.destroy();
    throw new AttemptFailure('tls_failed', error);
  });
  return encryptedSocket;
}

/** A lookup that returns the addresses already resolved and checked. */
const pinnedTo =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, _options, callback) => {
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );
  };

const unbracketed = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/** Who waits for the socket gets the same error; without a listener a later one would end the process. */
const ignore = (): void => undefined;

function inTime(addresses: Promise<readonly string[]>): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(resolve, RESOLUTION_MS, []);
  });
  return Promise.race([addresses, late]).finally(() => {
    clearTimeout(timer);
  });
}
