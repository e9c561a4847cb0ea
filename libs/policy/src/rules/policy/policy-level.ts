/** Who writes a policy, from the widest to the narrowest. Each level only takes away from what the one before allows. */
export const POLICY_LEVELS = ['organization', 'project', 'key'] as const;
export type PolicyLevel = (typeof POLICY_LEVELS)[number];
export type LowerPolicyLevel = Exclude<PolicyLevel, 'organization'>;

/** Something for each level; null where the level has none. */
export interface OfLevels<T, Organization = T> {
  readonly organization: Organization;
  readonly project: T | null;
  readonly key: T | null;
}

/** How sentences name a level. */
export const levelName: Readonly<Record<PolicyLevel, string>> = {
  organization: 'your organization',
  project: 'the project',
  key: 'the API key',
};
