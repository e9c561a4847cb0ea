import { type IncomingMessage, type ServerResponse } from 'node:http';
import { collectBody } from '../body/collect-body';
import { type BodyFields } from '../body/body-fields';
import { parseBody } from '../body/parse-body';
import { openaiErrorBody } from '../openai-error';
import { Refusal } from '../refusal';
import { cursorPage } from './cursor-page';
import { DedicatedEndpoints } from './dedicated-endpoints';
import { CallFaults } from './call-faults';
import { type FineTuningSettings, fineTuningSettingsSchema, readSettings } from './fine-tuning-settings';
import { readUpload } from './read-upload';
import { presentFile, TrainingFiles } from './training-files';
import { noModel, TuningJobs } from './tuning-jobs';

/** A call of the API, or of the simulator's own controls. */
interface TuningCall {
  readonly incoming: IncomingMessage;
  readonly id: string;
  readonly query: URLSearchParams;
  readonly nowMs: number;
  /** @throws Refusal 400. */
  body(): Promise<BodyFields>;
}

/** Null: nothing but the status 204. */
type Handler = (call: TuningCall) => object | null | Promise<object | null>;
type Route = readonly [pattern: RegExp, handler: Handler];

const FILES_PER_PAGE = 10_000;
const CONTROL = /^\w+ \/__simulator\//;

interface FineTuningOptions {
  /** Calls with another API key, or none, get 401. */
  readonly requireKey: string | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * OpenAI's files, fine-tuning jobs and deletion of models, and dedicated endpoints in the manner of Together, in memory.
 * Training makes nothing but a model's name, which answers as every model of the simulator does.
 */
export class SimulatedFineTuning {
  private readonly files = new TrainingFiles();
  private readonly jobs = new TuningJobs(this.files);
  private readonly endpoints = new DedicatedEndpoints(this.jobs);
  private readonly faults = new CallFaults();
  private readonly routes: readonly Route[];
  private readonly now: () => number;
  private settings: FineTuningSettings = {};

  constructor(private readonly options: FineTuningOptions) {
    this.now = options.now ?? Date.now;
    this.routes = [...this.fileRoutes(), ...this.jobRoutes(), ...this.endpointRoutes(), ...this.controls()];
  }

  /** @returns false for a path of another API. */
  serve(route: string, incoming: IncomingMessage, response: ServerResponse): boolean {
    const found = this.routes.find(([pattern]) => pattern.test(route));
    if (found === undefined) return false;
    const id = decodeURIComponent(found[0].exec(route)?.[1] ?? '');
    this.answer(route, found[1], id, incoming, response).catch(() => response.destroy());
    return true;
  }

  /** A call names this model. @returns why it is not served; null where it is. */
  refuseModel(model: string): Refusal | null {
    if (this.jobs.isDeleted(model)) return noModel(model);
    return this.endpoints.call(model, this.now());
  }

  private async answer(
    route: string,
    handler: Handler,
    id: string,
    incoming: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const fault = CONTROL.test(route) ? null : this.faults.next(route);
    if (fault !== null && fault !== 'lost_answer') {
      incoming.resume();
      this.faults.disturb(fault, incoming, response);
      return;
    }
    let status = 200;
    let body: object | null;
    try {
      if (!CONTROL.test(route)) this.checkKey(incoming);
      body = await handler(this.readCall(id, incoming));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      incoming.resume();
      status = error.status;
      body = openaiErrorBody(error);
    }
    if (fault === 'lost_answer') response.destroy();
    else if (body === null) response.writeHead(204, { 'x-svc-simulator': '1' }).end();
    else {
      response
        .writeHead(status, { 'x-svc-simulator': '1', 'content-type': 'application/json' })
        .end(JSON.stringify(body));
    }
  }

  private readCall(id: string, incoming: IncomingMessage): TuningCall {
    return {
      incoming,
      id,
      query: new URL(incoming.url ?? '/', 'http://simulator').searchParams,
      nowMs: this.now(),
      body: async () => parseBody(await collectBody(incoming)),
    };
  }

