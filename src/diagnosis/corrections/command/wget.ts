import { fieldPath } from '../../../crd/field-path.ts';
import { parseImage } from '../../../crd/image.ts';
import type { ContainerPlace } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';

/** Images whose programs are those of BusyBox, which has `wget` and no `curl`. */
const OF_BUSYBOX = /(?:^|\/)(?:busybox|alpine)$/;

/** A call of curl in a script, up to what ends it. */
const CALL = /(?<![\w./-])curl((?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|[^\s;&|<>()"']+))+)/g;
const WORD = /"[^"\n]*"|'[^'\n]*'|[^\s;&|<>()"']+/g;

/** Options that wget does not need: it is silent with `-q`, fails with an error's status, and follows redirects. */
const NEEDLESS = /^-[fsSLkg46]{1,6}$|^--(?:fail|silent|show-error|location|insecure|globoff|fail-with-body|compressed)$/;
/** Options with a value, and those of wget (BusyBox, "wget"). */
const WITH_VALUE: Readonly<Record<string, string>> = {
  '-o': '-O',
  '--output': '-O',
  '-m': '-T',
  '--max-time': '-T',
  '--connect-timeout': '-T',
  '-H': '--header',
  '--header': '--header',
  '-d': '--post-data',
  '--data': '--post-data',
};

/** For a script that calls `curl` in an image of BusyBox: the same request with its `wget`. Empty when an option has no counterpart. */
export function wgetForCurl(place: ContainerPlace | undefined, program: string): Correction[] {
  const { image = '', command = [], args = [] } = place?.container ?? {};
  if (!place || program !== 'curl' || !OF_BUSYBOX.test(parseImage(image).repository)) return [];
  const found = [
    ...command.map((word, index) => ({ word, path: fieldPath(place.path, 'command', index) })),
    ...args.map((word, index) => ({ word, path: fieldPath(place.path, 'args', index) })),
  ].filter(({ word }) => /\s/.test(word) && word.search(CALL) >= 0);
  const changes = found.flatMap(({ word, path }) => {
    const to = rewritten(word);
    return to === undefined ? [] : [change(place, path, to, 'BusyBox has `wget`')];
  });
  if (changes.length === 0 || changes.length < found.length) return [];
  return [
    {
      title: 'Ask with `wget`',
      changes,
      confidence: 'likely',
      explanation: `The image has no ${code(program)}.`,
      mirrorable: true,
    },
  ];
}

/** The script with `wget` for `curl`; undefined when a call has an option that is not known. */
function rewritten(script: string): string | undefined {
  let isWhole = true;
  const text = script.replaceAll(CALL, (_, rest: string) => {
    const call = asWget(rest.match(WORD) ?? []);
    isWhole &&= call !== undefined;
    return call ?? '';
  });
  return isWhole ? text : undefined;
}

function asWget(words: readonly string[]): string | undefined {
  const options: string[] = [];
  const urls: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    // `-fsSo file`: the last letter takes the value.
    const [, flags = '', last = ''] = /^-([fsSLkg46]{0,6})([omHd])$/.exec(word) ?? [];
    const option = last === '' ? word : `-${last}`;
    if (NEEDLESS.test(word)) continue;
    if (Object.hasOwn(WITH_VALUE, option) && (flags === '' || last !== '') && words[at + 1] !== undefined)
      options.push(WITH_VALUE[option] as string, words[++at] as string);
    else if (word.startsWith('-')) return undefined;
    else urls.push(word);
  }
  const [url, ...more] = urls;
  if (url === undefined || more.length > 0) return undefined;
  return ['wget', '-q', ...options, ...(options.includes('-O') ? [] : ['-O', '-']), url].join(' ');
}
