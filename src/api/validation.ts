import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { PATTERN_WORDS } from '../contract/fields.ts';

/**
 * Checks a part of the request against its TypeBox schema. Bodies are taken unchanged. Parameters and queries are text, so whole
 * numbers and booleans are parsed from it, strictly: `12` is a number, but `12.5`, `1e3` and the empty text are not. Unknown fields are
 * allowed. A schema is compiled at its first request, as in serialization.ts.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  let compiled: ReturnType<typeof Compile> | undefined;
  const readText = httpPart === 'body' ? undefined : textReader(schema);
  return (input: unknown) => {
    const value = readText ? readText(input) : input;
    const check = (compiled ??= Compile(schema));
    return check.Check(value) ? { value } : { error: check.Errors(value) as unknown as FastifySchemaValidationError[] };
  };
};

/** The error for the caller: it names the first wrong field and says what the field must be. */
export function validationError(errors: FastifySchemaValidationError[], part: string): Error {
  const [first] = errors;
  const missing = first?.keyword === 'required' ? (first.params['requiredProperties'] as string[] | undefined)?.[0] : undefined;
  if (missing) return new Error(`${fieldName(first?.instancePath ?? '', missing)} is required`);
  const path = first?.instancePath ?? '';
  const rules = errors.filter((error) => error.instancePath === path && error.keyword !== 'anyOf').map(ruleOf);
  const must = [...new Set(rules)].join(' or ').replaceAll(' or be ', ' or ');
  return new Error(`${fieldName(path) || `The ${part}`} must ${must || 'have another form'}`);
}

function ruleOf({ keyword, params, message = '' }: FastifySchemaValidationError): string {
  if (keyword === 'enum') return `be one of ${(params['allowedValues'] as unknown[]).join(', ')}`;
  const words = keyword === 'pattern' && PATTERN_WORDS.get(String(params['pattern']));
  if (words) return words;
  return message.replace(/^must /, '');
}

/** `/events/0/count` → `events[0].count`. */
function fieldName(path: string, ...more: string[]): string {
  const steps = [...path.split('/').slice(1), ...more].map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

function textReader(schema: TSchema): (input: unknown) => unknown {
  const properties = Object.entries((schema as { properties?: Record<string, { type?: string }> }).properties ?? {});
  const integers = properties.filter(([, { type }]) => type === 'integer').map(([name]) => name);
  const switches = properties.filter(([, { type }]) => type === 'boolean').map(([name]) => name);
  return (input) => {
    const value = { ...(input as Record<string, unknown>) };
    for (const name of integers) if (typeof value[name] === 'string' && /^-?\d{1,15}$/.test(value[name])) value[name] = Number(value[name]);
    for (const name of switches) if (value[name] === 'true' || value[name] === 'false') value[name] = value[name] === 'true';
    return value;
  };
}
