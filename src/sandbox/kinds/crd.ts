import type { Clock } from '../clock.ts';
import type { Kind, Registry } from './kinds.ts';
import type { Loose, Stored } from '../store/object.ts';
import { timeText } from '../store/object.ts';
import { withObjectFields } from './schema.ts';

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** Where the objects of a CustomResourceDefinition are stored. */
export const customStorage = (definition: Stored): string => `${definition.spec.group}/${definition.spec.names.plural}`;

function kindOf(definition: Stored, version: Loose): Kind {
  const { group, names, scope } = definition.spec;
  return {
    group,
    version: version.name,
    kind: names.kind,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: scope === 'Namespaced',
    hasStatus: version.subresources?.status !== undefined,
    hasScale: false,
    hasGeneration: true,
    verbs: VERBS,
    storage: customStorage(definition),
    schema: withObjectFields(version.schema?.openAPIV3Schema ?? { 'x-kubernetes-preserve-unknown-fields': true }),
    columns: version.additionalPrinterColumns ?? [
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', description: 'Creation age' },
    ],
    isCustom: true,
  };
}

/** Starts to serve the kinds of a CustomResourceDefinition. */
export function serveDefinition(registry: Registry, definition: Stored): void {
  const served = (definition.spec.versions as Loose[]).filter((version) => version.served);
  registry.setCustom(
    customStorage(definition),
    served.map((version) => kindOf(definition, version)),
  );
}

/** Sets what the server sets when a definition is created: names, conversion, and at once the status `Established`. */
export function acceptDefinition(definition: Stored, clock: Clock): void {
  const { spec } = definition;
  const lastTransitionTime = timeText(clock.now());
  definition.status = {
    acceptedNames: spec.names,
    conditions: [
      { lastTransitionTime, message: 'no conflicts found', reason: 'NoConflicts', status: 'True', type: 'NamesAccepted' },
      {
        lastTransitionTime,
        message: 'the initial names have been accepted',
        reason: 'InitialNamesAccepted',
        status: 'True',
        type: 'Established',
      },
    ],
    storedVersions: (spec.versions as Loose[]).filter((version) => version.storage).map((version) => version.name),
  };
}
