interface RefusalDetails {
  /** Path of the invalid field (`messages[2].role`). */
  readonly param?: string;
  /** Replaces the code that chat completions derives from the status. */
  readonly code?: string;
}

/**
 * An error answer of the simulated provider, rendered in the error shape of its protocol. It is no GatewayError, because
 * the simulator plays the upstream.
 */
export class Refusal extends Error {
  readonly param: string | null;
  readonly code: string | null;

  constructor(
    readonly status: number,
    message: string,
    details: RefusalDetails = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.param = details.param ?? null;
    this.code = details.code ?? null;
  }
}
