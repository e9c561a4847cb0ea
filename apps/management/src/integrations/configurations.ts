import { Inject, Injectable } from '@nestjs/common';
import { type Caller } from '@svc/api';
import { type WebhookUrlPolicy } from '@svc/events';
import {
  readConfiguration,
  type Configuration,
  type ConfigurationSecret,
  type GivenConfiguration,
  type IntegrationKind,
} from '@svc/deliveries';
import { GatewayError } from '@svc/kernel';
import { MemberStore } from '@svc/access/store';
import { type IntegrationRecord, integrationSecretContext } from '@svc/deliveries/store';
import { type Sealer } from '@svc/runtime';
import { SEALER, WEBHOOK_URL_POLICY } from '../runtime';

/** Reads configurations of integrations, and seals their secrets. */
@Injectable()
export class Configurations {
  constructor(
    private readonly members: MemberStore,
    @Inject(SEALER) private readonly sealer: Sealer,
    @Inject(WEBHOOK_URL_POLICY) private readonly urlPolicy: WebhookUrlPolicy,
  ) {}

  /** @throws GatewayError `urlNotAllowed`, `invalidRequest`. */
  async read(
    { organizationId }: Caller,
    kind: IntegrationKind,
    given: GivenConfiguration,
  ): Promise<Configuration> {
    const read = readConfiguration(kind, given, this.urlPolicy);
    if ('problem' in read) throw refused(read.param, read.problem, read.isUrl === true);
    for (const [at, id] of (given.member_ids ?? []).entries()) {
      const member = await this.members.findMember(organizationId, id);
      if (member?.state !== 'active') {
        throw refused(`config.member_ids[${String(at)}]`, 'there is no such active member');
      }
    }
    return read;
  }

  /**
   * A stored configuration with the fields that are given.
   * @throws GatewayError as {@link read}, and where another host would get secrets that were not given for it.
   */
  async change(
    caller: Caller,
    { id, kind, config, sealedSecret }: IntegrationRecord & { readonly sealedSecret: Buffer | null },
    given: GivenConfiguration,
  ): Promise<Configuration> {
    const secret = sealedSecret === null ? {} : this.open(id, sealedSecret);
    const before: GivenConfiguration = { ...(config as GivenConfiguration), ...secret };
    const changed = await this.read(caller, kind, { ...before, ...definedOf(given) });
    if (secret.headers !== undefined && given.headers === undefined && isOtherHost(before.url, given.url)) {
      throw refused('config.headers', 'must be given again with another host');
    }
    return changed;
  }

  seal(id: string, { shown, secret }: Configuration) {
    const sealedSecret =
      secret && this.sealer.seal(Buffer.from(JSON.stringify(secret)), integrationSecretContext(id));
    return { config: shown, sealedSecret };
  }

  private open(id: string, sealedSecret: Buffer): ConfigurationSecret {
    const opened = this.sealer.open(sealedSecret, integrationSecretContext(id));
    return JSON.parse(opened.toString()) as ConfigurationSecret;
  }
}

const refused = (param: string, problem: string, isUrl = false): GatewayError =>
  new GatewayError(isUrl ? 'urlNotAllowed' : 'invalidRequest', `${param}: ${problem}.`, { param });

const definedOf = (given: GivenConfiguration): GivenConfiguration =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

const isOtherHost = (before: string | undefined, after: string | undefined): boolean =>
  before !== undefined && after !== undefined && new URL(before).origin !== new URL(after).origin;
