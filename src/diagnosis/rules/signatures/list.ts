import { cloudCredentialSignatures } from './cloud-credentials.ts';
import { databaseSignatures } from './databases-and-brokers.ts';
import { environmentSignatures } from './environment.ts';
import { existingDataSignatures } from './existing-data.ts';
import { fileSignatures } from './files.ts';
import { generalSignatures } from './general.ts';
import { networkSignatures } from './network.ts';
import { placeholderSignatures } from './placeholders.ts';
import { nodeSignatures } from './of-the-node.ts';
import { programSignatures } from './programs.ts';
import { rightsSignatures } from './rights.ts';
import { runtimeSignatures } from './runtimes.ts';
import { serverStateSignatures } from './server-state.ts';
import { settingSignatures } from './missing-settings.ts';
import { syntaxSignatures } from './syntax.ts';
import type { Signature } from './signature.ts';

export type { Signature } from './signature.ts';

/** All signatures. If two match the same line, the earlier signature wins. If two lines match, the earlier line wins. */
export const SIGNATURES: readonly Signature[] = [
  ...existingDataSignatures,
  ...serverStateSignatures,
  ...rightsSignatures,
  ...cloudCredentialSignatures,
  ...databaseSignatures,
  ...settingSignatures,
  ...nodeSignatures,
  ...programSignatures,
  ...placeholderSignatures,
  ...environmentSignatures,
  ...networkSignatures,
  ...fileSignatures,
  ...runtimeSignatures,
  ...syntaxSignatures,
  ...generalSignatures,
];
