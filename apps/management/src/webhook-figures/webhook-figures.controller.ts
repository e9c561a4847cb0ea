import { Inject } from '@nestjs/common';
import { List, Resource, type Call } from '@svc/api';
import { type Clock } from '@svc/kernel';
import { WebhookFiguresStore, FIGURES_MAX } from '@svc/deliveries/store';
import { type Collection } from '../collection';
import { CLOCK } from '../runtime';
import { presentFigures, webhookFigures as figures } from './webhook-figures-schema';

@Resource({
  path: 'webhook-endpoints/figures',
  scopedPath: 'webhooks/figures',
  one: 'WebhookFigure',
  many: 'WebhookFigures',
  tag: 'Webhook endpoints',
  description: 'How the deliveries to each endpoint went lately.',
})
class WebhookFiguresController {
  constructor(
    private readonly store: WebhookFiguresStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @List('', {
    summary: 'How the deliveries to each endpoint went in the last 24 hours, on one page.',
    description: `A count of ${FIGURES_MAX.toLocaleString('en-US')} means that many or more.`,
    permission: 'webhook:write',
    scope: null,
    cursor: null,
    item: figures,
  })
  async list({ caller }: Call) {
    const items = await this.store.listWebhookFigures(caller.organizationId, new Date(this.clock.now()));
    return { items: items.map(presentFigures), hasMore: false };
  }
}

export const webhookFigures: Collection = {
  controllers: [WebhookFiguresController],
  services: [],
  stores: [WebhookFiguresStore],
};
