import { type JsonRecord } from '../json/byte-text';

/** A part of a call or an answer that translation dropped or changed. */
export interface Loss {
  /** Path of the parameter: `seed`, `messages[2].content[0]`. */
  readonly param: string;
  /** The fate of the parameter, for the caller. It quotes only names from the call. */
  readonly message: string;
}

/** A bound, because a crafted body could cause millions of losses. */
const LISTED_MAX = 100;

/** Collects the losses of a translation, each parameter once. */
export class Losses {
  readonly #byParam = new Map<string, Loss>();
  readonly #nameOf: (param: string) => string;
  readonly #into: Losses | null;

  /**
   * @param nameOf the caller's name of a parameter, for a translation in two steps
   * @param into where the losses of the second step go
   */
  constructor(nameOf: (param: string) => string = (param) => param, into: Losses | null = null) {
    this.#nameOf = nameOf;
    this.#into = into;
  }

  get all(): readonly Loss[] {
    return Array.from(this.#byParam.values());
  }

  omit(param: string): void {
    const name = this.#nameOf(param);
    this.#list(name, `\`${name}\` has no counterpart in the other protocol of this call; it was left out.`);
  }

  /** Reports a parameter whose value the model would refuse. */
  refuse(param: string): void {
    const name = this.#nameOf(param);
    this.#list(name, refusedMessage(name));
  }

  /** Reports a member of a message that the provider does not know. */
  unknown(param: string): void {
    const name = this.#nameOf(param);
    this.#list(name, `The provider does not know \`${name}\`; it was left out.`);
  }

  /** Reports reasoning that the provider did not write, and would refuse. */
  foreignReasoning(param: string): void {
    const name = this.#nameOf(param);
    this.#list(name, `\`${name}\` is reasoning of another provider; it was left out.`);
  }

  /** Reports a parameter that was sent in a changed form. */
  change(param: string, message: string): void {
    this.#list(this.#nameOf(param), message);
  }

  #list(param: string, message: string): void {
    if (this.#into !== null) {
      this.#into.#list(param, message);
      return;
    }
    const listed = this.#byParam.size;
    if (listed > LISTED_MAX || this.#byParam.has(param)) return;
    const shown = listed < LISTED_MAX ? message : 'More was left out or changed than is listed here.';
    this.#byParam.set(param, { param, message: shown });
  }
}

export const refusedMessage = (param: string): string =>
  `The model does not take this value of \`${param}\`; it was left out.`;

interface TranslatedFields {
  /** Fields that translation reads. */
  readonly carried: ReadonlySet<string>;
  /** Values that equal the default, so dropping them is no loss. */
  readonly isDefault: Readonly<Record<string, (value: unknown) => boolean>>;
  /** Fields that the endpoint takes beyond its protocol. */
  readonly extra: ReadonlySet<string> | undefined;
}

/**
 * The parameters that the endpoint takes beyond its protocol, as they are. Every other set parameter that is neither
 * translated nor at its default is reported as a loss.
 */
export function untranslatedFields(
  body: JsonRecord,
  { carried, isDefault, extra }: TranslatedFields,
  losses: Losses,
): JsonRecord {
  const sent: [string, unknown][] = [];
  for (const [param, value] of Object.entries(body)) {
    if (value === null || value === undefined || carried.has(param)) continue;
    if (extra?.has(param) === true) sent.push([param, value]);
    else if (isDefault[param]?.(value) !== true) losses.omit(param);
  }
  return Object.fromEntries(sent);
}
