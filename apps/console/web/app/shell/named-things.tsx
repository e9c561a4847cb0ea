import { type ReactElement, type ReactNode, useDeferredValue } from 'react';
import { useActiveProjects } from '../../api/use-active-projects';
import { useRead } from '../../api/use-api';
import { useCatalog } from '../../api/use-catalog';
import { usePeople } from '../../api/use-people';
import { useKeySpend } from '../../calls/use-key-spend';
import { visibleText } from '../../format/visible-text';
import { useCan } from '../../session/organization';
import { Money } from '../../ui/text/money';

/** Something of the organization that has a page, as "Go to…" lists it. */
interface NamedThing {
  readonly label: string;
  readonly note: ReactNode;
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
}

/** Fewer letters would list half of everything. */
const LETTERS_MIN = 2;
/** Of each kind: more are found by typing on. */
const SHOWN_MAX = 5;
const WEEK_DAYS = 7;

/**
 * Keys, projects, models and members whose name has what is typed. Keys are searched by the API, since there may be many;
 * of the others those are looked at that lists of the console offer. What a role may not read is left out.
 */
export function useNamedThings(typed: string): readonly NamedThing[] {
  const words = useDeferredValue(typed).toLowerCase();
  const isLong = words.length >= LETTERS_MIN;
  const keyQuery = { q: words, limit: SHOWN_MAX };
  const keys = useRead(
    '/keys',
    { params: { query: keyQuery } },
    { enabled: useCan('key:read') && isLong, keepsPrevious: true },
  );
  const spend = useKeySpend(keys.data?.data.map(({ id }) => id) ?? [], WEEK_DAYS);
  const projects = useActiveProjects();
  const { data: models = [] } = useCatalog();
  const people = usePeople();
  if (!isLong) return [];
  const has = (...names: readonly string[]) => names.some((name) => name.toLowerCase().includes(words));
  const emails = [...new Set(people.values())];
  return [
    ...(keys.data?.data ?? []).map(({ id, name }) =>
      thing(name, <KeyNote spent={spend?.get(id)} />, `/keys/${id}`),
    ),
    ...first(projects.filter(({ name }) => has(name))).map(({ id, name }) =>
      thing(name, 'Project', `/projects/${id}`),
    ),
    ...first(models.filter(({ id, display_name: name }) => has(id, name))).map(({ id, display_name: name }) =>
      thing(name, id, `/models/${id}`),
    ),
    ...first(emails.filter((email) => has(email))).map((email) => thing(email, 'Member', '/members')),
  ];
}

const first = <One,>(all: readonly One[]): readonly One[] => all.slice(0, SHOWN_MAX);

const thing = (name: string, note: ReactNode, to: string): NamedThing => ({
  label: visibleText(name),
  note,
  to,
  search: {},
});

const KeyNote = ({ spent }: { readonly spent: bigint | undefined }): ReactElement => (
  <>
    Key
    {spent !== undefined && (
      <>
        {' · '}
        <Money amount={spent} /> in 7 days
      </>
    )}
  </>
);
