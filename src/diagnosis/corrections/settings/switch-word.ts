/** The words by which settings are switched on and off, in pairs. */
const WORDS: Readonly<Record<string, string>> = { true: 'false', '1': '0', yes: 'no', on: 'off' };
const ON = new Map(Object.entries(WORDS).map(([on, off]) => [off, on]));

/** Whether a value switches something on. */
export function isOn(value: string): boolean {
  return Object.hasOwn(WORDS, value.toLowerCase());
}

/** Whether a value switches something off. */
export function isOff(value: string): boolean {
  return ON.has(value.toLowerCase());
}

/** The word of the same pair that switches on what `value` switches off, in the same case; `true` for any other word. */
export function turnedOn(value: string): string {
  return inCaseOf(value, ON.get(value.toLowerCase()) ?? 'true');
}

/** The word of the same pair that switches off what `value` switches on, in the same case; `false` for any other word. */
export function turnedOff(value: string): string {
  return inCaseOf(value, isOn(value) ? (WORDS[value.toLowerCase()] as string) : 'false');
}

/** Python and .NET write `True`. */
function inCaseOf(value: string, word: string): string {
  if (value !== value.toLowerCase() && value === value.toUpperCase()) return word.toUpperCase();
  return /^[A-Z]/.test(value) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}
