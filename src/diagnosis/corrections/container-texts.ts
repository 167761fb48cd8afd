import { fieldPath } from '../../crd/field-path.ts';
import type { Container } from '../../crd/kubernetes.ts';
import type { ContainerPlace } from '../facts/input.ts';

/** The words of a container's command and arguments, in their order. */
export const commandWords = (container: Container | undefined): string[] => [...(container?.command ?? []), ...(container?.args ?? [])];

/** Whether a command's word is a shell, with or without its folder. */
export const isShell = (word: string): boolean => /^(?:.*\/)?(?:ba|da|a|z)?sh$/.test(word);

/** What a container is started with, where each list may be null: the words of its command and its arguments, and the values of its variables. */
export function textsOf(container: Container | undefined): string[] {
  const { env } = container ?? {};
  return [...commandWords(container), ...(env ?? []).flatMap(({ value }) => (typeof value === 'string' ? [value] : []))];
}

/** The same with their places in the manifest, the variables first. */
export function placedTexts({ container, path }: ContainerPlace): { path: string; text: string }[] {
  const { env, command, args } = container ?? {};
  return [
    ...(env ?? []).flatMap(({ value }, index) =>
      typeof value === 'string' ? [{ path: fieldPath(path, 'env', index, 'value'), text: value }] : [],
    ),
    ...(command ?? []).map((text, index) => ({ path: fieldPath(path, 'command', index), text })),
    ...(args ?? []).map((text, index) => ({ path: fieldPath(path, 'args', index), text })),
  ];
}
