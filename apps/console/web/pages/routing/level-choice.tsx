import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { PickField, type PickFieldProps } from '../../frame/pick-field';
import { levelWords } from '../../policies/text';
import { useCan } from '../../session/organization';
import { Segmented } from '../../ui/segmented/segmented';
import { ownerParameters, type OwnerAddress } from './owner';
import { routingRoute } from './route';
import styles from './routing.module.css';
import { text } from './text';

const words = text.level;
const shown = [
  { value: 'organization', label: levelWords.organization },
  { value: 'project', label: levelWords.project },
  { value: 'key', label: levelWords.key },
  { value: 'effective', label: words.effective },
] as const;
type ShownLevel = (typeof shown)[number]['value'];

/** Whose policy the page shows. The address keeps it. */
export function LevelChoice({ level }: { readonly level: ShownLevel }): ReactElement {
  const { project, key } = routingRoute.useSearch();
  const navigate = routingRoute.useNavigate();
  const show = (next: ShownLevel, owner: OwnerAddress) =>
    void navigate({
      search: (address) => ({
        ...address,
        level: next === 'organization' ? undefined : next,
        project: undefined,
        key: undefined,
        ...owner,
      }),
      resetScroll: false,
    });
  const chooseProject = (id: string | null) => show(level, { project: ownerParameters.project(textsOf(id)) });
  const chooseKey = (id: string | null) => show(level, { key: ownerParameters.key(textsOf(id)) });
  return (
    <div className={styles.level}>
      <Segmented
        label={words.label}
        value={level}
        onChange={(next) => show(next, kept(next, { project, key }))}
        choices={shown}
      />
      {level === 'project' && (
        <OwnerField of="project" label={words.project} value={project ?? null} onChange={chooseProject} />
      )}
      {level === 'key' && (
        <OwnerField of="api_key" label={words.key} value={key ?? null} onChange={chooseKey} />
      )}
      {level === 'effective' && <EffectiveOwner onChange={(owner) => show(level, owner)} />}
    </div>
  );
}

const textsOf = (id: string | null): readonly string[] => (id === null ? [] : [id]);

/** Whose policy it is, by the name, or by an id that is pasted. */
function OwnerField({
  of,
  ...field
}: Omit<PickFieldProps, 'takes' | 'of'> & { readonly of: 'project' | 'api_key' }): ReactElement {
  const owner = of === 'project' ? ownerParameters.project : ownerParameters.key;
  return <PickField {...{ of, ...field }} takes={(typed) => owner([typed]) !== undefined} />;
}

/** The parameters that a change of the level keeps: the project or the key that was shown. */
function kept(next: ShownLevel, { project, key }: OwnerAddress): OwnerAddress {
  if (next === 'project') return { project };
  if (next === 'key') return { key };
  return next === 'effective' ? { project: key === undefined ? project : undefined, key } : {};
}

/** The key and the project whose calls are asked about: a project only where the key does not say it. */
function EffectiveOwner({ onChange }: { readonly onChange: (owner: OwnerAddress) => void }): ReactElement {
  const { project, key } = routingRoute.useSearch();
  const canReadKeys = useCan('key:read');
  const read = useRead(
    '/keys/{key_id}',
    { params: { path: { key_id: key ?? '' } } },
    { enabled: key !== undefined && canReadKeys },
  );
  const isOfProject = key !== undefined && (read.data?.project_id ?? null) !== null;
  return (
    <>
      <OwnerField
        of="api_key"
        label={words.key}
        value={key ?? null}
        onChange={(id) => onChange({ key: ownerParameters.key(textsOf(id)) })}
      />
      {!isOfProject && (
        <OwnerField
          of="project"
          label={words.project}
          value={project ?? null}
          onChange={(id) => onChange({ key, project: ownerParameters.project(textsOf(id)) })}
        />
      )}
    </>
  );
}
