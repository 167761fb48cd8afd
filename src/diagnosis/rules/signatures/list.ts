import { certificateSignatures } from './certificates.ts';
import { cloudCredentialSignatures } from './cloud-credentials.ts';
import { databaseSignatures } from './databases-and-brokers.ts';
import { environmentSignatures } from './environment.ts';
import { existingDataSignatures } from './existing-data.ts';
import { fileRightsSignatures } from './file-rights.ts';
import { fileSignatures } from './files.ts';
import { limitSignatures } from './limits-of-the-node.ts';
import { generalSignatures } from './general.ts';
import { addressSignatures } from './addresses.ts';
import { networkSignatures } from './network.ts';
import { openidSignatures } from './openid.ts';
import { optionSignatures } from './options.ts';
import { placeholderSignatures } from './placeholders.ts';
import { nodeSignatures } from './of-the-node.ts';
import { cloudAnswerSignatures } from './cloud-answers.ts';
import { programSignatures } from './programs.ts';
import { teamToolSignatures } from './tools-of-teams.ts';
import { rightsSignatures } from './rights.ts';
import { processSignatures } from './processes.ts';
import { modelServerSignatures } from './model-servers.ts';
import { pythonAndNodeSignatures } from './python-and-node.ts';
import { javaSignatures } from './java.ts';
import { otherRuntimeSignatures } from './other-runtimes.ts';
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
  ...teamToolSignatures,
  ...openidSignatures,
  ...programSignatures,
  ...cloudAnswerSignatures,
  ...placeholderSignatures,
  ...environmentSignatures,
  ...optionSignatures,
  ...addressSignatures,
  ...networkSignatures,
  ...certificateSignatures,
  ...fileRightsSignatures,
  ...fileSignatures,
  ...limitSignatures,
  ...processSignatures,
  ...modelServerSignatures,
  ...pythonAndNodeSignatures,
  ...javaSignatures,
  ...otherRuntimeSignatures,
  ...syntaxSignatures,
  ...generalSignatures,
];
