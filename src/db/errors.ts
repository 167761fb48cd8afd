/** The database cannot be reached or did not answer in time. The statement may or may not have taken effect. The API answers 503. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('Database not available', { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** The embedded database's folder belongs to a living process. */
export class FolderLocked extends Error {
  readonly pid: number;
  constructor(folder: string, pid: number) {
    super(`DATA_DIR ${folder} is in use by process ${pid}: stop that one, or give this one its own DATA_DIR`);
    this.name = 'FolderLocked';
    this.pid = pid;
  }
}

/** A leader of an earlier epoch tried to write. There is a newer leader, so nothing was written. */
export class StaleLeader extends Error {
  constructor(epoch: number) {
    super(`the leader of epoch ${epoch} may not write any more: there is a newer one`);
    this.name = 'StaleLeader';
  }
}

/** The SQLSTATE of an error of either driver; undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  // EPIPE, an error of the connection, looks like an SQLSTATE.
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && code !== 'EPIPE' ? code : undefined;
}

/** Repeats `work` if the database ended it to break a deadlock, up to three runs in total. `work` must be a single transaction. */
export async function retryDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 3 || sqlState(error) !== '40P01') throw error;
    }
  }
}
