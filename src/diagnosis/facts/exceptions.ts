/** The line of an uncaught exception: below a trace of Python, above one of Node, behind the place in Ruby, below it in Symfony, and as Elixir writes it. */
const EXCEPTIONS: readonly RegExp[] = [
  /^Traceback \(most recent call last\):\n(?:[ \t].{0,1000}\n|\n){1,200}(?<line>(?!Traceback)[A-Za-z_][\w.]{0,120}(?::.{0,1000})?)$/gm,
  /^(?:Uncaught |\[)?(?<line>(?:[A-Z]\w{0,60})?(?:Error|Exception)(?: \[\w{1,60}\])?: .{1,1000})\n {4}at /gm,
  /^(?<line>\S{1,200}:\d{1,6}:in ['`].{1,500} \((?:[A-Z]\w{0,60}::){0,4}[A-Z]\w{0,60}\))$/gm,
  /^In \S{1,100}\.php line \d{1,6}:\n[ \t]{0,200}\n {2}(?<line>\S.{1,500}?)[ \t]{0,200}$/gm,
  /^[ \t]{0,16}(?<line>\*\* \((?!EXIT\))[A-Z][\w.]{1,80}\) .{1,500})$/gm,
];
/** Exceptions by which a program ends itself: what it said before is the cause. */
const ENDS_ITSELF = /^(?:SystemExit|KeyboardInterrupt|gunicorn\.errors\.HaltServer|click\.exceptions\.(?:Exit|Abort))\b/;
/** An exception that only points at what the log said before it, or says that another process of the program ended. */
const POINTS_UP =
  /\b(?:root cause|see|check|refer to)\b.{0,40}\b(?:above|earlier|previous(?:ly)?)\b|^\w{1,40}: (?:[\w-]{1,20} ){0,3}(?:process|worker|engine|child|subprocess)(?:es)? (?:[\w-]{1,20} ){0,2}(?:failed|died|exited|terminated)(?: [\w-]{1,20}){0,4}\.?$/i;
/** What stands between two traces of Python, where the upper one is the cause. */
const CHAINED = /^(?:The above exception was the direct cause|During handling of the above exception)/;

/** The last exception of a log that nothing caught, with the place of its line. Of exceptions that led to each other it is the first one. */
export function lastUncaught(log: string): { at: number; line: string } | undefined {
  const found = EXCEPTIONS.flatMap((pattern) =>
    [...log.matchAll(pattern)].map(({ 0: whole, index, groups }) => {
      const line = groups?.['line'] ?? '';
      return { from: index, at: index + whole.lastIndexOf(line), line };
    }),
  )
    .filter(({ line }) => !ENDS_ITSELF.test(line) && !POINTS_UP.test(line))
    .sort((a, b) => a.at - b.at);
  return found.findLast(({ from }) => !CHAINED.test(log.slice(log.lastIndexOf('\n\n', Math.max(0, from - 3)) + 2, from)));
}
