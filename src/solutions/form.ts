import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { plainMarkdown } from './markdown.ts';
import type { Proposal } from './place.ts';
import { oneLine } from './quote.ts';

/** An answer of the right form, or one line that says what is wrong with it (never what it holds). */
export type Form<T> = { answer: T } | { wrong: string };

/** Reads what a model sent as the answer of that form. */
export function formReader<S extends TSchema>(schema: S): (value: unknown) => Form<Static<S>> {
  const checked = Compile(schema);
  return (value) => {
    if (checked.Check(value)) return { answer: value as Static<S> };
    const [first] = checked.Errors(value);
    const where = first?.instancePath.replace(/[^\w/]/g, '').slice(0, 100) ?? '';
    return { wrong: `${where || 'the answer'} ${first?.message ?? 'has another form'}` };
  };
}

/** What a model explains. */
export const Explanation = Type.String({ minLength: 1, maxLength: 8000, pattern: '\\S' });

/** What a model proposes to change. */
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

/** The same in words that every provider's structured output knows: bounds are checked here and not there. */
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

/** A model's changes as proposals: pseudonyms turned back, reasons as plain lines. */
export function proposalsOf(changes: Static<typeof Changes>, restore: (text: string) => string): Proposal[] {
  return changes.map(({ path, to, why }) => ({
    path: restore(path),
    to: typeof to === 'string' ? restore(to) : to,
    why: oneLine(plainMarkdown(restore(why), 500)),
  }));
}
