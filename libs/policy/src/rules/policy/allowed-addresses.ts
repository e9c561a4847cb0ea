import { z } from 'zod';

const ADDRESSES_MAX = 100;
const ADDRESS_LENGTH_MAX = 64;

/** One address or one CIDR block of `allowed_ips`. */
const allowedAddress = z
  .string('must be a text')
  .min(1, 'must not be empty')
  .max(ADDRESS_LENGTH_MAX, `must have at most ${String(ADDRESS_LENGTH_MAX)} characters`)
  .regex(/^[0-9A-Fa-f.:/]+$/, 'must be an IP address or a CIDR block')
  .meta({ example: '192.0.2.0/24' });

/** The field `allowed_ips` of a key's policy. */
export const allowedAddresses = z
  .array(allowedAddress, 'must be a list')
  .max(ADDRESSES_MAX, `must have at most ${String(ADDRESSES_MAX)} entries`)
  .nullable()
  .default(null)
  .meta({
    description: 'The only addresses from which the key can be used; null for all, empty for none.',
    example: ['192.0.2.0/24'],
  });

/** The entries that both lists have, so that a key hands on no more addresses than it has. */
export const meetAddresses = (one: readonly string[], other: readonly string[]): readonly string[] =>
  one.filter((address) => other.includes(address));
