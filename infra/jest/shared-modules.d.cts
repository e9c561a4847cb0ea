/** Whether spec files share the module, by its absolute path. */
export function isShared(file: string): boolean;
