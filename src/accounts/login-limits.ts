import type { AttemptLimit } from '../db/login-attempts.ts';

/** Logins or first signups from one address, right or wrong. It also bounds how often one address guesses one user's password. */
export const PER_ADDRESS: AttemptLimit = { limit: 5, windowSeconds: 30 };

/** Failures with one user from anywhere: guesses from many addresses at once. */
export const PER_USER: AttemptLimit = { limit: 50, windowSeconds: 15 * 60 };

/** How often the audit log says that an address is limited: what a flood writes must not flood the log. */
export const PER_NOTE: AttemptLimit = { limit: 1, windowSeconds: 30 };
