import { Get, Replace, Resource, type Call } from '@svc/api';
import { autoTopUp, givenAutoTopUp, newAutoTopUp, presentAutoTopUp } from './auto-top-up-schema';
import { AutoTopUps } from './auto-top-ups';

@Resource({
  path: 'wallet/auto-top-up',
  one: 'AutoTopUp',
  many: 'AutoTopUps',
  tag: 'Payments',
  description: 'When the wallet is topped up by itself.',
})
export class AutoTopUpsController {
  constructor(private readonly autoTopUps: AutoTopUps) {}

  @Get('', {
    summary: 'The automatic top-up of the wallet.',
    description: 'An organization that has never set it has `enabled: false`, and null elsewhere.',
    permission: 'wallet:read',
    scope: null,
    answer: autoTopUp,
  })
  async get({ caller }: Call) {
    return presentAutoTopUp(
      await this.autoTopUps.find(caller),
      await this.autoTopUps.chargedThisMonth(caller),
    );
  }

  @Replace('', {
    summary: 'Sets the automatic top-up of the wallet.',
    description: 'Switching it on forgets earlier failures. `enabled: false` alone switches it off.',
    permission: 'wallet:write',
    scope: null,
    approval: 'auto_top_up.update',
    body: newAutoTopUp,
    answer: autoTopUp,
    errors: ['conflict'],
  })
  async replace({ caller, body }: Call<{ body: typeof newAutoTopUp }>) {
    const written = await this.autoTopUps.put(caller, givenAutoTopUp(body));
    return presentAutoTopUp(written, await this.autoTopUps.chargedThisMonth(caller));
  }
}
