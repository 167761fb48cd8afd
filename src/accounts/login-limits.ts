import type { AttemptLimit } from '../db/login-attempts.ts';

/** Attempts from one address, right or wrong. What one address tries with one user is never more than this. */
export const PER_ADDRESS: AttemptLimit = { limit: 5, windowSeconds: 30 };

/** Failures with one user from anywhere: guesses from many addresses at once. */
export const PER_USER: AttemptLimit = { limit: 50, windowSeconds: 15 * 60 };
