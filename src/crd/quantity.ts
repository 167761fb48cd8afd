const SUFFIXES: Record<string, number> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

const MI = 2 ** 20;

/** The number of a Kubernetes quantity (`500m` is 0.5, `1Gi` is 2^30, `1e3` is 1000); undefined for anything else. */
export function parseQuantity(quantity: string | number | null | undefined): number | undefined {
  if (typeof quantity === 'number') return Number.isFinite(quantity) ? quantity : undefined;
  const found = /^([+-]?(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18}))(?:[eE]([+-]?\d{1,2})|([numkMGTPE]i?|Ki)?)$/.exec(quantity ?? '');
  const factor = found?.[2] === undefined ? SUFFIXES[found?.[3] ?? ''] : 10 ** Number(found[2]);
  return found && factor !== undefined ? Number(found[1]) * factor : undefined;
}

/** Bytes as a quantity in Mi, or in Gi where that is exact; rounded down, at least `1Mi`. */
export function formatBytes(bytes: number): string {
  const mebibytes = Math.max(1, Math.floor(bytes / MI));
  return mebibytes % 1024 === 0 ? `${mebibytes / 1024}Gi` : `${mebibytes}Mi`;
}

/** Cores as a quantity in whole cores, or else in millicores; rounded down, at least `1m`. */
export function formatCpu(cores: number): string {
  const milli = Math.max(1, Math.floor(cores * 1000 + 1e-6));
  return milli % 1000 === 0 ? `${milli / 1000}` : `${milli}m`;
}

/** A quantity of a named resource: memory and storage in bytes, cpu in cores, everything else in whole numbers. */
export function formatResource(resource: string, amount: number): string {
  if (resource.endsWith('cpu')) return formatCpu(amount);
  return /memory|storage|hugepages/.test(resource) ? formatBytes(amount) : `${Math.floor(amount)}`;
}
