/** Providers add some hundred tokens of their own to a prompt with tools. This is a generous upper bound. */
export const TOOL_PREAMBLE_TOKENS = 1024;
