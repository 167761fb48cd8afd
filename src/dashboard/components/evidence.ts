/** A detector's evidence as facts. A list of texts becomes one line; a list of objects becomes one line each. */
export function evidenceFacts(evidence: Readonly<Record<string, unknown>>): [name: string, values: string[]][] {
  return Object.entries(evidence).map(([name, value]) => [wordsOf(name), valuesOf(value)]);
}

/** Splits `ready_replicas` and `readyReplicas` into words. */
function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase();
}

function valuesOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [textOf(value)];
  if (value.length === 0) return ['none'];
  return value.every((one) => typeof one !== 'object') ? [value.map(textOf).join(', ')] : value.map(textOf);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value);
  return Object.entries(value)
    .map(([name, one]) => `${wordsOf(name)} ${textOf(one)}`)
    .join(', ');
}
