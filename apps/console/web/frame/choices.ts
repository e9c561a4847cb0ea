import { type IdKind, isId } from '@svc/kernel';
import { useProjects } from '../api/use-active-projects';
import { useRead } from '../api/use-api';
import { providersOf } from '../api/providers';
import { useCatalog } from '../api/use-catalog';
import { useNames } from '../api/use-names';
import { usePeople } from '../api/use-people';
import { shortSubject } from '../format/ids';
import { visibleText } from '../format/visible-text';
import { useCan } from '../session/organization';
import { type Choice } from '../ui/fields/choice';

const OFFERED = 20;
/** More members, budgets and end users than a list offers are found by their ids. */
const LISTED = 100;
const END_USERS = 50;
/** In place of an id: the end users beyond those that a day names. */
const UNNAMED = '(other)';

/** A search for a choice. */
interface Sought {
  /** The typed text, without spaces around it. */
  readonly typed: string;
  /** Ids that may be no part of the list and have names all the same: the chosen one, and one that is typed. */
  readonly named: readonly string[];
  /** Whether what takes no new calls is offered, too: a filter finds the calls of a revoked key. */
  readonly isPast: boolean;
}
export type UseChoices = (sought: Sought) => readonly Choice<string>[];

const choiceOf = (value: string, label: string): Choice<string> => ({
  value,
  label: visibleText(label),
  ...(label !== value && { note: value }),
});

/** Those that have what is typed in a name, in any case; not more than a list shows. */
function matching(typed: string, offered: readonly Choice<string>[]): readonly Choice<string>[] {
  const sought = typed.toLowerCase();
  const has = ({ label, note = '' }: Choice<string>) => `${label}\n${note}`.toLowerCase().includes(sought);
  return offered.filter(has).slice(0, OFFERED);
}

const idsOf = (kind: IdKind, values: readonly string[]): readonly string[] =>
  values.filter((value) => isId(kind, value));

/** First those that are named by their ids, then what was found. */
const withNamed = (
  names: ReadonlyMap<string, string>,
  found: readonly Choice<string>[],
): readonly Choice<string>[] => [
  ...[...names].map(([id, name]) => choiceOf(id, name)),
  ...found.filter(({ value }) => !names.has(value)),
];

/** Keys are searched by the API, since there may be many. */
export const useKeyChoices: UseChoices = ({ typed, named, isPast }) => {
  const q = typed === '' || isId('apiKey', typed) ? undefined : typed;
  const query = { limit: OFFERED, q, ...(isPast ? {} : { state: 'active' as const }) };
  const keys = useRead('/keys', { params: { query } }, { enabled: useCan('key:read'), keepsPrevious: true });
  const sought = typed.toLowerCase();
  // Until the API has answered, the list is that of what was typed before.
  const found = (keys.data?.data ?? [])
    .filter(({ name, prefix }) => name.toLowerCase().includes(sought) || prefix.startsWith(typed))
    .map(({ id, name }) => choiceOf(id, name));
  return withNamed(useNames('/keys', idsOf('apiKey', named)), found);
};

export const useProjectChoices: UseChoices = ({ typed, named, isPast }) => {
  const offered = useProjects().filter(({ state }) => isPast || state === 'active');
  const found = offered.map(({ id, name }) => choiceOf(id, name));
  return withNamed(useNames('/projects', idsOf('project', named)), matching(typed, found));
};

export const useMemberChoices: UseChoices = ({ typed, named, isPast }) => {
  const query = { limit: LISTED, ...(isPast ? {} : { state: 'active' as const }) };
  const members = useRead('/members', { params: { query } }, { enabled: useCan('member:read') });
  const found = members.data?.data.map(({ id, email }) => choiceOf(id, email)) ?? [];
  return withNamed(useNames('/members', idsOf('member', named)), matching(typed, found));
};

export const useModelChoices: UseChoices = ({ typed }) => {
  const { data: models = [] } = useCatalog();
  return matching(
    typed,
    models.map(({ id, display_name: name }) => ({
      value: id,
      label: id,
      ...(name !== id && { note: name }),
    })),
  );
};

