import type { ParsedAnswer } from './answer-schema.ts';

/** A question to a model. The answer is an object of the JSON schema. */
export interface Question {
  system: string;
  user: string;
  schema: object;
  maxTokens: number;
}

/** A question whose answer is stored and reused. */
export interface CachedQuestion<T> extends Question {
  /** Questions with the same answer have the same fingerprint. */
  fingerprint: string;
  read(value: unknown): ParsedAnswer<T>;
}
