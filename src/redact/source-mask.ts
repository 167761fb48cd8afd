import { MASK } from './keys.ts';
import { maskManifest } from './manifest.ts';
import { maskText } from './text.ts';

/** The sources of a text: whole logs, messages and objects. A secret is easier to recognise there than in a single line. */
export interface Sources {
  texts: readonly string[];
  objects: readonly unknown[];
}

/** Shorter values are parts of ordinary words. */
const SHORTEST = 6;
/** Words and names of objects are not hidden elsewhere, even if they are masked in a source. */
const ORDINARY = /^[A-Za-z][a-z]*(?:[-._/ ][a-z]+)*$/;

/**
 * Makes the mask for texts that contain parts of these unmasked sources. It hides every secret that is found in the sources, and whatever
 * looks like a secret by itself. The sources are needed because a single line of a private key does not look like a secret.
 */
export function sourceMask(sources: Sources): (text: string) => string {
  return maskOfValues(hiddenValues(sources));
}

/** Makes a mask that hides these values in their order, and whatever looks like a secret by itself. Give the longest values first. */
export function maskOfValues(values: readonly string[]): (text: string) => string {
  return (text) => maskText(values.reduce((masked, value) => masked.replaceAll(value, MASK), text));
}

/** Every secret that is found in the sources, the longest first. */
export function hiddenValues({ texts, objects }: Sources): string[] {
  const hidden = [
    ...texts.flatMap((text) => hiddenParts(text, maskText(text))),
    ...objects.flatMap((object) => hiddenIn(object, maskManifest(object))),
  ];
  const values = hidden.flatMap((value) => [value, ...value.split(/\s*(?:\n|\\n)\s*/)]).filter(isTelling);
  // The longest first: one secret may hold another.
  return [...new Set(values)].toSorted((a, b) => b.length - a.length);
}

function isTelling(value: string): boolean {
  return value.length >= SHORTEST && !ORDINARY.test(value) && !/^[\d.:-]+$/.test(value);
}

/** The parts of a text that a mask has hidden. Finds the parts that stayed, in order; whatever lies between them was hidden. */
function hiddenParts(text: string, masked: string): string[] {
  if (text === masked) return [];
  const kept = masked.split(MASK);
  const hidden: string[] = [];
  let at = kept[0]?.length ?? 0;
  for (const part of kept.slice(1)) {
    const next = part === '' ? text.length : text.indexOf(part, at);
    if (next === -1) break;
    hidden.push(text.slice(at, next));
    at = next + part.length;
  }
  return hidden;
}

function hiddenIn(before: unknown, after: unknown): string[] {
  if (typeof before === 'string') return typeof after === 'string' ? hiddenParts(before, after) : [];
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null) return [];
  return Object.entries(before).flatMap(([key, value]) => hiddenIn(value, (after as Record<string, unknown>)[key]));
}
