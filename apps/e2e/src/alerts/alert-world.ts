import { eventually, startMailServer, type Json, type MailServer } from '@svc/testing';
import { newKey, of, type InferenceKey } from '../distributed/tenant';
import { WebhookReceiver } from '../distributed/webhook-receiver';
import { catalogOf, testModel, type CatalogDocument } from '../harness/catalog-file';
import { directed, post } from '../harness/clients';
import { startSimulator, type Simulator } from '../harness/simulator-process';
import { startSvc, type Svc } from '../harness/svc-process';
import { callApi } from '../oauth/oauth-app';

/** Its calls alone open circuits. */
export const brokenModel = 'test/broken';
const withBrokenModel = ({ providers, models, endpoints }: CatalogDocument): CatalogDocument => ({
  providers,
  models: [...models, ...models.map((model) => ({ ...model, id: brokenModel }))],
  endpoints: [
    ...endpoints,
    ...endpoints.map((endpoint) => ({ ...endpoint, model: brokenModel, upstream_model: 'broken-model' })),
  ],
});

/** A service that looks at its alert rules every second, and who hears of them: a webhook endpoint and a mail server. */
export class AlertWorld {
  readonly #rules = new Map<string, string>();

  private constructor(
    readonly svc: Svc,
    readonly receiver: WebhookReceiver,
    private readonly mailServer: MailServer,
    private readonly simulator: Simulator,
  ) {}

  static async open(): Promise<AlertWorld> {
    const mailServer = await startMailServer();
    const receiver = await WebhookReceiver.start();
    const simulator = await startSimulator();
    const svc = await startSvc({
      catalog: withBrokenModel(catalogOf({ name: 'acme', url: simulator.url })),
      env: {
        SVC_ALERT_TICK_SECONDS: '1',
        SVC_SMTP_URL: mailServer.url,
        SVC_MAIL_FROM: 'no-reply@svc.example',
        SVC_WEBHOOK_ALLOW_PRIVATE: 'true',
      },
    });
    const world = new AlertWorld(svc, receiver, mailServer, simulator);
    await world.newWebhookEndpoint(`${receiver.url}/alerts`, 'alert.*');
    return world;
  }

  async close(): Promise<void> {
    await this.svc.stop();
    await this.simulator.stop();
    await this.receiver.close();
    await this.mailServer.close();
  }

  async api(method: string, path: string, body?: object): Promise<Json> {
    return (await callApi(this.svc.baseUrl, method, `/api/v1${path}`, this.svc.apiKey, body)).body as Json;
  }

  /** @returns the status of a chat call. */
  async call(
    directive: Record<string, unknown> = {},
    { apiKey }: { readonly apiKey: string } = this.svc,
    model = testModel,
  ): Promise<number> {
    const body = { model, max_tokens: 10, messages: [directed(directive, 'Hello')] };
    return (await post({ ...this.svc, apiKey }, '/v1/chat/completions', body)).status;
  }

  newKey(): Promise<InferenceKey> {
    return newKey(this.svc, this.svc);
  }

  /** @returns the endpoint's id. */
  async newWebhookEndpoint(url: string, eventType: string): Promise<string> {
    const endpoint = { url, event_types: [eventType] };
    const { svc } = this;
    return of(201, await callApi(svc.baseUrl, 'POST', '/api/v1/webhook-endpoints', svc.apiKey, endpoint))
      .endpoint.id as string;
  }

  /** A budget that the least call exceeds. @returns its id. */
  async newTinyBudget(): Promise<string> {
    const budget = { name: 'Tiny', scope: 'organization', period: 'month', amount_nanos: 1, action: 'warn' };
    return (await this.api('POST', '/budgets', budget)).id as string;
  }

  /** Makes a rule of each metric, with these fields. */
  async watch(watched: Readonly<Record<string, object>>): Promise<void> {
    const { svc } = this;
    for (const [metric, fields] of Object.entries(watched)) {
      const notify = { roles: ['owner'] };
      const body = { name: `Of ${metric}`, metric, keep_firing_seconds: 0, notify, ...fields };
      const made = await callApi(svc.baseUrl, 'POST', '/api/v1/alert-rules', svc.apiKey, body);
      this.#rules.set(metric, of(201, made).id as string);
    }
  }

  /** Waits until the rules of these metrics are in this state. */
  statesAre(state: string, ...metrics: readonly string[]): Promise<void> {
    return eventually(async () => {
      for (const metric of metrics) {
        const rule = await this.api('GET', `/alert-rules/${this.#rules.get(metric) ?? ''}`);
        expect({ metric, ...rule }).toMatchObject({ metric, state });
      }
    }, 150_000);
  }

  async grant(amountNanos: number): Promise<void> {
    const { svc } = this;
    const grants = `/platform/v1/organizations/${svc.organizationId}/credit-grants`;
    const grant = { amount_nanos: amountNanos, reason: 'More' };
    of(201, await callApi(svc.baseUrl, 'POST', grants, svc.platformToken ?? '', grant));
  }

  /** Waits until every rule's one alert is over, and was told once as firing and once as over, by webhook and mail. */
  async allFiredOnceAndResolved(): Promise<void> {
    const rules = this.#rules.size;
    const told = (eventType: string) =>
      this.receiver.arrivals.filter((arrival) => arrival.eventType === eventType);
    const mailed = (words: string) => this.mailServer.letters().filter((text) => text.includes(words));
    await eventually(async () => {
      const alerts = (await this.api('GET', '/alerts')).data as Json[];
      expect(alerts).toHaveLength(rules);
      for (const alert of alerts) {
        expect(alert).toMatchObject({
          state: 'resolved',
          notifications: [{ status: 'sent' }, { status: 'sent' }],
        });
      }
      expect(told('alert.fired')).toHaveLength(rules);
      expect(mailed('is firing.')).toHaveLength(rules);
      expect(mailed('no longer fires.')).toHaveLength(rules);
    }, 30_000);
  }
}
