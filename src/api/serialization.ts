import fastJson from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';
import type { TSchema } from 'typebox';

/**
 * Writes an answer as its TypeBox schema says: fields that the schema does not name are left out. A schema is compiled when its first
 * answer is sent. Compiling all of them takes longer than the rest of building the app, and most processes answer few routes.
 */
export const compileSerializer: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  let write: ((answer: unknown) => string) | undefined;
  return (answer) => (write ??= fastJson(schema))(answer);
};
