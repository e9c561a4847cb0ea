import { Injectable } from '@nestjs/common';
import { ApiKeyStore, ProjectStore } from '@svc/access/store';
import { isOfCalls, problemOfWatch, type AlertFilter, type AlertMetric } from '@svc/alerts';
import { type Caller } from '@svc/api';
import { GatewayError } from '@svc/kernel';
import { IntegrationStore, WebhookEndpointStore } from '@svc/deliveries/store';
import { BudgetStore } from '@svc/ledger/store';

interface Watch {
  readonly metric: AlertMetric;
  readonly period: 'day' | 'month' | null;
  readonly filter: AlertFilter;
}

interface WatchedTarget {
  /** The filter, with the project of a key that may see no other. */
  readonly filter: AlertFilter;
  /** The project that the rule is about; null for the whole organization. */
  readonly projectId: string | null;
}

/** Checks what a rule watches against what the organization has. */
@Injectable()
export class WatchedTargets {
  constructor(
    private readonly projects: ProjectStore,
    private readonly keys: ApiKeyStore,
    private readonly budgets: BudgetStore,
    private readonly endpoints: WebhookEndpointStore,
    private readonly integrations: IntegrationStore,
  ) {}

  /**
   * @throws GatewayError `invalidRequest` for a filter that the metric does not take and a target that the organization
   * does not have; `permissionDenied` where a key of one project asks for what is the organization's.
   */
  async resolve(caller: Caller, { metric, period, filter: given }: Watch): Promise<WatchedTarget> {
    const filter = withOwnProject(caller, metric, given);
    const problem = problemOfWatch({ metric, period, filter });
    if (problem !== null) throw refused(problem.param, problem.message);
    const { organizationId, projectId: own } = caller;
    const { project_id, api_key_id, budget_id, webhook_endpoint_id, integration_id } = filter;
    if (project_id !== null && (await this.projects.findProject(organizationId, project_id)) === null) {
      throw unknownTarget('filter.project_id');
    }
    if (
      webhook_endpoint_id !== null &&
      (await this.endpoints.findWebhookEndpoint(organizationId, webhook_endpoint_id)) === null
    ) {
      throw unknownTarget('filter.webhook_endpoint_id');
    }
    if (
      integration_id !== null &&
      (await this.integrations.findIntegration(organizationId, integration_id)) === null
    ) {
      throw unknownTarget('filter.integration_id');
    }
    const projectOfKey = api_key_id === null ? null : await this.projectOfKey(caller, api_key_id);
    const projectOfBudget = budget_id === null ? null : await this.projectOfBudget(caller, budget_id);
    return { filter, projectId: own ?? project_id ?? projectOfKey ?? projectOfBudget };
  }

  private async projectOfKey({ organizationId, projectId }: Caller, id: string): Promise<string | null> {
    const key = await this.keys.findApiKey(organizationId, id, projectId);
    if (key?.state !== 'active') throw unknownTarget('filter.api_key_id');
    return key.projectId;
  }

  private async projectOfBudget({ organizationId, projectId }: Caller, id: string): Promise<string | null> {
    const budget = await this.budgets.findBudget(organizationId, id, projectId);
    if (budget === null) throw unknownTarget('filter.budget_id');
    if (budget.period === 'session') throw refused('filter.budget_id', 'a session is no day or month');
    if (budget.scope === 'project') return budget.scopeId;
    return budget.scope === 'api_key'
      ? ((await this.keys.findApiKey(organizationId, budget.scopeId))?.projectId ?? null)
      : null;
  }
}

/** A key of one project watches its calls and its budgets. */
function withOwnProject({ projectId }: Caller, metric: AlertMetric, filter: AlertFilter): AlertFilter {
  if (projectId === null) return filter;
  if (isOfCalls(metric)) {
    if (filter.project_id !== null && filter.project_id !== projectId)
      throw unknownTarget('filter.project_id');
    return { ...filter, project_id: projectId };
  }
  if (metric === 'budget_consumed_bps' && filter.budget_id !== null) return filter;
  throw new GatewayError('permissionDenied', 'A key of one project cannot watch what is the organization’s.');
}

const refused = (param: string, message: string): GatewayError =>
  new GatewayError('invalidRequest', `${param}: ${message}.`, { param });

export const unknownTarget = (param: string): GatewayError => refused(param, 'there is no such resource');
