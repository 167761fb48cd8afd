import type { FieldError } from '../api/errors.ts';
import { invalidValue, required } from '../api/errors.ts';
import type { Loose, Stored } from '../store/object.ts';
import { isSame } from '../store/object.ts';

const FIXED = ['involvedObject', 'reason', 'message', 'type', 'action', 'reportingComponent', 'reportingInstance', 'related', 'eventTime'];

/** What the real server refuses in an Event; `isNew`: it came by `events.k8s.io`, which wants more. */
export function* eventErrors(event: Stored, old: Loose, isNew: boolean): Generator<FieldError> {
  const namespace = event.involvedObject?.namespace;
  if (!isNew) {
    if (namespace && namespace !== event.metadata.namespace)
      yield invalidValue('involvedObject.namespace', namespace, 'does not match event.namespace');
    return;
  }
  if (old) {
    for (const field of FIXED) if (!isSame(event[field], old[field])) yield invalidValue(field, event[field], 'field is immutable');
    return;
  }
  if (!event.eventTime) yield required('eventTime');
  if (event.type !== 'Normal' && event.type !== 'Warning') yield invalidValue('type', '', `has invalid value: ${event.type ?? ''}`);
  if ((event.message ?? '').length > 1024) yield invalidValue('message', '', 'can have at most 1024 characters');
}
