import Type from 'typebox';

/** Every error body (specification, "Errors"): one sentence for people, never internals. */
export const ErrorBody = Type.Object({ detail: Type.String() });
