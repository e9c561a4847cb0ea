import { Injectable } from '@nestjs/common';
import { known, type Caller } from '@svc/api';
import { type Mutation, Mutations } from '@svc/approvals/store';
import { GatewayError, type Page, type Slice } from '@svc/kernel';
import {
  initialFields,
  ParkedMessages,
  PLATFORM_LOG,
  type ParkedMessage,
  type ParkedMessageFilter,
} from '@svc/database';

/** The messages that no consumer could process (docs/reference/operator-api.md#parked-messages). */
@Injectable()
export class PlatformParkedMessages {
  constructor(
    private readonly messages: ParkedMessages,
    private readonly mutations: Mutations,
  ) {}

  list(page: Page, filter: ParkedMessageFilter): Promise<Slice<ParkedMessage>> {
    return this.messages.listParkedMessages(page, filter);
  }

  /** @throws GatewayError `notFound`. */
  async get(id: string): Promise<ParkedMessage> {
    return known(await this.messages.findParkedMessage(id));
  }

  /** Publishes its event again, to every consumer. @throws GatewayError `notFound`, `conflict`. */
  requeue(caller: Caller, id: string): Promise<ParkedMessage> {
    return this.resolve(caller, id, async ({ tx, audit }, message) => {
      const { eventId } = message;
      if (eventId === null) throw new GatewayError('conflict', 'The message is no event.');
      if (!(await this.messages.publishAgain(tx, eventId))) {
        throw new GatewayError('conflict', 'The event is not kept any more.');
      }
      await audit('parked_message.requeue', id, initialFields(audited(message)));
    });
  }

  /** Gives it up. @throws GatewayError `notFound`, `conflict`. */
  discard(caller: Caller, id: string): Promise<ParkedMessage> {
    return this.resolve(caller, id, ({ audit }, message) =>
      audit('parked_message.discard', id, initialFields(audited(message))),
    );
  }

  private async resolve(
    caller: Caller,
    id: string,
    work: (mutation: Mutation, message: ParkedMessage) => Promise<void>,
  ): Promise<ParkedMessage> {
    await this.get(id);
    return this.mutations.run({ ...caller, organizationId: PLATFORM_LOG }, async (mutation) => {
      const message = await this.messages.resolve(mutation.tx, id, mutation.at);
      if (message === null) throw new GatewayError('conflict', 'The message is resolved already.');
      await work(mutation, message);
      return message;
    });
  }
}

/** Without the reason, which may quote what was sent. */
const audited = ({ consumer, eventId, eventType }: ParkedMessage) => ({
  consumer,
  event_id: eventId,
  event_type: eventType,
});
