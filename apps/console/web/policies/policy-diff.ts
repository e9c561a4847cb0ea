import { stringifyExact } from '../api/exact-json';
import {
  listFields,
  valueFields,
  type ListField,
  type PolicyDocument,
  type PolicyField,
  type ValueField,
} from './policy';

type Names = readonly string[] | null;

export interface ListChange {
  readonly field: ListField;
  readonly from: Names;
  readonly to: Names;
  /** Null where one side is "all", of which nothing is added or removed. */
  readonly names: { readonly added: readonly string[]; readonly removed: readonly string[] } | null;
}
interface ValueChange {
  readonly field: ValueField;
  readonly from: PolicyDocument[ValueField];
  readonly to: PolicyDocument[ValueField];
}
export type FieldChange = ListChange | ValueChange;

export const isListChange = (change: FieldChange): change is ListChange => 'names' in change;

/** The fields that differ, in the order of the policy. The order of names in a list means nothing. */
export function policyDiff(from: PolicyDocument, to: PolicyDocument): readonly FieldChange[] {
  const lists = listFields
    .filter((field) => !isSameList(from[field], to[field]))
    .map((field) => ({ field, from: from[field], to: to[field], names: moved(from[field], to[field]) }));
  const values = valueFields
    .filter((field) => !isSameValue(from[field], to[field]))
    .map((field) => ({ field, from: from[field], to: to[field] }));
  return [...lists, ...values];
}

export const isSamePolicy = (one: PolicyDocument, other: PolicyDocument): boolean =>
  policyDiff(one, other).length === 0;

/**
 * The changes that lead from `base` to `mine`, made to `theirs` instead. A field that both changed becomes mine; of a list
 * that both changed, the names that I added and removed.
 */
export function rebased(base: PolicyDocument, mine: PolicyDocument, theirs: PolicyDocument): PolicyDocument {
  const changes = policyDiff(base, mine).map((change) => [
    change.field,
    isListChange(change) ? listOnto(change, theirs[change.field]) : change.to,
  ]);
  return { ...theirs, ...(Object.fromEntries(changes) as Partial<PolicyDocument>) };
}

/** The fields that two changes of one policy set differently. */
export function conflictsOf(
  base: PolicyDocument,
  mine: PolicyDocument,
  theirs: PolicyDocument,
): readonly PolicyField[] {
  const differing = fieldsOf(mine, theirs);
  const byThem = fieldsOf(base, theirs);
  return [...fieldsOf(base, mine)].filter((field) => byThem.has(field) && differing.has(field));
}

const fieldsOf = (from: PolicyDocument, to: PolicyDocument): ReadonlySet<PolicyField> =>
  new Set(policyDiff(from, to).map(({ field }) => field));

function listOnto({ to, names }: ListChange, theirs: Names): Names {
  if (names === null || theirs === null) return to;
  const kept = theirs.filter((name) => !names.removed.includes(name));
  return [...kept, ...names.added.filter((name) => !kept.includes(name))];
}

/** Rollouts are compared by what they say. */
const isSameValue = (one: PolicyDocument[ValueField], other: PolicyDocument[ValueField]): boolean =>
  one === other || (typeof one === 'object' && stringifyExact(one) === stringifyExact(other));

function isSameList(one: Names, other: Names): boolean {
  if (one === null || other === null) return one === other;
  const [names, others] = [new Set(one), new Set(other)];
  return names.size === others.size && [...names].every((name) => others.has(name));
}

function moved(from: Names, to: Names): ListChange['names'] {
  if (from === null || to === null) return null;
  return {
    added: to.filter((name) => !from.includes(name)),
    removed: from.filter((name) => !to.includes(name)),
  };
}
