/** The login page, which comes back to where the reader is now. */
export const loginAddress = (): string =>
  `/auth/login?return_to=${encodeURIComponent(window.location.pathname + window.location.search)}`;
