/** V8's, which the kernel's errors set; other browsers ignore it. */
interface ErrorConstructor {
  stackTraceLimit: number;
}
