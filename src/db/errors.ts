/** The database cannot be reached or did not answer in time. Nothing is known about whether the statement took effect. API: 503. */
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

/** A leader of an earlier epoch tried to write: there is a newer one, and nothing was written. */
export class StaleLeader extends Error {
  constructor(epoch: number) {
    super(`the leader of epoch ${epoch} may not write any more: there is a newer one`);
    this.name = 'StaleLeader';
  }
}

/** SQLSTATE of an error of either driver, else undefined. */
export function sqlState(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  // EPIPE, an error of the connection, has the form of one.
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && code !== 'EPIPE' ? code : undefined;
}

/** Runs `work` again when the database ended it to break a deadlock; at most three times in all. Its effects must be one transaction. */
export async function retryDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 3 || sqlState(error) !== '40P01') throw error;
    }
  }
}
