/** Counts of questions by provider and outcome since this process started. */
export function questionCounter() {
  const counts = new Map<string, { provider: string; outcome: string; count: number }>();
  return {
    count(provider: string, outcome: string): void {
      const key = `${provider}\n${outcome}`;
      const entry = counts.get(key) ?? { provider, outcome, count: 0 };
      counts.set(key, { ...entry, count: entry.count + 1 });
    },
    list: () => [...counts.values()],
  };
}
