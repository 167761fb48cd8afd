import { saysHelperStarted } from '../../crd/helper.ts';

/** Lines that a program writes while it waits for something or retries. */
const WAITS =
  /\bwait|\bretry|\bretries|\bagain\b|refused|timed? ?out|not (?:ready|found|yet|available|reachable)|no such|bad address|unknown host|can(?:'|no)t|unable|fail|error|\bsleep|\battempt/i;
/** The last line of a server that has started: nothing more will come. */
const SERVES =
  /\bready (?:for|to accept) (?:new )?(?:connections|requests)\b|\blistening (?:on|at)\b|\bserver (?:has )?started\b|\baccepting connections\b|\bEverything is ready\b|\bStarted \w{2,60} in [\d.]{1,9} ?s/i;
/** How many lines at the end of the log are read. */
const LAST_LINES = 12;
const LEAST_LINES = 3;

/** Whether the end of a log shows ongoing work: different lines, none of which waits for something or reports an error. Pure. */
export function isProgress(log: string): boolean {
  const lines = log
    .slice(-8000)
    .split('\n')
    .map((line) => withoutTime(line).trim())
    .filter((line) => line !== '')
    .slice(-LAST_LINES);
  return (
    lines.length >= LEAST_LINES &&
    !SERVES.test(lines.at(-1) ?? '') &&
    !lines.some(saysHelperStarted) &&
    new Set(lines).size === lines.length &&
    !lines.some((line) => WAITS.test(line))
  );
}

/** Removes the time at the beginning, which would make equal lines differ. */
function withoutTime(line: string): string {
  return line.replace(/^[[(]?(?:\d{4}[-/]\d\d[-/]\d\d[T ]?)?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?[\])]?\s{0,4}/, '');
}

/** Whether the last line of a log says that the program still prepares itself: `starting, preloading 45 tables`. Pure. */
export function saysWarmingUp(log: string): boolean {
  const last = log.trimEnd().slice(-1000).split('\n').at(-1) ?? '';
  return /\b(?:pre-?load|load|warm|replay|index|rebuild|import|cach)(?:ing|ing up)\b/i.test(last) && !WAITS.test(last);
}
