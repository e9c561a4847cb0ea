import { type components } from '../api/generated/auth';

/** Who is logged in, and what they may do in each of their organizations, at this moment. */
export type Session = components['schemas']['Session'];
export type Organization = Session['organizations'][number];
export type Permission = Organization['permissions'][number];
export type Role = Organization['role'];
