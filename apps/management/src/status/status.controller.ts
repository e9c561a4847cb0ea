import { Controller, Get, Inject, Req, Res, UseFilters } from '@nestjs/common';
import { ToErrorHandler } from '@svc/api';
import { type Clock } from '@svc/kernel';
import { IncidentStore } from '@svc/incidents/store';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { clientAddressOf } from '@svc/http';
import { type Collection } from '../collection';
import { BASE_URL, CLOCK } from '../runtime';
import { PublicStatusReader, type PublicStatus } from './public-status';
import { STATUS_PAGE_HEADERS, statusPage } from './status-page';
import { statusSummary } from './status-summary';
import { VisitorLimit } from './visitor-limit';

const CACHED = 'public, max-age=15';

/** The public status, without a login (docs/reference/incidents.md#status-page). */
@Controller('status')
@UseFilters(ToErrorHandler)
class StatusController {
  private readonly limit = new VisitorLimit();

  constructor(
    private readonly status: PublicStatusReader,
    @Inject(BASE_URL) private readonly baseUrl: string,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  async page(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const text = statusPage(await this.read(http));
    void reply
      .headers({ ...STATUS_PAGE_HEADERS, 'cache-control': CACHED })
      .type('text/html; charset=utf-8')
      .send(text);
  }

  @Get('summary.json')
  async summary(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const summary = statusSummary(await this.read(http), this.baseUrl);
    // Pages of other origins may show it.
    void reply.headers({ 'cache-control': CACHED, 'access-control-allow-origin': '*' }).send(summary);
  }

  private read(http: FastifyRequest): Promise<PublicStatus> {
    this.limit.count(clientAddressOf(http), this.clock.now());
    return this.status.current();
  }
}

export const publicStatus: Collection = {
  controllers: [StatusController],
  services: [PublicStatusReader],
  stores: [IncidentStore],
};
