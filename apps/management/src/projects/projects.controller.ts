import { Change, Create, Get, List, Resource, type Call } from '@svc/api';
import { ProjectStore } from '@svc/access/store';
import { type Collection } from '../collection';
import {
  PROJECTS_MAX,
  newProject,
  presentProject,
  project,
  projectChange,
  projectFilters,
} from './project-schema';
import { Projects } from './projects';

const ids = { project_id: 'project' } as const;

@Resource({
  path: 'projects',
  one: 'Project',
  many: 'Projects',
  tag: 'Projects',
  description: 'Groups an organization’s keys, budgets and usage.',
})
class ProjectsController {
  constructor(private readonly projects: Projects) {}

  @List('', {
    summary: 'The projects, newest first.',
    permission: 'project:read',
    scope: 'projects:write',
    cursor: 'project',
    query: projectFilters,
    item: project,
  })
  async list({ caller, page, query }: Call<{ query: typeof projectFilters }>) {
    const { items, hasMore } = await this.projects.list(caller, page, query);
    return { items: items.map(presentProject), hasMore };
  }

  @Get(':project_id', {
    summary: 'One project.',
    permission: 'project:read',
    scope: 'projects:write',
    ids,
    answer: project,
  })
  async get({ caller, ids }: Call<{ ids: 'project_id' }>) {
    return presentProject(await this.projects.get(caller, ids.project_id));
  }

  @Create('', {
    summary: 'Creates a project.',
    description: `An organization has at most ${String(PROJECTS_MAX)} active projects.`,
    permission: 'project:write',
    scope: 'projects:write',
    approval: 'project.create',
    body: newProject,
    answer: project,
  })
  async create({ caller, body }: Call<{ body: typeof newProject }>) {
    return presentProject(await this.projects.create(caller, body));
  }

  @Change(':project_id', {
    summary: 'Renames, archives or restores a project.',
    permission: 'project:write',
    scope: 'projects:write',
    approval: 'project.update',
    ids,
    body: projectChange,
    answer: project,
  })
  async change({ caller, ids, body }: Call<{ ids: 'project_id'; body: typeof projectChange }>) {
    return presentProject(await this.projects.change(caller, ids.project_id, body));
  }
}

export const projects: Collection = {
  controllers: [ProjectsController],
  services: [Projects],
  stores: [ProjectStore],
};
