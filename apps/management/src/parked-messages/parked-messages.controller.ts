import { Act, Get, List, OperatorResource, type Call } from '@svc/api';
import { ParkedMessages } from '@svc/database';
import { type Collection } from '../collection';
import { parkedMessage, parkedMessageFilters, presentParkedMessage } from './parked-message-schema';
import { PlatformParkedMessages } from './platform-parked-messages';

const ids = { parked_message_id: 'parkedMessage' } as const;

@OperatorResource({
  path: 'parked-messages',
  one: 'ParkedMessage',
  many: 'ParkedMessages',
  tag: 'Operator',
  description: 'For the operator of the platform, with the operator’s token.',
})
class ParkedMessagesController {
  constructor(private readonly messages: PlatformParkedMessages) {}

  @List('', {
    summary: 'The messages that a consumer could not process, those parked last first.',
    description: 'Also called dead letters. The message itself is not shown.',
    permission: null,
    scope: null,
    cursor: 'parkedMessage',
    query: parkedMessageFilters,
    item: parkedMessage,
  })
  async list({ page, query: { state, consumer } }: Call<{ query: typeof parkedMessageFilters }>) {
    const isResolved = state === undefined ? undefined : state === 'resolved';
    const { items, hasMore } = await this.messages.list(page, { isResolved, consumer });
    return { items: items.map(presentParkedMessage), hasMore };
  }

  @Get(':parked_message_id', {
    summary: 'One parked message.',
    permission: null,
    scope: null,
    ids,
    answer: parkedMessage,
  })
  async get({ ids }: Call<{ ids: 'parked_message_id' }>) {
    return presentParkedMessage(await this.messages.get(ids.parked_message_id));
  }

  @Act(':parked_message_id/requeue', {
    summary: 'Publishes the event of a parked message again.',
    description:
      'Every consumer gets it again, and tolerates the repeat. If processing fails again, the message waits again.',
    permission: null,
    scope: null,
    operation: 'requeueParkedMessage',
    ids,
    answer: parkedMessage,
    errors: ['conflict'],
  })
  async requeue({ caller, ids }: Call<{ ids: 'parked_message_id' }>) {
    return presentParkedMessage(await this.messages.requeue(caller, ids.parked_message_id));
  }

  @Act(':parked_message_id/discard', {
    summary: 'Gives a parked message up.',
    description: 'Nothing is processed. The message stays in the list of those that are resolved.',
    permission: null,
    scope: null,
    operation: 'discardParkedMessage',
    ids,
    answer: parkedMessage,
    errors: ['conflict'],
  })
  async discard({ caller, ids }: Call<{ ids: 'parked_message_id' }>) {
    return presentParkedMessage(await this.messages.discard(caller, ids.parked_message_id));
  }
}

export const parkedMessages: Collection = {
  controllers: [ParkedMessagesController],
  services: [PlatformParkedMessages],
  stores: [ParkedMessages],
};
