/** Whether a value from outside is a mapping of YAML or an object of JSON: no list, and not null. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
