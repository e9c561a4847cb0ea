import { isFault, meetAddressLists, parseAddressRange } from '@svc/kernel';
import { z } from 'zod';

export const ALLOWED_IPS_MAX = 100;
/** The longest form of IPv6 and a prefix. */
const ENTRY_LENGTH_MAX = 49;

const entry = z
  .string('must be a text')
  .max(ENTRY_LENGTH_MAX, `must have at most ${String(ENTRY_LENGTH_MAX)} characters`)
  .superRefine((text, { addIssue }) => {
    const range = parseAddressRange(text);
    if (!isFault(range)) return;
    addIssue(
      range.fault === 'host_bits'
        ? `has bits set behind its prefix: the range is ${range.network}`
        : 'must be an IPv4 or IPv6 address, or a range as 192.0.2.0/24',
    );
  });

/** The field `allowed_ips` of a key's policy: the addresses that may show the key. */
export const allowedIps = z
  .array(entry, 'must be a list')
  .max(ALLOWED_IPS_MAX, `must have at most ${String(ALLOWED_IPS_MAX)} entries`)
  .nullable()
  .default(null)
  .meta({
    description:
      'The only addresses and ranges (CIDR) that may show the key; null for all, empty for none. From others it is answered as a ' +
      'revoked key.',
    example: ['192.0.2.0/24', '2001:db8::7'],
  });

/**
 * The list of a key that begins with the lists of several: the addresses that are in all of them.
 * @returns null where none of them has a list. It can have more entries than {@link ALLOWED_IPS_MAX}: who writes it refuses that.
 */
export const meetAllowedIps = (...lists: readonly (readonly string[] | null)[]): readonly string[] | null =>
  lists.reduce(meetAddressLists, null);
