import type { Meaning } from '../../corrections/meaning.ts';
import type { Explained } from './explained.ts';
import { ofFolderOfFile, ofPath, ofUnbroughtFile, ofUnbroughtFolder, ofVariableForFile } from './files.ts';
import { ofKey, ofUnusedKey, ofSwappedKeys, ofOddKey } from './keys.ts';
import {
  ofLateOption,
  ofLeftOut,
  ofOldName,
  ofOddSection,
  ofOddName,
  ofProfile,
  ofUsualName,
  ofLateReference,
  ofNamedUnset,
  ofRequiredOption,
  ofEmptyVariable,
} from './names-of-variables.ts';
import { ofServiceVariable, ofHost, ofOtherPort, ofSocket, ofMadeUpScheme, ofDatabase, ofSwitchedOffTls } from './servers.ts';
import { ofRemovedOption, ofMisspeltWord, ofExports, ofNeededValue, ofProposal, ofShortSecret } from './words.ts';

/** The meaning with the correction of the setting behind the line, where the line itself does not name that. */
export function withSetting(explained: Explained): Meaning {
  const { meaning } = explained;
  const old = ofNeededValue(explained) ?? ofServiceVariable(explained) ?? ofOldName(explained) ?? ofOddSection(explained);
  if (old || meaning.corrections?.length) return old ?? meaning;
  for (const find of BEHIND) {
    const found = find(explained);
    if (found) return found;
  }
  return ofProposal(explained);
}

/** What may be behind a line, the most telling first. Behind all others there is only what the line itself proposes. */
const BEHIND: readonly ((explained: Explained) => Meaning | undefined)[] = [
  ofLeftOut,
  ofOddName,
  ofHost,
  ofOtherPort,
  ofSwitchedOffTls,
  ofKey,
  ofLateOption,
  ofProfile,
  ofUsualName,
  ofRequiredOption,
  ofEmptyVariable,
  ofRemovedOption,
  ofSocket,
  ofUnusedKey,
  ofLateReference,
  ofNamedUnset,
  ofSwappedKeys,
  ofOddKey,
  ofMisspeltWord,
  ofMadeUpScheme,
  ofDatabase,
  ofExports,
  ofFolderOfFile,
  ofPath,
  ofUnbroughtFile,
  ofUnbroughtFolder,
  ofVariableForFile,
  ofShortSecret,
];
