import { eventFromCore } from './events.ts';
import type { Kind } from './kinds.ts';
import { apiVersionOf } from './kinds.ts';
import type { Stored } from './object.ts';

/** The object as this version of its kind shows it. */
export function shownAs(kind: Kind, object: Stored): Stored {
  if (kind.storage === 'events') return kind.group ? eventFromCore(object) : object;
  const apiVersion = apiVersionOf(kind);
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}