  private checkKey({ headers: { authorization } }: IncomingMessage): void {
    const { requireKey } = this.options;
    if (requireKey === undefined || authorization === `Bearer ${requireKey}`) return;
    throw new Refusal(401, 'The API key that the simulator was sent is wrong or missing.');
  }

  private fileRoutes(): readonly Route[] {
    const { files } = this;
    return [
      [
        /^POST \/v1\/files$/,
        async ({ incoming }) => presentFile(files.add(await readUpload(incoming), this.settings, this.now())),
      ],
      [/^GET \/v1\/files$/, ({ query }) => cursorPage(files.list().map(presentFile), query, FILES_PER_PAGE)],
      [/^GET \/v1\/files\/([^/]+)$/, ({ id }) => presentFile(files.get(id))],
      [/^DELETE \/v1\/files\/([^/]+)$/, ({ id }) => files.remove(id)],
    ];
  }

  private jobRoutes(): readonly Route[] {
    const { jobs } = this;
    const path = '\\/v1\\/fine_tuning\\/jobs';
    return [
      [
        new RegExp(`^POST ${path}$`),
        async (call) => jobs.add(await call.body(), this.settings, call.nowMs).present(call.nowMs),
      ],
      [
        new RegExp(`^GET ${path}$`),
        ({ query, nowMs }) =>
          cursorPage(
            jobs.list(query, nowMs).map((job) => job.present(nowMs)),
            query,
          ),
      ],
      [new RegExp(`^GET ${path}\\/([^/]+)$`), ({ id, nowMs }) => jobs.get(id, nowMs).present(nowMs)],
      [
        new RegExp(`^POST ${path}\\/([^/]+)\\/cancel$`),
        ({ id, nowMs }) => jobs.cancel(id, nowMs).present(nowMs),
      ],
      [
        new RegExp(`^GET ${path}\\/([^/]+)\\/events$`),
        ({ id, query, nowMs }) => cursorPage(jobs.get(id, nowMs).events(nowMs), query),
      ],
      [
        new RegExp(`^GET ${path}\\/([^/]+)\\/checkpoints$`),
        ({ id, query, nowMs }) => cursorPage(jobs.get(id, nowMs).checkpoints(nowMs), query, 10),
      ],
      [/^DELETE \/v1\/models\/([^/]+)$/, ({ id, nowMs }) => jobs.removeModel(id, nowMs)],
    ];
  }

  private endpointRoutes(): readonly Route[] {
    const { endpoints } = this;
    return [
      [
        /^POST \/v1\/endpoints$/,
        async (call) => endpoints.add(await call.body(), this.settings, call.nowMs).present(call.nowMs),
      ],
      [
        /^GET \/v1\/endpoints$/,
        ({ nowMs }) => ({ object: 'list', data: endpoints.list(nowMs).map((one) => one.present(nowMs)) }),
      ],
      [/^GET \/v1\/endpoints\/([^/]+)$/, ({ id, nowMs }) => endpoints.get(id, nowMs).present(nowMs)],
      [
        /^PATCH \/v1\/endpoints\/([^/]+)$/,
        async (call) => endpoints.change(call.id, await call.body(), call.nowMs).present(call.nowMs),
      ],
      [
        /^DELETE \/v1\/endpoints\/([^/]+)$/,
        ({ id, nowMs }) => {
          endpoints.remove(id, nowMs);
          return null;
        },
      ],
    ];
  }

  private controls(): readonly Route[] {
    const path = '\\/__simulator\\/fine-tuning';
    return [
      [
        new RegExp(`^PUT ${path}$`),
        async ({ incoming }) => {
          const told = readSettings(fineTuningSettingsSchema, (await collectBody(incoming)).toString());
          this.settings = told;
          this.faults.direct(told);
          return told;
        },
      ],
      [
        new RegExp(`^GET ${path}$`),
        ({ nowMs }) => ({
          files: this.files.list().map((file) => ({ ...presentFile(file), ...file.facts })),
          jobs: this.jobs.list(new URLSearchParams(), nowMs).map((job) => job.present(nowMs)),
          models: this.jobs.models(nowMs),
          endpoints: this.endpoints.list(nowMs).map((one) => one.present(nowMs)),
          calls: this.faults.counts(),
        }),
      ],
    ];
  }
}
