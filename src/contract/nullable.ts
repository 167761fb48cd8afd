import Type, { type TSchema } from 'typebox';

/** A field of an answer that is always there and may be null. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
