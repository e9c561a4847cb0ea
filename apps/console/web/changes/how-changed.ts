/** How a field changed: a name, a number that rose or fell, or anything else. */
export function howChanged(
  field: string,
  from: unknown,
  to: unknown,
): 'renamed' | 'raised' | 'lowered' | 'changed' {
  if (field === 'name') return 'renamed';
  if (!isNumber(from) || !isNumber(to)) return 'changed';
  return to > from ? 'raised' : 'lowered';
}

export const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';
