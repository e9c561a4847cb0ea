import { type Fault } from './vendor-types';

/** A call as it arrived at a vendor. */
export interface VendorCall {
  /** After `/v1`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Body;
}

export type Body = Readonly<Record<string, unknown>>;

/** A vendor's answer to a call that it does not take. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

export const refusal = (message: string, status = 400): Refusal => ({ status, message });

/** The checks of one vendor before it answers. */
export interface VendorRules {
  /** The first reason to refuse the call, as the vendor words it; null for a call that it takes. */
  refuse(call: VendorCall): Refusal | null;
  /** The body of the vendor's error. */
  errorBody(refusal: Refusal): object;
  /** The body for the upstream behind, where the vendor does something unasked. */
  asked?(body: Body): Body;
}

export const listOf = (value: unknown): readonly Body[] =>
  Array.isArray(value) ? (value as readonly Body[]) : [];

/** The worst comes first: a wrong type makes other faults beside it. */
export function firstFault(faults: readonly Fault[]): Fault | undefined {
  const order: readonly Fault['problem'][] = ['missing', 'unknown', 'value', 'type'];
  return [...faults].sort((one, other) => order.indexOf(one.problem) - order.indexOf(other.problem))[0];
}
