import { type DeclaredResource } from './resource';
import { type DeclaredRoute } from './route';

/**
 * A resource with its routes, declared apart from the controller that serves them: the controller's class and methods are
 * decorated with these, and a service without the controller can document them. A route's name is that of its method.
 */
export interface ResourceDeclaration {
  readonly resource: { readonly declares: DeclaredResource };
  readonly routes: Readonly<Record<string, { readonly declares: DeclaredRoute }>>;
}
