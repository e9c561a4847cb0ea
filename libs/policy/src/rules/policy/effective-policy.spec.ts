import fc from 'fast-check';
import { type EffectiveField, effectivePolicy, type PolicyFieldName } from './effective-policy';
import { type PolicyTriple } from './meet';
import {
  DEFAULT_KEY_POLICY_DOCUMENT,
  DEFAULT_POLICY_DOCUMENT,
  DEFAULT_PROJECT_POLICY_DOCUMENT,
  readDocumentOf,
} from './policy-document';
import { type PolicyLevel } from './policy-level';
import { arbitraryTriple } from './testing/arbitrary-policies';

const RUNS = { numRuns: 1_000 };

type Decided = ReadonlyMap<PolicyFieldName, EffectiveField>;
const LEVELS = ['organization', 'project', 'key'] as const;
const defaults = {
  organization: DEFAULT_POLICY_DOCUMENT,
  project: DEFAULT_PROJECT_POLICY_DOCUMENT,
  key: DEFAULT_KEY_POLICY_DOCUMENT,
};

/** The triple in which these levels say nothing of these fields. */
function without(triple: PolicyTriple, says: (level: PolicyLevel, field: PolicyFieldName) => boolean) {
  const changed = LEVELS.map((level) => {
    const document = triple[level];
    const kept = Object.entries(document ?? {}).filter(([field]) => says(level, field as PolicyFieldName));
    return [level, document && { ...defaults[level], ...Object.fromEntries(kept) }];
  });
  return Object.fromEntries(changed) as PolicyTriple;
}

const isDecider = (decided: Decided) => (level: PolicyLevel, field: PolicyFieldName) =>
  decided.get(field)?.decidedBy.includes(level) === true;
const textOf = ({ value }: { readonly value: unknown }) =>
  JSON.stringify(Array.isArray(value) ? value.toSorted() : value);

describe('the effective policy', () => {
  it('changes where all levels that decided a field say nothing of it', () => {
    fc.assert(
      fc.property(arbitraryTriple, (triple) => {
        const decided = effectivePolicy(triple);
        const decides = isDecider(decided);
        const changed = effectivePolicy(without(triple, (level, field) => !decides(level, field)));
        const decidedFields = [...decided].filter(([, { decidedBy }]) => decidedBy.length > 0);
        const same = decidedFields.filter(([field, was]) => textOf(changed.get(field)!) === textOf(was));
        expect(same).toEqual([]);
      }),
      RUNS,
    );
  });

  it('does not change where the other levels say nothing of it', () => {
    fc.assert(
      fc.property(arbitraryTriple, (triple) => {
        const decided = effectivePolicy(triple);
        const changed = effectivePolicy(without(triple, isDecider(decided)));
        const other = [...decided].filter(([field, was]) => textOf(changed.get(field)!) !== textOf(was));
        expect(other).toEqual([]);
      }),
      RUNS,
    );
  });

  it('names the level that decided, and none for a default', () => {
    const fields = effectivePolicy({
      organization: readDocumentOf('organization', { allowed_regions: ['eu', 'us'], denied_models: ['a/b'] }),
      project: readDocumentOf('project', { allowed_regions: ['eu'], max_output_tokens: 5 }),
      key: readDocumentOf('key', { denied_models: ['a/c'], max_output_tokens: 5 }),
    });
    expect(fields.get('allowed_regions')).toEqual({ value: ['eu'], decidedBy: ['project'] });
    expect(fields.get('denied_models')).toEqual({
      value: ['a/b', 'a/c'],
      decidedBy: ['organization', 'key'],
    });
    expect(fields.get('max_output_tokens')).toEqual({ value: 5, decidedBy: ['project', 'key'] });
    expect(fields.get('retention')).toEqual({ value: 'metadata', decidedBy: [] });
    expect(fields.get('rate_limit_rpm')).toEqual({ value: null, decidedBy: [] });
  });
});
