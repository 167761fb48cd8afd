import { databaseSignatures } from './databases.ts';
import { environmentSignatures } from './environment.ts';
import { fileSignatures } from './files.ts';
import { generalSignatures } from './general.ts';
import { networkSignatures } from './network.ts';
import { runtimeSignatures } from './runtimes.ts';
import { settingSignatures } from './settings.ts';
import { syntaxSignatures } from './syntax.ts';
import type { Signature } from './signature.ts';

export type { Signature } from './signature.ts';

/** Every signature. Of two that match the same line the earlier one speaks; of two lines the first one does. */
export const SIGNATURES: readonly Signature[] = [
  ...databaseSignatures,
  ...settingSignatures,
  ...environmentSignatures,
  ...networkSignatures,
  ...fileSignatures,
  ...runtimeSignatures,
  ...syntaxSignatures,
  ...generalSignatures,
];
