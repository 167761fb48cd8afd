import type { Loose, Stored } from './object.ts';

/** An Event as stored: the shape of core/v1, whichever group it came by. */
export function eventToCore(event: Loose): Stored {
  if (event.apiVersion === 'v1') return event;
  const {
    regarding,
    note,
    deprecatedCount,
    deprecatedFirstTimestamp,
    deprecatedLastTimestamp,
    deprecatedSource,
    reportingController,
    ...rest
  } = event;
  return {
    ...rest,
    apiVersion: 'v1',
    involvedObject: regarding ?? {},
    ...(note !== undefined && { message: note }),
    reportingComponent: reportingController ?? '',
    source: deprecatedSource ?? {},
    firstTimestamp: deprecatedFirstTimestamp ?? null,
    lastTimestamp: deprecatedLastTimestamp ?? null,
    ...(deprecatedCount !== undefined && { count: deprecatedCount }),
  };
}

/** The same event as events.k8s.io/v1 shows it. */
export function eventFromCore(event: Stored): Stored {
  const { involvedObject, message, count, firstTimestamp, lastTimestamp, source, reportingComponent, reportingInstance, ...rest } = event;
  return {
    ...(rest as Stored),
    apiVersion: 'events.k8s.io/v1',
    regarding: involvedObject,
    ...(message !== undefined && { note: message }),
    ...(reportingComponent && { reportingController: reportingComponent }),
    ...(reportingInstance && { reportingInstance }),
    deprecatedSource: source ?? {},
    deprecatedFirstTimestamp: firstTimestamp ?? null,
    deprecatedLastTimestamp: lastTimestamp ?? null,
    ...(count !== undefined && { deprecatedCount: count }),
  };
}
