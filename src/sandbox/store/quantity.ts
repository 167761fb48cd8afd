const SUFFIX: Record<string, number> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
};

/** A Kubernetes quantity (`100m`, `16Mi`, `2`) as a number; NaN when it is none. */
export function quantity(text: string | number | undefined): number {
  if (text === undefined) return 0;
  const match = /^([-+]?[0-9.]+(?:[eE][-+]?\d+)?)([numkMGTPE]|[KMGTPE]i)?$/.exec(String(text));
  return match ? Number(match[1]) * (SUFFIX[match[2] ?? ''] ?? Number.NaN) : Number.NaN;
}

/** A resource in whole units, as scheduler and kubelet add it up: millicores of `cpu`, bytes or pieces of all else, rounded up. */
export function unitsOf(resource: string, text: string | number | undefined): number {
  return Math.ceil(quantity(text) * (resource === 'cpu' ? 1000 : 1) - 1e-6);
}

const DECIMAL: [suffix: string, size: number][] = ['E', 'P', 'T', 'G', 'M', 'k', '', 'm', 'u', 'n'].map((suffix, i) => [
  suffix,
  10 ** (18 - 3 * i),
]);
const BINARY: [suffix: string, size: number][] = ['Ei', 'Pi', 'Ti', 'Gi', 'Mi', 'Ki', ''].map((suffix, i) => [suffix, 2 ** (60 - 10 * i)]);

/** A quantity as the API server writes it back: `0.5` is `500m`, `65536Ki` is `64Mi`; anything else stays as it is. */
export function quantityText(text: string | number): string {
  const value = quantity(text);
  if (Number.isNaN(value) || value === 0 || /[eE]/.test(String(text))) return String(text);
  const isWhole = (amount: number) => Math.abs(amount) >= 1 && Math.abs(amount - Math.round(amount)) < 1e-9 * Math.abs(amount);
  for (const [suffix, size] of /i$/.test(String(text)) ? BINARY : DECIMAL)
    if (isWhole(value / size)) return `${Math.round(value / size)}${suffix}`;
  return String(text);
}
