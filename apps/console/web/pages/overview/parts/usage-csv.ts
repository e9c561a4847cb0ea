import { csvOf } from '../../../format/csv';
import { plainDollars } from '../../../format/money';
import { groupOf, type Grouping, type UsageRow } from '../groups';

const counts = [
  'requests',
  'failed',
  'cancelled',
  'input_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'output_tokens',
  'reasoning_tokens',
] as const satisfies readonly (keyof UsageRow)[];

/** Sums of groups under the names of the API, every amount exact. What own accounts paid has columns where one paid. */
export function usageCsv(rows: readonly UsageRow[], by: Grouping): string {
  const hasDays = rows.some(({ day }) => day !== undefined);
  const ofEndUsers = by === 'end_user';
  const names = ofEndUsers ? ['end_user_id', 'end_user'] : [by];
  const hasOwnAccounts = rows.some(({ provider_nanos: nanos }) => nanos > 0n);
  const headers = [
    ...(hasDays ? ['day'] : []),
    ...names,
    ...counts,
    'customer_nanos',
    'customer_usd',
    ...(hasOwnAccounts ? ['provider_nanos', 'provider_usd'] : []),
  ];
  return csvOf(
    headers,
    rows.map((row) => {
      const group = groupOf(row, by);
      return [
        ...(hasDays ? [row.day ?? ''] : []),
        group === 'other' ? '' : (group.id ?? ''),
        ...(ofEndUsers ? [row.end_user ?? ''] : []),
        ...counts.map((name) => row[name]),
        row.customer_nanos,
        plainDollars(row.customer_nanos),
        ...(hasOwnAccounts ? [row.provider_nanos, plainDollars(row.provider_nanos)] : []),
      ];
    }),
  );
}
