import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { plainMarkdown } from './markdown.ts';
import type { ModelChange } from './locate-changes.ts';
import { oneLine } from '../../diagnosis/rendering/quote.ts';

/** A valid answer, or one line that describes the mistake in its form. The line does not quote the answer. */
export type ParsedAnswer<T> = { answer: T } | { wrong: string };

/** Makes a function that validates the object from a model against the schema. */
export function answerReader<S extends TSchema>(schema: S): (value: unknown) => ParsedAnswer<Static<S>> {
  const checked = Compile(schema);
  return (value) => {
    if (checked.Check(value)) return { answer: value as Static<S> };
    const [first] = checked.Errors(value);
    const where = first?.instancePath.replace(/[^\w/]/g, '').slice(0, 100) ?? '';
    return { wrong: `${where || 'the answer'} ${first?.message ?? 'has another form'}` };
  };
}

/** A model's explanation. */
export const Explanation = Type.String({ minLength: 1, maxLength: 8000, pattern: '\\S' });

/** A model's changes. */
export const Changes = Type.Array(
  Type.Object(
    {
      path: Type.String({ minLength: 1, maxLength: 500 }),
      to: Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean(), Type.Null()]),
      why: Type.String({ maxLength: 2000 }),
    },
    { additionalProperties: false },
  ),
  { maxItems: 16 },
);

/** The same list as a JSON schema that every provider's structured output supports. Bounds are checked only here. */
export const CHANGES_SCHEMA = {
  type: 'array',
  description: 'the fewest changes of the manifest that cure it; empty when none does or you are not sure',
  items: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      to: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] },
      why: { type: 'string', description: 'one sentence' },
    },
    required: ['path', 'to', 'why'],
    additionalProperties: false,
  },
};

/** A model's changes with real names in place of pseudonyms, and with reasons as plain lines. */
export function modelChangesOf(changes: Static<typeof Changes>, restore: (text: string) => string): ModelChange[] {
  return changes.map(({ path, to, why }) => ({
    path: restore(path),
    to: typeof to === 'string' ? restore(to) : to,
    why: oneLine(plainMarkdown(restore(why), 500)),
  }));
}
