import { Controller, UseFilters, UseGuards } from '@nestjs/common';
import { CallerGuard } from './callers/caller-guard';
import { OperatorGuard } from './callers/operator-guard';
import { ORGANIZATION_PARAM } from './organization-param';
import { ToErrorHandler } from './to-error-handler';

/** A collection, as the reference shows it. */
export interface ResourceDefinition {
  /** Below the root of its API, and below `/api/v1/organizations/{organization_id}`. */
  readonly path: string;
  /** Where the path inside an organization differs (webhooks), or there is none (null). */
  readonly scopedPath?: string | null;
  /** Names of one and of many in operation ids: `Budget`, `Budgets`. */
  readonly one: string;
  readonly many: string;
  /** The heading in the reference. */
  readonly tag: string;
  readonly description: string;
}

interface DeclaredResource extends ResourceDefinition {
  readonly paths: readonly string[];
  readonly isOperators: boolean;
}

const RESOURCE = Symbol('resource');
const SCOPED_ROOT = `api/v1/organizations/:${ORGANIZATION_PARAM}`;

/** Makes a class the controller of an organization's resource, at both path forms (contract.md section 3). */
export function Resource(definition: ResourceDefinition): ClassDecorator {
  const { path, scopedPath = path } = definition;
  const scoped = scopedPath === null ? [] : [`${SCOPED_ROOT}/${scopedPath}`];
  return declare({ ...definition, paths: [`api/v1/${path}`, ...scoped], isOperators: false });
}

/** Makes a class the controller of what the operator alone administers. */
export function OperatorResource(definition: ResourceDefinition): ClassDecorator {
  return declare({ ...definition, paths: [`platform/v1/${definition.path}`], isOperators: true });
}

function declare(resource: DeclaredResource): ClassDecorator {
  return (target) => {
    Reflect.defineMetadata(RESOURCE, resource, target);
    Controller([...resource.paths])(target);
    UseGuards(resource.isOperators ? OperatorGuard : CallerGuard)(target);
    UseFilters(ToErrorHandler)(target);
  };
}

export const resourceOf = (controller: object): DeclaredResource | undefined =>
  Reflect.getMetadata(RESOURCE, controller) as DeclaredResource | undefined;
