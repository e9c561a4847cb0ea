/** The part of a path that names an organization: the guard looks at it on every route that has one. */
export const ORGANIZATION_PARAM = 'organization_id';
