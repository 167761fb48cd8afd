import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Search } from './icons.tsx';

/** The search starts after this pause in typing. */
const PAUSE_MS = 250;

interface SearchProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> {
  /** The current search text. */
  value: string | undefined;
  onSearch(text: string): void;
}

/** A field that searches as people type. */
export function SearchField({ value = '', onSearch, ...field }: SearchProps) {
  const [typed, type] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    // The address changed in another way: Back or a link.
    if (value === sent.current) return;
    sent.current = value;
    type(value);
  }, [value]);
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = wanted;
      onSearch(wanted);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, onSearch]);
  return (
    <TextInput
      size="xs"
      type="search"
      maxLength={200}
      leftSection={<Search size={14} />}
      {...field}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
