import { Get, Replace, Resource, type Call } from '@svc/api';
import { nanos } from '@svc/kernel';
import { autoTopUp, newAutoTopUp, presentAutoTopUp } from './auto-top-up-schema';
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
    description: 'Switching it on forgets earlier failures.',
    permission: 'wallet:write',
    scope: null,
    approval: 'auto_top_up.update',
    body: newAutoTopUp,
    answer: autoTopUp,
    errors: ['conflict'],
  })
  async replace({ caller, body }: Call<{ body: typeof newAutoTopUp }>) {
    const written = await this.autoTopUps.put(caller, {
      enabled: body.enabled,
      threshold: nanos(body.threshold_nanos),
      amount: nanos(body.amount_nanos),
      monthlyCap: nanos(body.monthly_cap_nanos),
      paymentMethodId: body.payment_method_id,
    });
    return presentAutoTopUp(written, await this.autoTopUps.chargedThisMonth(caller));
  }
}
