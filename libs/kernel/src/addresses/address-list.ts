import { containsRange, isFault, isInRange, parseAddressRange, type AddressRange } from './address-range';
import { parseIpAddress } from './ip-address';

/** Addresses and ranges, read. */
export type AddressList = readonly AddressRange[];

/** Reads a list of addresses and ranges. What cannot be read is left out, so that it lets nobody in. */
export const addressListOf = (texts: readonly string[]): AddressList =>
  texts.map(parseAddressRange).filter((range): range is AddressRange => !isFault(range));

/**
 * True where a list has an address. An empty list has none.
 * @param address as {@link clientAddress} tells it. What is no address is in no list.
 */
export function isAddressListed(list: AddressList, address: string): boolean {
  const parsed = parseIpAddress(address);
  return parsed !== null && list.some((range) => isInRange(parsed, range));
}

/**
 * The list of the addresses that both lists have: of two ranges that overlap the smaller one, as it was written. It may be
 * longer than either list. Null is the list of every address.
 */
export function meetAddressLists(
  one: readonly string[] | null,
  other: readonly string[] | null,
): readonly string[] | null {
  if (one === null || other === null) return one ?? other;
  const [ours, theirs] = [rangesIn(one), rangesIn(other)];
  const common = [
    ...ours.filter(({ range }) => theirs.some((outer) => containsRange(outer.range, range))),
    ...theirs.filter(({ range }) => ours.some((outer) => containsRange(outer.range, range))),
  ];
  return common.filter((each, at) => !isSpare(each.range, at, common)).map(({ text }) => text);
}

interface WrittenRange {
  readonly text: string;
  readonly range: AddressRange;
}

const rangesIn = (texts: readonly string[]): readonly WrittenRange[] =>
  texts.flatMap((text) => {
    const range = parseAddressRange(text);
    return isFault(range) ? [] : [{ text, range }];
  });

/** True where another entry has all of its addresses; of two equal ones the first stays. */
const isSpare = (range: AddressRange, at: number, all: readonly WrittenRange[]): boolean =>
  all.some(
    (other, otherAt) =>
      otherAt !== at &&
      containsRange(other.range, range) &&
      (otherAt < at || !containsRange(range, other.range)),
  );
