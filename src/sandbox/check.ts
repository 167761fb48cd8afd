import type { CelRules } from './cel.ts';
import { definitionErrors } from './crd.ts';
import { invalid, invalidValue } from './errors.ts';
import type { Kind } from './kinds.ts';
import type { Stored } from './object.ts';
import type { Schema } from './schema.ts';
import { resolve, schemaErrors } from './schema.ts';
import { kindErrors, metaErrors } from './validate.ts';

/** Throws what is wrong with an object, as its schema, its rules and its kind have it. */
export function validate(cel: CelRules, kind: Kind, object: Stored, old: Stored | undefined): void {
  const errors = [...metaErrors(object)];
  if (!kind.isCustom) errors.push(...kindErrors(object, old));
  else {
    const schema = resolve(kind.schema as Schema);
    const found = [...schemaErrors(schema, object, '')];
    errors.push(...found);
    const isBroken = found.some((e) => e.reason !== 'FieldValueDuplicate' && !/ in body should (be|match|have) /.test(e.text));
    if (!isBroken) errors.push(...cel.errors(schema as Schema, object, old));
    else if (hasRules(schema))
      errors.push(
        invalidValue(
          '<nil>',
          null,
          'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
        ),
      );
  }
  if (kind.storage === 'apiextensions.k8s.io/customresourcedefinitions') errors.push(...definitionErrors(object));
  if (errors.length) throw invalid(kind, object.metadata.name, errors);
}

function hasRules(schema: Schema | undefined): boolean {
  return schema !== undefined && JSON.stringify(schema).includes('"x-kubernetes-validations"');
}
