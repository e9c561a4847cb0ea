/** Something of a call or an answer that the other protocol can't say, or not as it was said. */
export interface Loss {
  /** The parameter by its path: `seed`, `messages[2].content[0]`. */
  readonly param: string;
  /** For the caller: what became of it. Quotes nothing of the call but names. */
  readonly message: string;
}

/** Nobody reads a longer list, and a body can be made to lose millions of things. */
const LISTED_MAX = 100;

/** Collects what a translation loses, each parameter once. */
export class Losses {
  readonly #byParam = new Map<string, Loss>();

  get all(): readonly Loss[] {
    return Array.from(this.#byParam.values());
  }

  omit(param: string): void {
    this.change(
      param,
      `\`${param}\` has no counterpart in the other protocol of this call; it was left out.`,
    );
  }

  /** For what is carried, but not as it was. */
  change(param: string, message: string): void {
    const listed = this.#byParam.size;
    if (listed > LISTED_MAX || this.#byParam.has(param)) return;
    const told = listed < LISTED_MAX ? message : 'More was left out or changed than is listed here.';
    this.#byParam.set(param, { param, message: told });
  }
}

/** Reports the parameters that are set, say something, and are not among those carried. */
export function omitOthers(
  body: Readonly<Record<string, unknown>>,
  carried: ReadonlySet<string>,
  saysNothing: Readonly<Record<string, (value: unknown) => boolean>>,
  losses: Losses,
): void {
  for (const [param, value] of Object.entries(body)) {
    if (value === null || value === undefined || carried.has(param)) continue;
    if (saysNothing[param]?.(value) !== true) losses.omit(param);
  }
}
