import { type Bucket, type BucketDemand } from '@svc/limits';

/**
 * One argument of a script: the capacities of the key's and the organization's buckets, of those of each group, and last the
 * demand. So it has two numbers for each record, and two more.
 */
export const bucketArgument = (buckets: readonly Bucket[], { requests, tokens }: BucketDemand): string =>
  `${buckets.map(({ capacity }) => capacity).join(',')},${String(requests)},${String(tokens)}`;

/** A function of Lua that reads it: the numbers, and of how many records they are. */
export const READ_BUCKET_ARGUMENT = `
local function read_bucket_argument(text)
  local numbers = {}
  for number in string.gmatch(text, '%d+') do numbers[#numbers + 1] = tonumber(number) end
  return numbers, #numbers / 2 - 1
end
`;
