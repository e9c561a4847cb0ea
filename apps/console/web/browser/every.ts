interface Missing<Value> {
  readonly isMissing: Value;
}

/** Every value of a type of the API, in the order given: one that is missing or unknown does not compile. */
export const every =
  <Value extends string>() =>
  <const Values extends readonly Value[]>(
    ...values: Values & ([Value] extends [Values[number]] ? unknown : Missing<Exclude<Value, Values[number]>>)
  ): Values =>
    values;
