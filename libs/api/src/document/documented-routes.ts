import { type ZodOpenApiPathsObject } from 'zod-openapi';

/** Routes that no resource declares, as their app documents them: pages, and protocols of their own. */
export interface DocumentedRoutes {
  readonly paths: ZodOpenApiPathsObject;
  /** True where the reference lists them after the resources, for those who run the service. */
  readonly isAside?: true;
  /** Headings in the reference, in its order. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}