export const useProviderChoices: UseChoices = ({ typed }) => {
  const { data: models = [] } = useCatalog();
  return matching(
    typed,
    providersOf(models).map((name) => choiceOf(name, name)),
  );
};

/** By the name that calls give, where it is kept: what is shown of the choice afterwards says who it is. */
const endUser = (id: string, name: string | null): Choice<string> =>
  name === null ? choiceOf(id, shortSubject(id)) : { value: name, label: visibleText(name), note: id };

/** Nobody creates end users: those who spent the most in the last 30 days. */
export const useEndUserChoices: UseChoices = ({ typed }) => {
  const query = { group_by: 'end_user', top: END_USERS };
  const usage = useRead('/usage', { params: { query } }, { enabled: useCan('usage:read') });
  const found = (usage.data?.data ?? []).flatMap(({ end_user_id: id, end_user: name }) =>
    typeof id !== 'string' || id === UNNAMED ? [] : [endUser(id, name ?? null)],
  );
  return matching(typed, found);
};

export const useBudgetChoices: UseChoices = ({ typed }) => {
  const query = { limit: LISTED };
  const budgets = useRead('/budgets', { params: { query } }, { enabled: useCan('budget:read') });
  return matching(typed, budgets.data?.data.map(({ id, name }) => choiceOf(id, name)) ?? []);
};

export const useWebhookChoices: UseChoices = ({ typed }) => {
  const query = { limit: LISTED };
  const webhooks = useRead('/webhooks', { params: { query } }, { enabled: useCan('webhook:write') });
  return matching(typed, webhooks.data?.data.map(({ id, url }) => choiceOf(id, url)) ?? []);
};

export const useIntegrationChoices: UseChoices = ({ typed }) => {
  const query = { limit: LISTED };
  const made = useRead('/integrations', { params: { query } }, { enabled: useCan('integration:read') });
  return matching(typed, made.data?.data.map(({ id, name }) => choiceOf(id, name)) ?? []);
};

const EACH_KIND = 5;

/** The first of each kind, with the kind beside the name. */
const ofKinds = (found: Readonly<Record<string, readonly Choice<string>[]>>): readonly Choice<string>[] =>
  Object.entries(found).flatMap(([kind, choices]) =>
    choices.slice(0, EACH_KIND).map((choice) => ({ ...choice, note: kind })),
  );

/** Whom a budget can be of, whatever it is. */
export const useSubjectChoices: UseChoices = (sought) =>
  ofKinds({
    Project: useProjectChoices(sought),
    Key: useKeyChoices(sought),
    Member: useMemberChoices(sought),
    Model: useModelChoices(sought),
    'End user': useEndUserChoices(sought),
  });

/** Who can have changed something: members by the id of the user, and keys. */
export const useActorChoices: UseChoices = (sought) => {
  const people = usePeople();
  const users = [...people].filter(([id]) => isId('user', id));
  const chosen = new Map(users.filter(([id]) => sought.named.includes(id)));
  const found = matching(
    sought.typed,
    users.map(([id, email]) => choiceOf(id, email)),
  );
  return ofKinds({ Member: withNamed(chosen, found), Key: useKeyChoices(sought) });
};

/** Targets of changes that have names. Others are found by their ids. */
export const useTargetChoices: UseChoices = (sought) =>
  ofKinds({
    Key: useKeyChoices(sought),
    Project: useProjectChoices(sought),
    Member: useMemberChoices(sought),
    Budget: useBudgetChoices(sought),
    Webhook: useWebhookChoices(sought),
    Integration: useIntegrationChoices(sought),
  });

/** A rule by its name. */
export const useAlertRuleChoices: UseChoices = ({ typed }) => {
  const query = { limit: LISTED };
  const rules = useRead('/alert-rules', { params: { query } }, { enabled: useCan('alert:read') });
  return matching(typed, rules.data?.data.map(({ id, name }) => choiceOf(id, name)) ?? []);
};
