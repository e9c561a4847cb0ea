import { formatIpAddress, isMapped, parseAsWritten, type IpAddress } from './ip-address';

/** Addresses of one family that follow each other: all that a prefix of CIDR names, or one address. */
export interface AddressRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/** Why a text is no range. `network` is the range that the text's prefix names. */
type RangeFault =
  { readonly fault: 'unreadable' } | { readonly fault: 'host_bits'; readonly network: string };

const PREFIX = /^(?:0|[1-9]\d{0,2})$/;
/** The bits before an IPv4 address in its mapped form. */
const MAPPED_BITS = 96;

/**
 * Reads an address, or a range in CIDR notation (RFC 4632 section 3.1, RFC 4291 section 2.3). A range of mapped IPv4 addresses
 * (`::ffff:192.0.2.0/120`) is the IPv4 range. A wider IPv6 range (`::/0`) has no IPv4 address in it.
 */
export function parseAddressRange(text: string): AddressRange | RangeFault {
  const [addressText = '', prefixText, ...rest] = text.split('/');
  const written = parseAsWritten(addressText);
  if (written === null || rest.length > 0) return { fault: 'unreadable' };
  const bits = bitsOf(written.family);
  if (prefixText === undefined) return rangeOf(written, bits);
  const prefix = Number(prefixText);
  if (!PREFIX.test(prefixText) || prefix > bits) return { fault: 'unreadable' };
  const hostBits = hostBitsOf(written.family, prefix);
  if ((written.value & hostBits) !== 0n) {
    const network = formatIpAddress({ family: written.family, value: written.value & ~hostBits });
    return { fault: 'host_bits', network: `${network}/${prefixText}` };
  }
  return rangeOf(written, prefix);
}

export const isFault = (range: AddressRange | RangeFault): range is RangeFault => 'fault' in range;

export const isInRange = ({ family, value }: IpAddress, range: AddressRange): boolean =>
  family === range.family && range.first <= value && value <= range.last;

/** True where each address of `inner` is in `outer`. */
export const containsRange = (outer: AddressRange, inner: AddressRange): boolean =>
  outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;

function rangeOf(written: IpAddress, prefix: number): AddressRange {
  if (isMapped(written) && prefix >= MAPPED_BITS) {
    return rangeOf({ family: 4, value: written.value & hostBitsOf(4, 0) }, prefix - MAPPED_BITS);
  }
  const { family, value } = written;
  return { family, first: value, last: value | hostBitsOf(family, prefix) };
}

const bitsOf = (family: 4 | 6): number => (family === 4 ? 32 : 128);

/** A number whose bits are set behind the prefix. */
const hostBitsOf = (family: 4 | 6, prefix: number): bigint => (1n << BigInt(bitsOf(family) - prefix)) - 1n;
