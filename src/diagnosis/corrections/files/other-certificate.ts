import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { givenIn, setTo } from '../given-values.ts';
import { replaceTexts } from '../replace-text.ts';
import { mountedFiles } from './mounted-files.ts';
import { withSameStem } from './same-stem.ts';

/** Endings of files with certificates. */
const CERTIFICATE = /\.(?:pem|crt|cer|cert|ca-bundle)$/i;

/** For a missing certificate whose folder a volume brings: the only certificate there, in the setting that names the file. */
export function otherCertificate(input: RuleInput, place: ContainerPlace, file: string): Correction[] {
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const there = CERTIFICATE.test(file)
    ? mountedFiles(input, place).filter((path) => path.startsWith(folder) && CERTIFICATE.test(path) && !/key/i.test(path))
    : [];
  const [only, ...more] = there;
  const [setting, ...settings] = givenIn(place).filter(({ value }) => value === file);
  if (only === undefined || more.length > 0 || !setting || settings.length > 0) return [];
  const why = 'it is the only certificate that the volume has there';
  const made = setTo(place, setting, only, { why, explanation: `The volume has no ${code(file)}.` });
  const beside = replaceTexts(input, withSameStem(input, place, file, only), 'it belongs to the certificate');
  return [{ ...made, changes: [...made.changes, ...beside] }];
}
