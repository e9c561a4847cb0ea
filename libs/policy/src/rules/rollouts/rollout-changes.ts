import { type Catalog } from '@svc/catalog';
import { GatewayError } from '@svc/kernel';
import { type RolloutTarget } from './rollout';
import { type RolloutDocument, ROLLOUTS_MAX } from './rollout-fields';

/** A rollout as it is stored. */
export interface KnownRollout extends Pick<RolloutDocument, 'name' | 'model' | 'by'> {
  readonly id: string;
  readonly to: RolloutTarget;
  readonly isRunning: boolean;
}

/** Changes of an organization's rollouts by a new version of its policy. */
export interface RolloutChanges {
  readonly started: readonly RolloutDocument[];
  /** Running ones that stay. Their share, limits and end may be others now. */
  readonly kept: readonly { readonly id: string; readonly document: RolloutDocument }[];
  /** Ids of running ones that the version does not name. */
  readonly removed: readonly string[];
}

type Names = Pick<Catalog, 'providers' | 'models'>;

/**
 * @param known each rollout of the organization that runs or has the name of a written one
 * @throws GatewayError `invalidRequest`: `param` is the field at fault
 */
export function rolloutChanges(
  written: readonly RolloutDocument[],
  known: readonly KnownRollout[],
  catalog: Names,
): RolloutChanges {
  const byName = new Map(known.map((rollout) => [rollout.name, rollout]));
  const started: RolloutDocument[] = [];
  const kept: { id: string; document: RolloutDocument }[] = [];
  for (const [at, document] of written.entries()) {
    const before = byName.get(document.name);
    if (before === undefined) {
      requireKnownNames(document.to, at, catalog);
      started.push(document);
      continue;
    }
    requireSame(before, document, at);
    if (before.isRunning) kept.push({ id: before.id, document });
  }
  if (started.length + kept.length > ROLLOUTS_MAX) {
    throw invalid('rollouts', `must have at most ${String(ROLLOUTS_MAX)} entries that have not ended`);
  }
  const names = new Set(written.map(({ name }) => name));
  const removed = known.filter(({ isRunning, name }) => isRunning && !names.has(name)).map(({ id }) => id);
  return { started, kept, removed };
}

/** Only of new ones: a catalog that changed does not keep a policy from being written. */
function requireKnownNames({ provider, region }: RolloutTarget, at: number, catalog: Names): void {
  const path = `rollouts[${String(at)}].to`;
  if (provider !== undefined && !catalog.providers.has(provider)) {
    throw invalid(`${path}.provider`, 'is no provider of the catalog');
  }
  const isRegion = () =>
    [...catalog.models.values()].some(({ endpoints }) =>
      endpoints.some((endpoint) => endpoint.region === region),
    );
  if (region !== undefined && !isRegion()) throw invalid(`${path}.region`, 'is no region of the catalog');
}

function requireSame(before: KnownRollout, document: RolloutDocument, at: number): void {
  const path = `rollouts[${String(at)}]`;
  const problem = 'cannot change under the name of a rollout: another one needs another name';
  if (before.model !== document.model) throw invalid(`${path}.model`, problem);
  if (before.by !== document.by) throw invalid(`${path}.by`, problem);
  if (!isSameTarget(before.to, document.to)) throw invalid(`${path}.to`, problem);
}

const isSameTarget = (one: RolloutTarget, other: RolloutTarget): boolean =>
  one.model === other.model && one.provider === other.provider && one.region === other.region;

const invalid = (param: string, problem: string): GatewayError =>
  new GatewayError('invalidRequest', `The field \`${param}\` ${problem}.`, { param });
