import { Environment } from '@marcbachmann/cel-js';
import type { FieldError } from '../api/errors.ts';
import { forbiddenField, required } from '../api/errors.ts';
import type { Loose } from '../store/object.ts';
import { isMap } from '../store/object.ts';
import type { Schema } from './schema.ts';
import { memberOf, resolve } from './schema.ts';

interface Rule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: string;
  fieldPath?: string;
  optionalOldSelf?: boolean;
}

type Program = (context: Record<string, unknown>) => unknown;

/** Compiled rules by their text, because every write evaluates the same few. */
export interface CelRules {
  errors(schema: Schema, value: Loose, old: Loose | undefined): FieldError[];
}

/** Converts integers to BigInt and times to Date, as the CEL evaluator expects them. Everything else is unchanged. */
function celValue(schema: Schema | undefined, value: Loose): Loose {
  const node = resolve(schema);
  if (Array.isArray(value)) return value.map((item) => celValue(node?.items, item));
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, celValue(memberOf(node, key), child)]));
  if (typeof value === 'number' && Number.isInteger(value) && node?.type !== 'number') return BigInt(value);
  if (typeof value === 'string' && node?.format === 'date-time') return new Date(value);
  return value;
}

/** The value in a message: text and numbers unchanged, nothing for objects and lists. */
const shownValue = (value: Loose): string => (typeof value === 'object' ? '' : `${JSON.stringify(value)}: `);

function ruleError(rule: Rule, message: string, path: string, value: Loose): FieldError {
  const field = rule.fieldPath ? `${path}${rule.fieldPath}` : path || '<nil>';
  if (rule.reason === 'FieldValueForbidden') return forbiddenField(field, message);
  if (rule.reason === 'FieldValueRequired') return required(field, message);
  return { field, reason: 'FieldValueInvalid', text: `Invalid value: ${shownValue(value)}${message}` };
}

/** Evaluates `x-kubernetes-validations`. A rule that names `oldSelf` is a transition rule: it is skipped without an old value. */
export function celRules(): CelRules {
  const environment = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true });
  const programs = new Map<string, Program>();
  const compiled = (text: string): Program => {
    const known = programs.get(text) ?? (environment.parse(text) as unknown as Program);
    programs.set(text, known);
    return known;
  };

  function failed(rule: Rule, context: Record<string, unknown>): string | undefined {
    try {
      if (compiled(rule.rule)(context) === true) return undefined;
      const told = rule.messageExpression ? compiled(rule.messageExpression)(context) : undefined;
      return typeof told === 'string' ? told : (rule.message ?? `failed rule: ${rule.rule}`);
    } catch (error) {
      return `rule evaluation error: ${rule.rule}: ${String((error as Error).message).split('\n')[0]}`;
    }
  }

  function* walk(schema: Schema | undefined, value: Loose, old: Loose | undefined, path: string): Generator<FieldError> {
    const node = resolve(schema);
    if (!node || value === undefined || value === null) return;
    for (const rule of (node['x-kubernetes-validations'] ?? []) as Rule[]) {
      if (/\boldSelf\b/.test(rule.rule) && old === undefined && !rule.optionalOldSelf) continue;
      const message = failed(rule, { self: celValue(node, value), ...(old !== undefined && { oldSelf: celValue(node, old) }) });
      if (message !== undefined) yield ruleError(rule, message, path, value);
    }
    if (Array.isArray(value))
      for (const [i, item] of value.entries()) yield* walk(node.items, item, oldItem(node, item, old), `${path}[${i}]`);
    if (isMap(value))
      for (const [key, child] of Object.entries(value))
        if (!(path === '' && key === 'metadata')) yield* walk(memberOf(node, key), child, old?.[key], path ? `${path}.${key}` : key);
  }

  return { errors: (schema, value, old) => [...walk(schema, value, old, '')] };
}

/** Items have an old value only if the list says which fields identify them. */
function oldItem(node: Schema, item: Loose, old: Loose): Loose | undefined {
  const keys = node['x-kubernetes-list-map-keys'] as string[] | undefined;
  if (!keys || !Array.isArray(old)) return undefined;
  return old.find((candidate) => keys.every((key) => candidate?.[key] === item?.[key]));
}
