import { Inject, Injectable } from '@nestjs/common';
import { OrganizationStore } from '@svc/access/store';
import { type Caller } from '@svc/api';
import { Mutations } from '@svc/approvals/store';
import { GatewayError, nanosToJson, type Nanos } from '@svc/kernel';
import { changedFields, type Transaction } from '@svc/database';
import {
  type AutoTopUpRecord,
  type AutoTopUpSettings,
  AutoTopUpStore,
  PaymentMethodStore,
} from '@svc/payments/store';
import { PAYMENTS, type OpenPayments } from '../runtime';
import { requirePayments } from './open-payments';

/** The fields that a body sets. An amount of null, and a payment method that is undefined, stay as they are. */
export interface GivenAutoTopUp {
  readonly enabled: boolean;
  readonly threshold: Nanos | null;
  readonly amount: Nanos | null;
  readonly monthlyCap: Nanos | null;
  readonly paymentMethodId: string | null | undefined;
}

/** When an organization's wallet is topped up by itself (docs/reference/payments.md#automatic-top-ups). */
@Injectable()
export class AutoTopUps {
  constructor(
    private readonly store: AutoTopUpStore,
    private readonly methods: PaymentMethodStore,
    private readonly organizations: OrganizationStore,
    private readonly mutations: Mutations,
    @Inject(PAYMENTS) private readonly payments: OpenPayments | null,
  ) {}

  /** @returns null for an organization that has never set it. */
  find({ organizationId }: Caller): Promise<AutoTopUpRecord | null> {
    return this.store.findAutoTopUp(organizationId);
  }

  chargedThisMonth({ organizationId }: Caller): Promise<Nanos> {
    return this.store.chargedThisMonth(organizationId);
  }

  /**
   * @returns null where it was never set and is switched off.
   * @throws GatewayError `conflict` for switching it on where payments are off; `invalidRequest`.
   */
  put(caller: Caller, given: GivenAutoTopUp): Promise<AutoTopUpRecord | null> {
    const { organizationId } = caller;
    if (given.enabled) requirePayments(this.payments);
    return this.mutations.run(caller, async ({ tx, audit }) => {
      // Two first ones at once would both find nothing to lock.
      await this.organizations.lockOrganization(tx, organizationId);
      await this.requireMethod(tx, organizationId, given);
      const before = await this.store.lockAutoTopUp(tx, organizationId);
      const settings = settingsOf(given, before);
      if (settings === null) return null;
      const isFresh = settings.enabled && before?.enabled !== true;
      const forgets = isFresh || settings.paymentMethodId !== before?.paymentMethodId;
      const written = await this.store.putAutoTopUp(tx, organizationId, settings, forgets);
      const known = before === null ? UNSET : audited(before);
      const changes = changedFields(known, audited(settings));
      // Switching off alone never waits for approval: it only takes power away.
      const isOff = !settings.enabled && Object.keys(changes).join() === 'enabled';
      const action = isOff ? 'auto_top_up.disable' : 'auto_top_up.update';
      await audit(action, organizationId, changes, known);
      return written;
    });
  }

  private async requireMethod(
    tx: Transaction,
    organizationId: string,
    { enabled, paymentMethodId = null }: GivenAutoTopUp,
  ): Promise<void> {
    if (paymentMethodId === null && !enabled) return;
    const method =
      paymentMethodId === null
        ? null
        : await this.methods.lockPaymentMethod(tx, organizationId, paymentMethodId);
    const isUsable = method !== null && (!enabled || method.livemode === this.payments?.provider.livemode);
    if (isUsable) return;
    throw new GatewayError(
      'invalidRequest',
      'payment_method_id must be a payment method of the organization.',
      {
        param: 'payment_method_id',
      },
    );
  }
}

/** @returns null where an amount was never given. */
function settingsOf(given: GivenAutoTopUp, before: AutoTopUpRecord | null): AutoTopUpSettings | null {
  const { enabled, paymentMethodId = before?.paymentMethodId ?? null } = given;
  const threshold = given.threshold ?? before?.threshold;
  const amount = given.amount ?? before?.amount;
  const monthlyCap = given.monthlyCap ?? before?.monthlyCap;
  if (threshold === undefined || amount === undefined || monthlyCap === undefined) return null;
  return { enabled, threshold, amount, monthlyCap, paymentMethodId };
}

const UNSET = {
  enabled: false,
  threshold_nanos: null,
  amount_nanos: null,
  monthly_cap_nanos: null,
  payment_method_id: null,
};

const audited = (settings: AutoTopUpSettings) => ({
  enabled: settings.enabled,
  threshold_nanos: nanosToJson(settings.threshold),
  amount_nanos: nanosToJson(settings.amount),
  monthly_cap_nanos: nanosToJson(settings.monthlyCap),
  payment_method_id: settings.paymentMethodId,
});
