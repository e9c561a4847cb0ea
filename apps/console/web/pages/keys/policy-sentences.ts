import { plainDollars } from '../../format/money';
import { formatCount } from '../../format/numbers';
import {
  allowedField,
  deniedField,
  subjects,
  type PolicyDocument,
  type Subject,
} from '../../policies/policy';
import { operationWords, someNames, subjectWords } from '../../policies/text';
import { text } from './text';

const words = text.policy;

/** The limits of a key's own policy, a sentence for each field that is set. Its addresses have a place of their own. */
export function policySentences(policy: PolicyDocument): readonly string[] {
  const { max_output_tokens: tokens, max_cost_nanos: cost, retention } = policy;
  return [
    ...subjects.flatMap((subject) => sentencesOfNames(policy, subject)),
    ...(policy.require_zero_retention ? [words.zeroRetention] : []),
    ...(policy.require_end_user ? [words.endUser] : []),
    ...(tokens === null ? [] : [words.output(formatCount(tokens))]),
    ...(cost === null ? [] : [words.cost(`$${plainDollars(cost)}`)]),
    ...(retention === null ? [] : [words.retention[retention]]),
  ];
}

function sentencesOfNames(policy: PolicyDocument, subject: Subject): readonly string[] {
  const { one, many } = subjectWords[subject];
  const { [allowedField(subject)]: allowed, [deniedField(subject)]: denied } = policy;
  const named = (names: readonly string[]) => someNames(names.map(shownName));
  return [
    ...(allowed === null
      ? []
      : [allowed.length === 0 ? words.nothing(one) : words.only(many, named(allowed))]),
    ...(denied.length === 0 ? [] : [words.never(many, named(denied))]),
  ];
}

const shownName = (name: string): string =>
  (operationWords as Readonly<Record<string, string | undefined>>)[name] ?? name;
