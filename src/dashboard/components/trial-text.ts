import { withSigns } from './unseen-characters.ts';

/** The author of a mirror's correction: the API's word → words for people. */
export const ORIGINS: Readonly<Record<string, string>> = {
  Model: 'proposed by the model',
  Rules: 'proposed by rules',
  Given: 'written by hand',
};

/** A manifest value on one line. */
export function valueOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return withSigns(typeof value === 'string' ? value : JSON.stringify(value));
}
