import { Controller, UseFilters, UseGuards } from '@nestjs/common';
import { CallerGuard } from './callers/caller-guard';
import { OperatorGuard } from './callers/operator-guard';
import { ORGANIZATION_PARAM } from './organization-param';
import { ToErrorHandler } from './to-error-handler';

/** A collection, as the reference shows it. */
interface ResourceDefinition {
  /** The path below the root of its API, and below `/api/v1/organizations/{organization_id}`. */
  readonly path: string;
  /** Set where the path inside an organization differs (webhooks), or null where there is none. */
  readonly scopedPath?: string | null;
  /** Singular and plural in operation ids: `Budget`, `Budgets`. */
  readonly one: string;
  readonly many: string;
  /** The heading in the reference. */
  readonly tag: string;
  readonly description: string;
}

/** A resource as it was declared: its definition, with the paths that its controller serves. */
export interface DeclaredResource extends ResourceDefinition {
  readonly paths: readonly string[];
  readonly isOperators: boolean;
}

/** A class decorator that also holds its declaration. */
type ResourceDecorator = ClassDecorator & { readonly declares: DeclaredResource };

const RESOURCE = Symbol('resource');
const SCOPED_ROOT = `api/v1/organizations/:${ORGANIZATION_PARAM}`;

/**
 * Makes a class the controller of an organization’s resource, at both path forms
 * (docs/reference/management-conventions.md, Paths).
 */
export function Resource(definition: ResourceDefinition): ResourceDecorator {
  const { path, scopedPath = path } = definition;
  const scoped = scopedPath === null ? [] : [`${SCOPED_ROOT}/${scopedPath}`];
  return declare({ ...definition, paths: [`api/v1/${path}`, ...scoped], isOperators: false });
}

/** Makes a class the controller of a resource that only the operator administers. */
export function OperatorResource(definition: ResourceDefinition): ResourceDecorator {
  return declare({ ...definition, paths: [`platform/v1/${definition.path}`], isOperators: true });
}

function declare(resource: DeclaredResource): ResourceDecorator {
  const decorate: ClassDecorator = (target) => {
    Reflect.defineMetadata(RESOURCE, resource, target);
    Controller([...resource.paths])(target);
    UseGuards(resource.isOperators ? OperatorGuard : CallerGuard)(target);
    UseFilters(ToErrorHandler)(target);
  };
  return Object.assign(decorate, { declares: resource });
}

export const resourceOf = (controller: object): DeclaredResource | undefined =>
  Reflect.getMetadata(RESOURCE, controller) as DeclaredResource | undefined;
