import { parseQuantity } from '../../crd/quantity.ts';

/** A Kubernetes quantity (`100m`, `16Mi`, `2`) as a number; 0 for none given, NaN for any other text. */
export function quantity(text: string | number | undefined): number {
  return text === undefined ? 0 : (parseQuantity(text) ?? Number.NaN);
}

/**
 * A resource in whole units, so that sums are exact: millicores of `cpu` (also of a quota's `requests.cpu`), bytes or pieces of all else, rounded up.
 */
export function unitsOf(resource: string, text: string | number | undefined): number {
  return Math.ceil(quantity(text) * unitsPerOne(resource) - 1e-6);
}

const unitsPerOne = (resource: string): number => (/(^|\.)cpu$/.test(resource) ? 1000 : 1);

/** Whole units of a resource as a quantity, as messages and statuses of quotas write it. */
export function unitsText(resource: string, units: number): string {
  if (resource.endsWith('memory') && units > 0)
    for (const [suffix, size] of BINARY.slice(-4, -1)) if (units % size === 0) return `${units / size}${suffix}`;
  const amount = units / unitsPerOne(resource);
  return Number.isInteger(amount) ? String(amount) : `${units}m`;
}

const DECIMAL: [suffix: string, size: number][] = ['E', 'P', 'T', 'G', 'M', 'k', '', 'm', 'u', 'n'].map((suffix, i) => [
  suffix,
  10 ** (18 - 3 * i),
]);
const BINARY: [suffix: string, size: number][] = ['Ei', 'Pi', 'Ti', 'Gi', 'Mi', 'Ki', ''].map((suffix, i) => [suffix, 2 ** (60 - 10 * i)]);

/** A quantity as the API server writes it back: `0.5` is `500m`, `65536Ki` is `64Mi`; anything else stays unchanged. */
export function quantityText(text: string | number): string {
  const value = quantity(text);
  if (Number.isNaN(value) || value === 0 || /[eE]/.test(String(text))) return String(text);
  const isWhole = (amount: number) => Math.abs(amount) >= 1 && Math.abs(amount - Math.round(amount)) < 1e-9 * Math.abs(amount);
  for (const [suffix, size] of /i$/.test(String(text)) ? BINARY : DECIMAL)
    if (isWhole(value / size)) return `${Math.round(value / size)}${suffix}`;
  return String(text);
}
