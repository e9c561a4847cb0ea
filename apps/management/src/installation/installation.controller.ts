import { Get, OperatorResource } from '@svc/api';
import { InstallationHealth } from '@svc/ledger/store';
import { packageVersion } from '@svc/runtime';
import { type Collection } from '../collection';
import { installationHealth, presentHealth } from './installation-schema';

@OperatorResource({
  path: 'health',
  one: 'InstallationHealth',
  many: 'InstallationHealth',
  tag: 'Operator',
  description: 'For the operator of the platform, with the operator’s token.',
})
class InstallationController {
  constructor(private readonly health: InstallationHealth) {}

  @Get('', {
    summary: 'Whether the installation keeps up: its workers, its edges, and what waits.',
    description:
      'A queue whose oldest item is old is not being worked on. `GET /metrics` of each service has more.',
    permission: null,
    scope: null,
    answer: installationHealth,
  })
  async get() {
    return presentHealth(await this.health.read(), packageVersion());
  }
}

export const installation: Collection = {
  controllers: [InstallationController],
  services: [],
  stores: [InstallationHealth],
};
