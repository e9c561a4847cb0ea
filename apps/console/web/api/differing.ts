/** The fields of a change that differ from what there is. Another person's change of another field stays. */
export const differing = <Fields extends object>(
  fields: Fields,
  before: Readonly<Record<keyof Fields, unknown>>,
): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== before[name as keyof Fields]),
  ) as Partial<Fields>;
