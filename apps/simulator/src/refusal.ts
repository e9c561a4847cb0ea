export interface RefusalDetails {
  /** Field at fault, by its path (`messages[2].role`). */
  readonly param?: string;
  /** Replaces the code that chat completions derives from the status. */
  readonly code?: string;
}

/**
 * A call that the simulated provider turns down. It is rendered in the error shape of the protocol that was
 * spoken, which is why it is no GatewayError: the simulator plays the far side of the gateway.
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
