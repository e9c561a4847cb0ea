/** V8's, which the kernel's errors set; other browsers ignore it. */
interface ErrorConstructor {
  stackTraceLimit: number;
}

interface ImportMeta {
  readonly env: {
    /** Of the release that the console was built of, which is that of the services. */
    readonly SVC_VERSION: string;
  };
}
