import { ADMISSION } from './cases/admission.ts';
import { APPLIED } from './cases/apply.ts';
import { CUSTOM } from './cases/custom.ts';
import { DISCOVERY } from './cases/discovery.ts';
import { KINDS } from './cases/kinds.ts';
import { LISTS } from './cases/lists.ts';
import { OBJECTS } from './cases/objects.ts';
import { PATCHES } from './cases/patches.ts';
import { POD_CASES } from './cases/pods.ts';
import type { Case } from './step.ts';

/** The parts of the API that Podmend, its tests and a newcomer's kubectl use, in the order of the requests. */
export const AREAS: Record<string, Case[]> = {
  objects: OBJECTS,
  lists: LISTS,
  patches: PATCHES,
  apply: APPLIED,
  custom: CUSTOM,
  pods: POD_CASES,
  admission: ADMISSION,
  kinds: KINDS,
  discovery: DISCOVERY,
};
