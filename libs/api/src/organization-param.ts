/** The path parameter that names an organization: the guard reads it on every route that has one. */
export const ORGANIZATION_PARAM = 'organization_id';
