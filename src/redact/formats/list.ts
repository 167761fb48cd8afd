import { CLOUDS } from './clouds.ts';
import { CLUSTERS } from './clusters.ts';
import { CODE_HOSTS } from './code-hosts.ts';
import type { Format } from './format.ts';
import { IDENTITY } from './identity.ts';
import { MESSAGING } from './messaging.ts';
import { MODELS } from './models.ts';
import { MONITORING } from './monitoring.ts';
import { PAYMENT } from './payment.ts';
import { REGISTRIES } from './registries.ts';
import { TOOLS } from './tools.ts';

/** Every token format that its first characters identify. */
export const FORMATS: readonly Format[] = [
  ...[CODE_HOSTS, CLOUDS, IDENTITY, CLUSTERS, REGISTRIES].flat(),
  ...[PAYMENT, MESSAGING, MONITORING, MODELS, TOOLS].flat(),
];
