import { type CallMinute } from '@svc/usage/store';
import { addCall, type CallCharges, type CallSum, newCallSum } from './call-sum';
import { type EndedCall } from './ended-call';
import { SumsByMinute } from './sums-by-minute';

/** A row of the database, as it grows. */
export type CallMinuteSum = { -readonly [Field in keyof CallMinute]-?: CallMinute[Field] } & CallSum;

/** The sums of calls by minute, project, key, model and provider. */
export class CallMinuteSums extends SumsByMinute<CallMinuteSum> {
  /** @returns false where the call, or a try of it, was dropped. */
  add(call: EndedCall, charges: CallCharges, nowMs: number): boolean {
    this.enter(nowMs);
    const provider = call.servedBy?.provider.name ?? null;
    const sum = this.sumAt(call, provider);
    if (sum !== undefined) addCall(sum, call, charges);
    let isWhole = sum !== undefined;
    for (const attempt of call.attempts) {
      const tried = attempt.provider === provider ? sum : this.sumAt(call, attempt.provider);
      if (tried === undefined) isWhole = false;
      else tried.tries++;
    }
    return isWhole;
  }

  private sumAt(
    { organizationId, projectId, apiKeyId, model }: EndedCall,
    provider: string | null,
  ): CallMinuteSum | undefined {
    const key = `${apiKeyId} ${model} ${provider ?? ''} ${projectId ?? ''}`;
    return this.sumOf(key, (place) => {
      const of = { organizationId, projectId, apiKeyId, model, provider };
      return { ...place, ...of, tries: 0, ...newCallSum() };
    });
  }
}
