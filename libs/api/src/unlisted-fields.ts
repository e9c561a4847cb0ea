import { type z } from 'zod';

const bodies = new WeakSet<z.core.$ZodType>();

/** Makes a body of another API refuse fields that it does not list as that API’s calls do: `unsupported_parameter`. */
export function unlistedAreUnsupported<Body extends z.ZodType>(body: Body): Body {
  bodies.add(body);
  return body;
}

/** The parameters of a check that refuses what another API takes. */
export const unlisted = (error: string) => ({ error, params: { unlisted: true } });

/** True where an issue is a field, or a value, that another API takes and this one does not. */
export function isUnlisted(body: z.core.$ZodType, issue: z.core.$ZodIssue | undefined): boolean {
  if (issue?.code === 'unrecognized_keys') return bodies.has(body);
  return issue?.code === 'custom' && issue.params?.['unlisted'] === true;
}
