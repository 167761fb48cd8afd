import type { LogFact } from '../../facts/log.ts';
import type { RuleInput } from '../../facts/input.ts';
import type { Meaning } from '../../corrections/meaning.ts';

/** A matched line with its meaning. `inCode`: it reports a bug of the program, which a setting may have triggered. */
export interface Explained {
  input: RuleInput;
  log: LogFact;
  meaning: Meaning;
  inCode: boolean;
}

/** A line that settings may have caused. */
export const OF_SETTINGS = /^(?:spring-|variable-|setting-|certificate|connection-string|driver-|python-|url-)/;

/** Lines of servers that refuse a login. */
export const OF_LOGIN = /-(?:login|credentials)$/;

/** Whether a line may be there because of the credentials that a program has. */
export const isOfCredentials = ({ log, inCode }: Explained): boolean =>
  OF_LOGIN.test(log.signature.id) || inCode || log.signature.general === true || log.signature.id === 'cloud-answer';

/** Whether the line may be there because the program runs with other settings than somebody wanted. */
export function isAboutSettings({ signature }: LogFact): boolean {
  return signature.general === true || /^(?:spring-|variable-|setting-)/.test(signature.id);
}

/** What programs say of a value that they do not take. */
export const NOT_TAKEN =
  /\b(?:invalid|incorrect|malformed|wrong|bad|unauthori[sz]ed|not (?:accepted|valid)|expired|must be|too (?:short|long))\b/i;
