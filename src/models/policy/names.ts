const FIELDS = new Set(['secretName', 'claimName', 'serviceAccountName', 'nodeName', 'priorityClassName', 'runtimeClassName']);
const REFERENCES = new Set(['configMap', 'configMapRef', 'configMapKeyRef', 'secret', 'secretRef', 'secretKeyRef', 'imagePullSecrets']);

/** Names of other objects that a pod's spec refers to. */
export function namesInSpec(spec: unknown): string[] {
  const found: string[] = [];
  JSON.stringify(spec, (key, value: unknown) => {
    if (FIELDS.has(key) && typeof value === 'string') found.push(value);
    if (REFERENCES.has(key)) found.push(...[value].flat().flatMap((one) => nameOf(one)));
    return value;
  });
  return found;
}

/** Every text in a value that could be the name of an object. */
export function namesInData(data: unknown): string[] {
  const found: string[] = [];
  JSON.stringify(data, (_key, value: unknown) => {
    if (typeof value === 'string' && /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/.test(value)) found.push(value);
    return value;
  });
  return found;
}

function nameOf(reference: unknown): string[] {
  const { name } = (typeof reference === 'object' && reference !== null ? reference : {}) as { name?: unknown };
  return typeof name === 'string' ? [name] : [];
}
