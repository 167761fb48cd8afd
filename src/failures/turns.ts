/** Works of one name one after another, so that those of this process never get in each other's way. */
export function turns(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const mine = (last.get(name) ?? Promise.resolve()).then(work);
    const ended: Promise<unknown> = mine
      .catch(() => {})
      .then(() => {
        if (last.get(name) === ended) last.delete(name);
      });
    last.set(name, ended);
    return mine;
  };
}
