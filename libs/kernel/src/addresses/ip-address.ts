/** An IP address. An IPv4 address that is mapped into IPv6 (`::ffff:192.0.2.1`) is the IPv4 address. */
export interface IpAddress {
  readonly family: 4 | 6;
  /** The address as a number of 32 or 128 bits. */
  readonly value: bigint;
}

/** The longest form: six groups and four decimal numbers. */
const LENGTH_MAX = 45;
/** The prefix before the 32 bits of a mapped IPv4 address. */
const MAPPED = 0xffffn;
const IPV4_MASK = 0xffff_ffffn;
const DECIMAL_PART = /^(?:0|[1-9]\d{0,2})$/;
const GROUP = /^[0-9a-f]{1,4}$/i;
const GROUPS = 8;

/**
 * Reads an address: four decimal numbers without leading zeros, or the text of RFC 4291, section 2.2.
 * @returns null for any other text, one with a port, a zone or spaces among them.
 */
export function parseIpAddress(text: string): IpAddress | null {
  const written = parseAsWritten(text);
  return written !== null && isMapped(written) ? { family: 4, value: written.value & IPV4_MASK } : written;
}

/** The same, but a mapped address stays one of IPv6. */
export function parseAsWritten(text: string): IpAddress | null {
  if (text.length > LENGTH_MAX) return null;
  if (!text.includes(':')) {
    const value = ipv4In(text);
    return value === null ? null : { family: 4, value };
  }
  const groups = groupsIn(text);
  if (groups === null) return null;
  const value = groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
  return { family: 6, value };
}

export const isMapped = ({ family, value }: IpAddress): boolean => family === 6 && value >> 32n === MAPPED;

/** The one text of an address: RFC 5952 for IPv6. */
export function formatIpAddress({ family, value }: IpAddress): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((bits) => String((value >> bits) & 0xffn)).join('.');
  const groups = Array.from({ length: GROUPS }, (_, at) =>
    ((value >> BigInt(16 * (GROUPS - 1 - at))) & 0xffffn).toString(16),
  );
  const { start, length } = longestZeros(groups);
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

function ipv4In(text: string): bigint | null {
  const parts = text.split('.');
  if (parts.length !== 4) return null;
  let value = 0n;
  for (const part of parts) {
    if (!DECIMAL_PART.test(part) || Number(part) > 255) return null;
    value = (value << 8n) | BigInt(part);
  }
  return value;
}

/** The eight groups of an IPv6 address; null for any other text. */
function groupsIn(text: string): readonly number[] | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [head = '', tail] = halves;
  const before = groupsOf(head, tail === undefined);
  const after = tail === undefined ? [] : groupsOf(tail, true);
  if (before === null || after === null) return null;
  const missing = GROUPS - before.length - after.length;
  // `::` stands for at least one group.
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  return [...before, ...Array<number>(missing).fill(0), ...after];
}

/** @param isEnd whether four decimal numbers may stand for the last two groups. */
function groupsOf(text: string, isEnd: boolean): readonly number[] | null {
  if (text === '') return [];
  const parts = text.split(':');
  const groups: number[] = [];
  for (const [at, part] of parts.entries()) {
    if (GROUP.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const ipv4 = isEnd && at === parts.length - 1 ? ipv4In(part) : null;
    if (ipv4 === null) return null;
    groups.push(Number(ipv4 >> 16n), Number(ipv4 & 0xffffn));
  }
  return groups;
}

/** The first of the longest runs of zero groups. */
function longestZeros(groups: readonly string[]): { readonly start: number; readonly length: number } {
  let longest = { start: 0, length: 0 };
  let length = 0;
  groups.forEach((group, at) => {
    length = group === '0' ? length + 1 : 0;
    if (length > longest.length) longest = { start: at - length + 1, length };
  });
  return longest;
}
