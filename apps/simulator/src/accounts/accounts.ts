import { type BodyFields } from '../body/body-fields';
import { type Directive } from '../directive/directive';
import { PromptCache } from './prompt-cache';
import { RequestRates } from './request-rate';

interface AccountCall {
  readonly model: string;
  /** Names the account; empty for none. */
  readonly credential: string;
  readonly body: BodyFields;
}

/** The accounts of the simulated provider: their prompt caches, and their calls of the last minute. */
export class Accounts {
  private readonly cache = new PromptCache();
  private readonly rates = new RequestRates();

  /** The directive with what its fields about the account come to. */
  directed(directive: Directive, { model, credential, body }: AccountCall, nowMs: number): Directive {
    const account = `${credential}\0${model}`;
    const limited = this.withinRate(directive, account, nowMs);
    if (limited.prompt_cache !== true || limited.status !== undefined) return limited;
    const { cachedTokenCount, writtenTokenCount } = this.cache.use(account, body, nowMs);
    return { cached_tokens: cachedTokenCount, cache_write_tokens: writtenTokenCount, ...limited };
  }

  private withinRate(directive: Directive, account: string, nowMs: number): Directive {
    const { requests_per_minute: limit, headers } = directive;
    if (limit === undefined) return directive;
    const { isWithin, headers: told } = this.rates.take(account, limit, nowMs);
    const limited = { ...directive, headers: { ...told, ...headers } };
    return isWithin ? limited : { ...limited, status: 429 };
  }
}
