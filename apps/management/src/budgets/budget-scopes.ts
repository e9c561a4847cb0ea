import { Inject, Injectable } from '@nestjs/common';
import { ApiKeyStore, MemberStore, ProjectStore } from '@svc/access/store';
import { GatewayError } from '@svc/kernel';
import { EACH } from '@svc/ledger';
import { type EndUserPeppers } from '@svc/ledger/store';
import { type z } from 'zod';
import { END_USERS } from '../runtime';
import { type newBudget } from './budget-schema';

type NewBudget = Pick<z.output<typeof newBudget>, 'scope' | 'scope_id' | 'project_id'>;

const MODEL = /^[^/\s]+\/\S+$/;

/** Whom budgets of an organization can name. Projects, keys and members are never deleted, so one that was found stays. */
@Injectable()
export class BudgetScopes {
  constructor(
    private readonly projects: ProjectStore,
    private readonly keys: ApiKeyStore,
    private readonly members: MemberStore,
    @Inject(END_USERS) private readonly endUsers: EndUserPeppers,
  ) {}

  /** @throws GatewayError `invalidRequest` for what does not belong to the organization, or does not fit the scope. */
  async scopeIdOf(
    organizationId: string,
    { scope, scope_id: given, project_id: projectId }: NewBudget,
  ): Promise<string> {
    if (projectId !== null) await this.requireNarrowing(organizationId, scope, projectId);
    if (scope === 'organization') {
      if (given === undefined || given === organizationId) return organizationId;
      throw refused('scope_id', 'scope_id: this is not the id of the organization.');
    }
    if (given === undefined) {
      throw refused('scope_id', `scope_id: must name ${WHAT[scope]}, or be ${EACH}.`);
    }
    if (given === EACH) return EACH;
    if (scope === 'end_user') return this.endUsers.idOf(organizationId, given);
    if (!(await this.isKnown(organizationId, scope, given))) {
      throw refused('scope_id', `There is no such ${NOUNS[scope]}.`);
    }
    return given;
  }

  /** As {@link scopeIdOf} names them: an end user by their name or their id. */
  async subjectOf(organizationId: string, scope: NewBudget['scope'], given: string): Promise<string> {
    return scope === 'end_user' && given !== EACH ? this.endUsers.idOf(organizationId, given) : given;
  }

  private async isKnown(organizationId: string, scope: keyof typeof NOUNS, id: string): Promise<boolean> {
    switch (scope) {
      case 'project':
        return (await this.projects.findProject(organizationId, id)) !== null;
      case 'api_key':
        return (await this.keys.findApiKey(organizationId, id)) !== null;
      case 'member':
        return (await this.members.findMember(organizationId, id)) !== null;
      case 'model':
        // A budget may name a model that the catalog does not list yet or any more.
        return MODEL.test(id);
    }
  }

  private async requireNarrowing(
    organizationId: string,
    scope: NewBudget['scope'],
    projectId: string,
  ): Promise<void> {
    if (scope !== 'member' && scope !== 'model' && scope !== 'end_user') {
      throw refused(
        'project_id',
        'project_id: only budgets of a member, a model or an end user can be narrowed to a project.',
      );
    }
    if ((await this.projects.findProject(organizationId, projectId)) === null) {
      throw refused('project_id', 'There is no such project.');
    }
  }
}

const WHAT = {
  project: 'a project of the organization',
  api_key: 'an API key of the organization',
  member: 'a member of the organization',
  model: 'a model of the form <creator>/<model>',
  end_user: 'an end user',
} as const;

const NOUNS = { project: 'project', api_key: 'API key', member: 'member', model: 'model' } as const;

const refused = (param: string, message: string): GatewayError =>
  new GatewayError('invalidRequest', message, { param });
