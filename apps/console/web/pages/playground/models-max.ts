/** So many models stand side by side. */
export const MODELS_MAX = 3;
