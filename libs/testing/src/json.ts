/** The untyped body of an answer, for the expectations of specs. */
export type Json = ReturnType<typeof JSON.parse>;
