import { type CatalogDocument } from './catalog-file';

/** The line of a service that is ready (docs/configuration.md#the-first-start). */
export interface ReadyLine {
  readonly base_url: string;
  readonly api_key: string | null;
  readonly organization_id: string;
  readonly project_id: string;
  readonly owner_email: string;
  readonly owner_password: string | null;
  readonly platform_token: string | null;
}

/** Options of a service that a spec starts. */
export interface SvcOptions {
  /** A folder to keep; default: a temporary one, removed when the service ends. */
  readonly dataDir?: string;
  /** True where the one process makes its database itself; default: it finds a migrated, empty one. */
  readonly startsFresh?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Replaces the shipped catalog. */
  readonly catalog?: CatalogDocument;
}

/** A running service, in either composition, whoever ends it. */
export interface AnySvc {
  readonly baseUrl: string;
  /** Empty on later starts over a data folder: the service does not store it. */
  readonly apiKey: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly platformToken: string | null;
  readonly ready: ReadyLine;
  /** The process id; of separate services, the edge's. */
  readonly pid: number;
  readonly dataDir: string;
  /** Its output so far. */
  logs(): string;
}

/** The address of a service for a client: where to call, and with which key. */
export type Address = Pick<AnySvc, 'baseUrl' | 'apiKey'>;

/** One that a spec file has started for itself. */
export interface Svc extends AnySvc {
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL to every process; resolves when they have exited. Their database lives on, as for a user. */
  kill(): Promise<void>;
}

/** The organization in the line of a ready service, by the names of {@link AnySvc}. */
export const installedOf = (ready: ReadyLine) => ({
  baseUrl: ready.base_url,
  apiKey: ready.api_key ?? '',
  organizationId: ready.organization_id,
  projectId: ready.project_id,
  platformToken: ready.platform_token,
  ready,
});
