import { useState } from 'react';
import { documentOf, type Policy, type PolicyDocument, type PolicyLevel } from '../../policies/policy';
import { isSamePolicy, policyDiff, rebased } from '../../policies/policy-diff';
import { jsonOf, readPolicyJson, type JsonProblem } from './policy-json';

interface Held {
  /** The version that the draft began with. */
  readonly base: Policy;
  readonly document: PolicyDocument;
  /** The JSON as it is typed; null while it is what the document says. */
  readonly json: string | null;
}

export interface Draft {
  readonly base: Policy;
  readonly document: PolicyDocument;
  readonly changedCount: number;
  readonly json: string;
  readonly jsonProblem: JsonProblem | null;
  /** Another version is in force than the draft began with. */
  readonly isOutdated: boolean;
  readonly change: (fields: Partial<PolicyDocument>) => void;
  readonly typeJson: (json: string) => void;
  /** Begins again with a version. */
  readonly startFrom: (policy: Policy) => void;
  /** Puts the changes on a version that was written since. */
  readonly putOn: (policy: Policy) => void;
}

const begun = (level: PolicyLevel, base: Policy): Held => ({
  base,
  document: documentOf(level, base),
  json: null,
});

/** A policy that is edited. Without changes it follows the version in force. */
export function useDraft(level: PolicyLevel, current: Policy): Draft {
  const [held, setHeld] = useState(() => begun(level, current));
  const { base, document, json } = held;
  const problem = json === null ? null : problemOf(level, json);
  const isUnchanged = problem === null && isSamePolicy(document, base);
  const isBehind = base.version !== current.version;
  if (isBehind && (isUnchanged || (problem === null && isSamePolicy(document, current))))
    setHeld(begun(level, current));
  return {
    base,
    document,
    changedCount: policyDiff(base, document).length,
    json: json ?? jsonOf(level, document),
    jsonProblem: problem,
    isOutdated: isBehind && !isUnchanged,
    change: (fields) =>
      setHeld((before) => ({ ...before, document: { ...before.document, ...fields }, json: null })),
    typeJson: (typed) => {
      const read = readPolicyJson(level, typed);
      setHeld((before) => ({
        ...before,
        json: typed,
        document: 'document' in read ? read.document : before.document,
      }));
    },
    startFrom: (policy) => setHeld(begun(level, policy)),
    putOn: (policy) =>
      setHeld((before) => ({
        base: policy,
        document: rebased(documentOf(level, before.base), before.document, documentOf(level, policy)),
        json: null,
      })),
  };
}

function problemOf(level: PolicyLevel, json: string): JsonProblem | null {
  const read = readPolicyJson(level, json);
  return 'problem' in read ? read.problem : null;
}
