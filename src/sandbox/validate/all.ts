import type { CelRules } from '../kinds/cel.ts';
import type { FieldError } from '../api/errors.ts';
import { invalid, invalidValue } from '../api/errors.ts';
import type { Kind } from '../kinds/kinds.ts';
import type { Stored } from '../store/object.ts';
import type { Schema } from '../kinds/schema.ts';
import { resolve, schemaErrors } from '../kinds/schema.ts';
import { definitionErrors } from './definition.ts';
import { eventErrors } from './event.ts';
import { kindErrors } from './kinds.ts';
import { metaErrors } from './names.ts';

const UNCHECKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

function* customErrors(cel: CelRules, kind: Kind, object: Stored, old: Stored | undefined): Generator<FieldError> {
  const schema = resolve(kind.schema as Schema);
  const found = [...schemaErrors(schema, object, '')];
  yield* found;
  const isBroken = found.some((e) => e.reason !== 'FieldValueDuplicate' && !/ in body should (be|match|have) /.test(e.text));
  if (!isBroken) yield* cel.errors(schema as Schema, object, old);
  else if (JSON.stringify(schema).includes('"x-kubernetes-validations"')) yield invalidValue('<nil>', null, UNCHECKED);
}

/** Throws what is wrong with an object, as its schema, its rules and its kind have it. */
export function validate(cel: CelRules, kind: Kind, object: Stored, old: Stored | undefined): void {
  const errors = [...metaErrors(object, old)];
  if (kind.isCustom) errors.push(...customErrors(cel, kind, object, old));
  else if (kind.storage === 'events') errors.push(...eventErrors(object, old, kind.group !== ''));
  else errors.push(...kindErrors(object, old));
  if (kind.storage === 'apiextensions.k8s.io/customresourcedefinitions') errors.push(...definitionErrors(object));
  // An event is one kind, whichever group it comes by.
  if (errors.length) throw invalid(kind.storage === 'events' ? { ...kind, group: '' } : kind, object.metadata.name, errors);
}
