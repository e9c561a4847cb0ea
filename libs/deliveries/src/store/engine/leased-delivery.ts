/** A delivery under a lease. The holder of the lease may make one attempt and settle it. */
export interface LeasedDelivery {
  readonly id: string;
  /** The webhook endpoint, or the integration. */
  readonly receiverId: string;
  readonly leaseId: string;
  /** A manual retry starts the next round. */
  readonly round: number;
  /** 1 to 6, within the round. */
  readonly attemptNumber: number;
  /** By the database's clock. */
  readonly claimedAt: Date;
}

/** A leased delivery that is to be sent. Each sort of receivers adds what a call is made of. */
export interface ClaimedDelivery extends LeasedDelivery {
  readonly organizationId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** When it became due. */
  readonly dueAt: Date;
}
