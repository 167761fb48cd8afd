import { eventFromCore } from '../store/events.ts';
import type { Kind } from '../kinds/kinds.ts';
import { apiVersionOf } from '../kinds/kinds.ts';
import type { Stored } from '../store/object.ts';

/** The object as this version of its kind shows it. */
export function shownAs(kind: Kind, object: Stored): Stored {
  if (kind.storage === 'events') return kind.group ? eventFromCore(object) : object;
  const apiVersion = apiVersionOf(kind);
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}
