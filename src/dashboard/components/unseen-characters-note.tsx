import { Text } from '@mantine/core';
import { withSigns } from './unseen-characters.ts';

/** Explains the signs for invisible characters in a text to copy. Shows nothing if there are none. */
export function SignsNote({ text }: { text: string }) {
  if (withSigns(text) === text) return null;
  return (
    <Text size="sm" c="dimmed">
      ‹U+…› stands for a character that is not seen. What is copied has the character itself.
    </Text>
  );
}
