import type { Form } from '../form.ts';
import type { Question } from '../llm/model.ts';

/** A question whose answer is kept and has a form. */
export interface Asking<T> extends Question {
  /** The same for questions that have the same answer. */
  fingerprint: string;
  read(value: unknown): Form<T>;
}
